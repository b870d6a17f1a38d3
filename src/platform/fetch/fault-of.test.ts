/** Tests the base table of faults: every status, every error, for reads and for writes. */

import { describe, expect, test } from 'vitest'
import type { Fault, FaultCode, FaultScope } from '../../core/fault.ts'
import { parseInstant } from '../../core/instant.ts'
import { faultOf } from './fault-of.ts'
import { FetchError } from './fetch-error.ts'
import type { FetchErrorKind } from './fetch-error.ts'
import { AnswerError, GuardedResponse } from './guarded-response.ts'

const now = parseInstant('2026-07-15T09:00:00Z', 'now')

interface Answer {
  readonly headers?: Record<string, string>
  readonly body?: string
}

function respond(status: number, { headers = {}, body = '{"error":"canary"}' }: Answer = {}) {
  return new GuardedResponse({
    status,
    where: 'https://social.example/api',
    headers: new Map(Object.entries(headers)),
    bytes: Buffer.from(body),
  })
}

/** The last column is what became of a write. */
const statuses: readonly (readonly [number, FaultCode, FaultScope, Fault['landed']])[] = [
  [0, 'bad_answer', 'request', 'unknown'],
  [101, 'bad_answer', 'request', 'unknown'],
  [200, 'bad_answer', 'request', 'unknown'],
  [201, 'bad_answer', 'request', 'unknown'],
  [202, 'bad_answer', 'request', 'unknown'],
  [204, 'bad_answer', 'request', 'unknown'],
  [300, 'bad_answer', 'request', 'unknown'],
  [301, 'bad_answer', 'request', 'unknown'],
  [302, 'bad_answer', 'request', 'unknown'],
  [303, 'bad_answer', 'request', 'unknown'],
  [304, 'bad_answer', 'request', 'unknown'],
  [307, 'bad_answer', 'request', 'no'],
  [308, 'bad_answer', 'request', 'no'],
  [400, 'invalid', 'request', 'no'],
  [401, 'credentials', 'account', 'no'],
  [402, 'forbidden', 'account', 'no'],
  [403, 'forbidden', 'request', 'no'],
  [404, 'not_found', 'post', 'no'],
  [405, 'unsupported', 'request', 'no'],
  [406, 'unsupported', 'request', 'no'],
  [407, 'network_error', 'platform', 'no'],
  [408, 'timeout', 'request', 'unknown'],
  [409, 'conflict', 'request', 'unknown'],
  [410, 'not_found', 'post', 'no'],
  [411, 'invalid', 'request', 'no'],
  [412, 'conflict', 'request', 'no'],
  [413, 'invalid', 'request', 'no'],
  [414, 'invalid', 'request', 'no'],
  [415, 'invalid', 'request', 'no'],
  [418, 'other', 'request', 'unknown'],
  [420, 'rate_limit', 'account', 'no'],
  [421, 'service_unavailable', 'platform', 'no'],
  [422, 'invalid', 'request', 'no'],
  [423, 'conflict', 'post', 'no'],
  [425, 'service_unavailable', 'request', 'no'],
  [426, 'unsupported', 'platform', 'no'],
  [428, 'invalid', 'request', 'no'],
  [429, 'rate_limit', 'account', 'no'],
  [431, 'invalid', 'request', 'no'],
  [451, 'forbidden', 'post', 'no'],
  [499, 'other', 'request', 'unknown'],
  [500, 'service_unavailable', 'platform', 'unknown'],
  [501, 'unsupported', 'request', 'unknown'],
  [502, 'service_unavailable', 'platform', 'unknown'],
  [503, 'service_unavailable', 'platform', 'unknown'],
  [504, 'timeout', 'platform', 'unknown'],
  [507, 'service_unavailable', 'platform', 'unknown'],
  [511, 'service_unavailable', 'platform', 'unknown'],
  [520, 'service_unavailable', 'platform', 'unknown'],
  [524, 'timeout', 'platform', 'unknown'],
  [529, 'service_unavailable', 'platform', 'unknown'],
  [599, 'service_unavailable', 'platform', 'unknown'],
  [600, 'bad_answer', 'request', 'unknown'],
  [999, 'bad_answer', 'request', 'unknown'],
]

describe('a status', () => {
  test.each(statuses)('%i is %s, reaches the %s, a write landed: %s', (status, ...row) => {
    const [code, scope, landed] = row
    const response = respond(status)
    expect(faultOf(response, 'write', now)).toMatchObject({ code, scope, landed, retryAt: null })
    expect(faultOf(response, 'read', now)).toMatchObject({ code, scope, landed: 'no' })
    expect(faultOf(new AnswerError(response), 'write', now)).toEqual(
      faultOf(response, 'write', now),
    )
  })

  test('of 500 or above never says that a write did not land', () => {
    for (let status = 500; status < 600; status += 1) {
      expect(faultOf(respond(status), 'write', now).landed).toBe('unknown')
    }
  })

  test('of success never does either: the answer was of no use, the write may be there', () => {
    for (let status = 200; status < 300; status += 1) {
      const fault = faultOf(respond(status), 'write', now)
      expect([fault.code, fault.landed]).toEqual(['bad_answer', 'unknown'])
    }
  })
})

describe('a refusal on a page is not the network’s own', () => {
  const pages: readonly Answer[] = [
    { body: '<!doctype html><title>Sign in to the hotel</title>' },
    { body: ' <HTML>' },
    { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<h1>Blocked</h1>' },
  ]
  test.each([401, 403])('%i', (status) => {
    for (const page of pages) {
      const passing = { code: 'network_error', scope: 'platform', retryAt: null }
      const response = respond(status, page)
      expect(faultOf(response, 'write', now)).toMatchObject({ ...passing, landed: 'unknown' })
      expect(faultOf(response, 'read', now)).toMatchObject({ ...passing, landed: 'no' })
    }
  })

  test.each([
    ['nothing', { headers: { 'content-type': 'text/html' }, body: '' }],
    ['JSON that is called a page', { headers: { 'content-type': 'text/html' } }],
  ])('but %s is', (_, answer: Answer) => {
    expect(faultOf(respond(401, answer), 'read', now).code).toBe('credentials')
    expect(faultOf(respond(403, answer), 'read', now).code).toBe('forbidden')
  })
})

describe('the detail', () => {
  test.each([
    [200, { body: '' }, 'answered 200: it gave an answer that cannot be used (empty)'],
    [
      200,
      { body: '<!doctype html>' },
      'cannot be used (an HTML page, as proxies and firewalls give)',
    ],
    [200, { body: '{"half":' }, 'answered 200: it gave an answer that cannot be used'],
    [502, { body: '<html>' }, 'has a trouble of its own (an HTML page'],
    [403, { body: '<html>' }, 'is hidden behind something else (an HTML page'],
    [401, {}, 'https://social.example/api answered 401: it does not accept the credentials'],
  ])('of %i with %j', (status, answer: Answer, words) => {
    expect(faultOf(respond(status, answer), 'write', now).detail).toContain(words)
  })

  test('quotes nothing of the answer', () => {
    for (const [status] of statuses) {
      const headers = { location: 'https://canary/', 'www-authenticate': 'canary' }
      const fault = faultOf(respond(status, { headers }), 'write', now)
      expect(JSON.stringify(fault)).not.toContain('canary')
    }
  })
})

describe('when to try again', () => {
  const reset = { 'x-ratelimit-reset': '2026-07-15T09:05:00Z' }
  test.each([
    [429, { 'retry-after': '120' }, 120],
    [429, { 'retry-after': 'Wed, 15 Jul 2026 09:10:00 GMT' }, 600],
    [429, { 'retry-after': '120', ...reset }, 120],
    [429, { 'retry-after': 'nonsense', ...reset }, 300],
    [429, reset, 300],
    [429, { ...reset, 'x-ratelimit-remaining': '0' }, 300],
    [429, { 'ratelimit-reset': String(now / 1000 + 60) }, 60],
    [429, { 'x-rate-limit-reset': String(now / 1000 + 60) }, 60],
    [420, { 'retry-after': '5' }, 5],
    [503, { 'retry-after': '30' }, 30],
    [500, { 'retry-after': '30' }, 30],
  ])('%i with %j: after %i s', (status, headers, seconds) => {
    const response = respond(status, { headers })
    expect(faultOf(response, 'write', now).retryAt).toBe(now + seconds * 1000)
    expect(faultOf(response, 'read', now).retryAt).toBe(now + seconds * 1000)
  })

  test.each([
    ['a limit that is not used up is not the one', 429, { ...reset, 'x-ratelimit-remaining': '9' }],
    ['a server in trouble is not a limit', 503, reset],
    ['a refusal stays one', 401, { 'retry-after': '30', ...reset }],
    ['nothing was said', 429, {}],
  ])('%s', (_name, status, headers) => {
    const response = respond(status, { headers })
    expect(faultOf(response, 'write', now).retryAt).toBeNull()
  })
})

/** For each kind, how far it reaches, and whether it can happen before and after sending. */
const errors: readonly (readonly [FetchErrorKind, FaultCode, FaultScope])[] = [
  ['refused_address', 'invalid', 'account'],
  ['bad_url', 'invalid', 'account'],
  ['dns', 'network_error', 'platform'],
  ['connect', 'network_error', 'platform'],
  ['tls', 'network_error', 'platform'],
  ['timeout', 'timeout', 'request'],
  ['aborted', 'timeout', 'request'],
  ['reset', 'network_error', 'request'],
  ['too_large', 'bad_answer', 'request'],
  ['bad_redirect', 'bad_answer', 'request'],
  ['malformed', 'bad_answer', 'request'],
]

describe('an error of the fetch', () => {
  test.each(errors)('%s is %s and reaches the %s; landed follows from sent', (...row) => {
    const [kind, code, scope] = row
    for (const sent of [true, false]) {
      const error = new FetchError({ kind, sent, where: 'https://social.example/', problem: 'x' })
      const detail = 'https://social.example/: x'
      const retryAt = null
      const landed = sent ? 'unknown' : 'no'
      expect(faultOf(error, 'write', now)).toEqual({ landed, code, scope, retryAt, detail })
      expect(faultOf(error, 'read', now)).toEqual({ landed: 'no', code, scope, retryAt, detail })
    }
  })
})

test.each(['AbortError', 'TimeoutError', 'DeadlineError'])('%s is a timeout', (name) => {
  const error = Object.assign(new Error('canary'), { name })
  const given = name === 'DeadlineError' ? error : new DOMException('canary', name)
  const fault = faultOf(given, 'write', now)
  expect(fault).toMatchObject({ code: 'timeout', scope: 'request', landed: 'unknown' })
  expect(faultOf(given, 'read', now)).toMatchObject({ code: 'timeout', landed: 'no' })
  expect(fault.detail).not.toContain('canary')
})

test.each([new TypeError('canary'), 'canary', null, undefined, { message: 'canary' }])(
  'anything else is a mistake of ours: a write may have landed, and nothing is quoted',
  (thrown) => {
    const fault = faultOf(thrown, 'write', now)
    expect(fault).toMatchObject({ code: 'other', scope: 'request', landed: 'unknown' })
    expect(faultOf(thrown, 'read', now).landed).toBe('no')
    expect(fault.detail).not.toContain('canary')
  },
)
