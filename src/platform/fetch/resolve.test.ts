/** Tests that every address of a name is checked, in one single question to the name service. */

import { describe, expect, test } from 'vitest'
import { FetchError } from './fetch-error.ts'
import { resolveTarget } from './resolve.ts'
import type { Lookup } from './resolve.ts'
import { AllowList, parseTarget } from './target.ts'

const never = new AbortController().signal

/** Answers one question after the other with the next of the given lists. */
function lookupOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const lookup: Lookup = async (hostname) => {
    const answer = answers[asked.length] ?? []
    asked.push(hostname)
    return answer.map((address) => ({ address }))
  }
  return { asked, lookup }
}

function resolve(url: string, lookup: Lookup, allowHosts: readonly string[] = []) {
  return resolveTarget(parseTarget(url, new AllowList(allowHosts)), lookup, never)
}

async function errorOf(work: Promise<unknown>): Promise<FetchError> {
  try {
    await work
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  throw new Error('it was permitted')
}

describe('a name', () => {
  test('gives all its public addresses, with their families, for one question', async () => {
    const { asked, lookup } = lookupOf(['1.1.1.1', '2606:4700::1111'], ['127.0.0.1'])
    expect(await resolve('https://social.example/', lookup)).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(asked).toEqual(['social.example'])
  })

  test.each([
    [['127.0.0.1'], '127.0.0.1, which is a loopback address'],
    [['1.1.1.1', '10.0.0.1'], '10.0.0.1, which is a private address'],
    [['10.0.0.1', '1.1.1.1'], '10.0.0.1, which is a private address'],
    [['1.1.1.1', '::ffff:1.1.1.1'], 'which is an IPv4 address in disguise'],
    [['64:ff9b::a00:1'], 'which is a NAT64 address'],
    [['fe80::1%eth0'], 'leads to something, which is an address with a zone'],
    [['canary'], 'leads to something, which is not an address'],
  ])('that leads to %j is refused', async (addresses, problem) => {
    const { lookup } = lookupOf(addresses)
    const error = await errorOf(resolve('https://social.example/a?canary', lookup))
    expect(error.message).toContain(problem)
    expect(error.message).toContain('add social.example to allowHosts if it is yours')
    expect(error.message).not.toContain('canary')
    expect([error.kind, error.sent]).toEqual(['refused_address', false])
  })

  test('without an address, or that is not known, is an error of the name service', async () => {
    const empty = await errorOf(resolve('https://social.example/', lookupOf([]).lookup))
    expect([empty.kind, empty.sent, empty.code]).toEqual(['dns', false, null])
    const failing: Lookup = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND canary'), { code: 'ENOTFOUND' })
    }
    const unknown = await errorOf(resolve('https://social.example/', failing))
    expect([unknown.kind, unknown.sent, unknown.code]).toEqual(['dns', false, 'ENOTFOUND'])
    expect(unknown.message).not.toContain('canary')
  })

  test('that the owner allowed may be private, but must still be an address', async () => {
    const { lookup } = lookupOf(['10.0.0.1'], ['10.0.0.1%eth0'])
    const allowed = ['pds.example']
    expect(await resolve('http://pds.example/', lookup, allowed)).toEqual([
      { address: '10.0.0.1', family: 4 },
    ])
    const error = await errorOf(resolve('http://pds.example/', lookup, allowed))
    expect(error.kind).toBe('refused_address')
  })
})

describe('an address in the URL', () => {
  test('is not asked about', async () => {
    const { asked, lookup } = lookupOf(['127.0.0.1'])
    expect(await resolve('https://1.1.1.1/', lookup)).toEqual([{ address: '1.1.1.1', family: 4 }])
    expect(asked).toEqual([])
  })

  test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/', 'https://2852039166/'])(
    '%s is refused',
    async (url) => {
      const error = await errorOf(resolve(url, lookupOf().lookup))
      expect(error.kind).toBe('refused_address')
    },
  )
})

test('a name service that does not answer is given up with the signal', async () => {
  const stop = new AbortController()
  const target = parseTarget('https://social.example/', new AllowList([]))
  const hanging = resolveTarget(target, () => new Promise(() => {}), stop.signal)
  stop.abort()
  const error = await errorOf(hanging)
  expect([error.kind, error.sent]).toEqual(['aborted', false])
})
