/** Tests where a redirect may lead, and what is taken along. */

import { describe, expect, test } from 'vitest'
import { FetchError } from './fetch-error.ts'
import { followRedirect } from './redirect.ts'
import { parseRequest } from './request.ts'
import type { FetchOptions } from './request.ts'
import { AllowList, parseTarget } from './target.ts'

const allowList = new AllowList(['home.example', '127.0.0.1:3000'])

function follow(
  options: FetchOptions,
  location: string | null,
  { status = 307, from = 'https://social.example/a/b?token=canary' } = {},
) {
  const hop = { target: parseTarget(from, allowList), request: parseRequest(options, 'agent') }
  return followRedirect(hop, { status, location }, allowList)
}

function errorOf(work: () => unknown): FetchError {
  try {
    work()
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  throw new Error('it was followed')
}

const secrets = {
  Authorization: 'Bearer canary',
  Cookie: 'canary',
  DPoP: 'canary',
  'X-Api-Key': 'canary',
  Accept: 'application/json',
}

describe('headers', () => {
  test.each([
    ['../c', 'https://social.example/c'],
    ['https://social.example/c', 'https://social.example/c'],
    ['//social.example:443/c', 'https://social.example/c'],
  ])('stay on the same origin: %s', (location, url) => {
    const next = follow({ headers: secrets }, location)
    expect(next.target.url.href).toBe(url)
    expect(next.request.headers.get('authorization')).toBe('Bearer canary')
    expect(next.request.headers.get('x-api-key')).toBe('canary')
  })

  test.each([
    'https://other.example/',
    'https://sub.social.example/',
    'https://social.example:8443/',
    '//other.example/',
    '\\\\other.example/',
  ])('of which any could be a credential are dropped on another origin: %s', (location) => {
    const next = follow({ headers: secrets }, location)
    expect([...next.request.headers.keys()]).toEqual(['user-agent', 'accept'])
  })

  test('that were dropped do not come back with the first origin', () => {
    const there = follow({ headers: secrets }, 'https://other.example/')
    const back = followRedirect(
      there,
      { status: 302, location: 'https://social.example/' },
      allowList,
    )
    expect([...back.request.headers.keys()]).toEqual(['user-agent', 'accept'])
  })

  test('from http to https of the same host are dropped, because the origin is another', () => {
    const next = follow({ headers: secrets }, 'https://home.example/', {
      from: 'http://home.example/',
    })
    expect(next.request.headers.has('authorization')).toBe(false)
  })
})

describe('methods', () => {
  test.each([
    ['GET', 301, 'GET'],
    ['GET', 307, 'GET'],
    ['HEAD', 302, 'HEAD'],
    ['HEAD', 303, 'HEAD'],
    ['POST', 301, 'GET'],
    ['POST', 302, 'GET'],
    ['POST', 303, 'GET'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
    ['PUT', 302, 'PUT'],
    ['PUT', 303, 'GET'],
    ['DELETE', 308, 'DELETE'],
  ] as const)('%s with %i goes on as %s', (method, status, next) => {
    expect(follow({ method }, '/c', { status }).request.method).toBe(next)
  })

  test('a body goes with its method, and so do the headers about it', () => {
    const options = {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    } as const
    const kept = follow(options, '/c', { status: 308 }).request
    expect([kept.body, kept.headers.get('content-type')]).toEqual(['{}', 'text/plain'])
    const dropped = follow(options, '/c', { status: 303 }).request
    expect([dropped.body, dropped.headers.has('content-type')]).toEqual([null, false])
  })
})

describe('a redirect is refused', () => {
  test.each([
    [null, 'does not say where to'],
    ['https://', 'leads to something that is not a URL'],
    ['http://social.example/', 'is not https'],
    ['http://other.example/', 'is not https'],
    ['http://127.0.0.1:3001/', 'is not https'],
    ['ftp://social.example/', 'only https is supported'],
    ['file:///etc/passwd', 'only https is supported'],
    ['data:text/html,canary', 'only https is supported'],
    ['https://name:canary@other.example/', 'has a login in it'],
  ])('to %s', (location, problem) => {
    const error = errorOf(() => follow({}, location))
    expect(error.message).toContain(problem)
    expect(error.message).toContain('https://social.example/a/b: the redirect')
    expect(error.message).not.toContain('canary')
    expect([error.kind, error.sent]).toEqual(['bad_redirect', true])
  })

  test('from https to http, even on a host that may speak plain HTTP', () => {
    const error = errorOf(() => follow({}, 'http://127.0.0.1:3000/'))
    expect(error.message).toContain('leads from https to http')
    const plain = follow({}, 'http://127.0.0.1:3000/', { from: 'http://home.example/' })
    expect(plain.target.url.port).toBe('3000')
  })

  test('that would carry a body to another origin', () => {
    const options = { method: 'POST', body: 'canary' } as const
    const error = errorOf(() => follow(options, 'https://other.example/', { status: 308 }))
    expect(error.message).toContain('would send the body to another host, other.example')
  })
})
