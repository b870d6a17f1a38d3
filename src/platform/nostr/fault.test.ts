/** The table of what each answer, and each mixture of answers, means for a write and for a read. */

import { describe, expect, test } from 'vitest'
import type { Fault } from '../../core/fault.ts'
import { InputError } from '../../core/input-error.ts'
import { FetchError } from '../fetch/fetch-error.ts'
import type { FetchErrorKind } from '../fetch/fetch-error.ts'
import { AnswerError, GuardedResponse } from '../fetch/guarded-response.ts'
import { CredentialsError } from './credentials.ts'
import { classifyError } from './fault.ts'
import {
  GroundLost,
  NotSent,
  RelayNonsense,
  RelayRefusal,
  RelaysFailed,
  StillThere,
} from './relay-errors.ts'

const now = Date.UTC(2026, 6, 15)
const where = 'wss://one.example/'
const refusal = (reason: string) => new RelayRefusal('wss://one.example', reason)
const broken = (kind: FetchErrorKind, sent: boolean) => {
  return new FetchError({ kind, sent, where, problem: 'it broke' })
}
const handshake = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string = '',
) => {
  const parts = { status, where, headers: new Map(Object.entries(headers)) }
  return new AnswerError(new GuardedResponse({ ...parts, bytes: Buffer.from(body) }))
}
const page = '<!doctype html><title>Sign in to the hotel</title>'

type Row = readonly [
  what: string,
  error: unknown,
  landed: Fault['landed'],
  code: Fault['code'],
  scope: Fault['scope'],
]

const table: readonly Row[] = [
  ['pow', refusal('pow: 26 bits needed'), 'no', 'unsupported', 'account'],
  ['blocked', refusal('blocked: you are banned'), 'no', 'forbidden', 'account'],
  ['blocked as spam', refusal('blocked: spam not permitted'), 'no', 'spam', 'account'],
  ['rate-limited', refusal('rate-limited: slow down'), 'no', 'rate_limit', 'account'],
  ['invalid', refusal('invalid: created too long ago'), 'no', 'invalid', 'request'],
  ['restricted', refusal('restricted: members only'), 'no', 'forbidden', 'account'],
  ['auth-required', refusal('auth-required: log in'), 'no', 'forbidden', 'account'],
  ['unsupported', refusal('unsupported: filter'), 'no', 'unsupported', 'request'],
  ['error', refusal('error: no database'), 'unknown', 'service_unavailable', 'platform'],
  ['another word', refusal('mute: no'), 'unknown', 'other', 'request'],
  ['no word', refusal('go away'), 'unknown', 'other', 'request'],
  ['no reason', refusal(''), 'unknown', 'other', 'request'],
  ['nonsense', new RelayNonsense('wss://one.example'), 'unknown', 'bad_answer', 'request'],
  ['not reached', broken('connect', false), 'no', 'network_error', 'platform'],
  ['no such name', broken('dns', false), 'no', 'network_error', 'platform'],
  ['no certificate', broken('tls', false), 'no', 'network_error', 'platform'],
  ['a private address', broken('refused_address', false), 'no', 'invalid', 'account'],
  ['closed at once', broken('reset', false), 'no', 'network_error', 'request'],
  ['closed after sending', broken('reset', true), 'unknown', 'network_error', 'request'],
  ['too slow to connect', broken('timeout', false), 'no', 'timeout', 'request'],
  ['too slow to answer', broken('timeout', true), 'unknown', 'timeout', 'request'],
  ['given up', broken('aborted', true), 'unknown', 'timeout', 'request'],
  ['too large', broken('too_large', true), 'unknown', 'bad_answer', 'request'],
  ['not text', broken('malformed', true), 'unknown', 'bad_answer', 'request'],
  ['handshake 401', handshake(401), 'no', 'forbidden', 'account'],
  ['handshake 403', handshake(403), 'no', 'forbidden', 'request'],
  ['handshake 401 page', handshake(401, {}, page), 'no', 'network_error', 'platform'],
  ['handshake 403 page', handshake(403, {}, page), 'no', 'network_error', 'platform'],
  ['handshake 301', handshake(301), 'no', 'bad_answer', 'request'],
  ['handshake 200', handshake(200), 'no', 'bad_answer', 'request'],
  ['handshake 429', handshake(429), 'no', 'rate_limit', 'account'],
  ['handshake 502', handshake(502), 'no', 'service_unavailable', 'platform'],
  ['an abort', new DOMException('', 'AbortError'), 'unknown', 'timeout', 'request'],
  ['a time limit', new DOMException('', 'TimeoutError'), 'unknown', 'timeout', 'request'],
  ['the post is gone', new GroundLost('gone'), 'no', 'changed', 'post'],
  ['kept after a deletion', new StillThere('kept'), 'unknown', 'other', 'post'],
  ['no key', new CredentialsError('none'), 'no', 'credentials', 'account'],
  ['a bad token', new InputError('token', 'bad'), 'no', 'invalid', 'request'],
  ['a mistake of ours', new TypeError('x'), 'unknown', 'other', 'request'],
]

describe('one relay', () => {
  test.each(table)('%s', (_, error, landed, code, scope) => {
    expect(classifyError(error, 'write', now)).toMatchObject({ landed, code, scope })
    // Nothing lands by reading, nor by what was not sent.
    expect(classifyError(error, 'read', now)).toMatchObject({ landed: 'no', code, scope })
    expect(classifyError(new NotSent(error), 'write', now)).toMatchObject({ landed: 'no', code })
    const alone = classifyError(new RelaysFailed([error]), 'write', now)
    expect(alone).toEqual(classifyError(error, 'write', now))
  })

  test('that names a time is asked again then', () => {
    const { retryAt } = classifyError(handshake(429, { 'retry-after': '90' }), 'write', now)
    expect(retryAt).toBe(now + 90_000)
  })
})

describe('several relays, none of which took it', () => {
  test('may have it where one of them may', () => {
    for (const [, error, landed] of table) {
      const mixed = new RelaysFailed([refusal('invalid: x'), error, broken('connect', false)])
      expect(classifyError(mixed, 'write', now).landed).toBe(landed)
    }
  })

  test('are asked again where one of them may change its mind', () => {
    const mixed = new RelaysFailed([refusal('blocked: x'), refusal('rate-limited: x')])
    expect(classifyError(mixed, 'write', now)).toMatchObject({ landed: 'no', code: 'rate_limit' })
  })

  test('all say why', () => {
    const mixed = new RelaysFailed([refusal('blocked: x'), refusal('pow: x')])
    const { code, detail } = classifyError(mixed, 'write', now)
    expect(code).toBe('forbidden')
    expect(detail).toContain('does not let this account write; ')
    expect(detail).toContain('proof of work')
  })
})
