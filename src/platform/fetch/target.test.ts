/** Tests which URLs may be asked for, and how the owner's list of hosts is read. */

import { describe, expect, test } from 'vitest'
import { FetchError } from './fetch-error.ts'
import { AllowList, parseTarget } from './target.ts'

const nothing = new AllowList([])

function errorOf(url: string, allowList = nothing): FetchError {
  try {
    parseTarget(url, allowList)
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('a URL is refused, and nothing was sent', () => {
  test.each([
    ['', 'cannot be read as a URL'],
    ['social.example/path', 'cannot be read as a URL'],
    ['https://', 'cannot be read as a URL'],
    ['https://[fe80::1%25eth0]/', 'cannot be read as a URL'],
    ['https://[::1', 'cannot be read as a URL'],
    ['https://256.1.1.1/', 'cannot be read as a URL'],
    ['https://a b/', 'cannot be read as a URL'],
    ['ftp://social.example/', 'only https is supported'],
    ['file:///etc/passwd', 'only https is supported'],
    ['data:text/plain,x', 'only https is supported'],
    ['javascript:alert(1)', 'only https is supported'],
    ['blob:https://social.example/1', 'only https is supported'],
    ['ws://social.example/', 'only https is supported'],
    ['http://social.example/', 'is not https; add social.example to allowHosts if it is yours'],
    ['http://127.0.0.1:3000/', 'is not https; add 127.0.0.1:3000 to allowHosts if it is yours'],
    ['https://name@social.example/', 'has a login in it'],
    ['https://name:word@social.example/', 'has a login in it'],
    ['https://:word@social.example/', 'has a login in it'],
    ['https://social.example./', 'the name of the host ends with a dot'],
  ])('%s', (url, problem) => {
    const error = errorOf(url)
    expect(error.message).toContain(problem)
    expect({ kind: error.kind, sent: error.sent }).toEqual({ kind: 'bad_url', sent: false })
  })

  test.each([
    'https://canary:canary@social.example/?canary#canary',
    'http://social.example/?token=canary',
    'https:// /canary',
    'data:text/plain,canary',
    'https://social.example./?canary',
  ])('without its login, query or data in the message: %s', (url) => {
    expect(errorOf(url).message).not.toContain('canary')
  })
})

test('a public URL is taken apart', () => {
  expect(parseTarget('HTTPS://Social.Example:8443/a/b?c=d', nothing)).toMatchObject({
    hostname: 'social.example',
    port: 8443,
    isSecure: true,
    isAllowed: false,
  })
  expect(parseTarget(new URL('https://[2606:4700::1111]/'), nothing)).toMatchObject({
    hostname: '2606:4700::1111',
    port: 443,
  })
})

describe('a host that the owner allowed', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1/', true],
    ['127.0.0.1', 'http://127.0.0.1:3000/', true],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/', true],
    ['127.0.0.1:3000', 'https://127.0.0.1:3000/', true],
    ['127.0.0.1:3000', 'https://127.0.0.1:3001/', false],
    ['127.0.0.1:3000', 'https://127.0.0.1/', false],
    ['127.0.0.1:3000', 'https://127.0.0.2:3000/', false],
    ['PDS.Example', 'http://pds.example/', true],
    ['pds.example', 'https://sub.pds.example/', false],
    ['pds.example', 'https://pds.example.evil.example/', false],
    ['pds.example:443', 'https://pds.example/', true],
    ['pds.example:80', 'http://pds.example/', true],
    ['pds.example:80', 'https://pds.example/', false],
    ['[::1]', 'http://[::1]:3000/', true],
    ['[::1]:3000', 'http://[0:0:0:0:0:0:0:1]:3000/', true],
    ['[::1]:3000', 'https://[::1]:3001/', false],
    ['bücher.example', 'http://xn--bcher-kva.example/', true],
    ['localhost:3000', 'http://localhost:3000/', true],
    ['0x7f.1:3000', 'http://127.0.0.1:3000/', true],
  ])('%s: %s is allowed: %s', (entry, url, isAllowed) => {
    expect(parseTarget(url, new AllowList([entry])).isAllowed).toBe(isAllowed)
  })

  test('with its port allows plain HTTP on that port only', () => {
    const allowList = new AllowList(['127.0.0.1:3000'])
    expect(errorOf('http://127.0.0.1:3001/', allowList).kind).toBe('bad_url')
    expect(errorOf('http://127.0.0.1/', allowList).kind).toBe('bad_url')
  })

  test.each([
    '',
    'http://pds.example',
    'pds.example/path',
    'name@pds.example',
    '*.pds.example',
    '*',
    'pds.example:port',
    'pds.example:99999',
    'pds example',
    '::1',
    'pds.example?x',
    'pds.example.',
  ])('must be a host and nothing else: %j', (entry) => {
    expect(() => new AllowList(['fine.example', entry])).toThrow('allowHosts[1]: ')
  })
})
