/** Shows what each error of the simulated network is taken for. */

import { describe, expect, it } from 'vitest'
import { InputError } from '../../core/input-error.ts'
import { classifyError } from './classify.ts'
import { refusalCodes } from './protocol.ts'
import { ChangedMeanwhile, NotSent, RefusedCall, WireFailure } from './wire-error.ts'

const now = 1_000_000

describe('classifying an error of a write', () => {
  it.each([
    [new RefusedCall(401, 'credentials', null), 'no', 'credentials', 'account'],
    [new RefusedCall(403, 'forbidden', null), 'no', 'forbidden', 'post'],
    [new RefusedCall(404, 'not_found', null), 'no', 'not_found', 'post'],
    [new RefusedCall(422, 'too_long', null), 'no', 'invalid', 'request'],
    [new RefusedCall(400, 'invalid', null), 'no', 'invalid', 'request'],
    [new RefusedCall(409, 'conflict', null), 'no', 'conflict', 'post'],
    [new RefusedCall(429, 'rate_limit', null), 'no', 'rate_limit', 'account'],
    [new RefusedCall(403, 'spam', null), 'no', 'spam', 'account'],
    [new RefusedCall(500, 'server_error', null), 'unknown', 'service_unavailable', 'platform'],
    [new RefusedCall(408, 'invalid', null), 'unknown', 'timeout', 'request'],
    [new WireFailure('unreachable'), 'no', 'network_error', 'platform'],
    [new WireFailure('broken'), 'unknown', 'network_error', 'request'],
    [new WireFailure('malformed'), 'unknown', 'bad_answer', 'request'],
    [new WireFailure('given_up'), 'unknown', 'timeout', 'request'],
    [new DOMException('', 'AbortError'), 'unknown', 'timeout', 'request'],
    [new DOMException('', 'TimeoutError'), 'unknown', 'timeout', 'request'],
    [new ChangedMeanwhile('?'), 'no', 'conflict', 'post'],
    [new InputError('token', 'is wrong'), 'no', 'invalid', 'request'],
    [new Error('boom'), 'unknown', 'other', 'request'],
    ['boom', 'unknown', 'other', 'request'],
  ])('takes %s for landed %s, %s of the %s', (error, landed, code, scope) => {
    expect(classifyError(error, 'write', now)).toMatchObject({ landed, code, scope })
    expect(classifyError(error, 'read', now)).toMatchObject({ landed: 'no', code, scope })
    expect(classifyError(new NotSent(error), 'write', now)).toMatchObject({ landed: 'no', code })
  })

  it('takes every answer of 500 and above for unknown, whatever reason is given', () => {
    for (const status of [500, 502, 503, 504, 520]) {
      for (const code of refusalCodes) {
        const fault = classifyError(new RefusedCall(status, code, null), 'write', now)
        expect(fault.landed).toBe('unknown')
      }
    }
  })

  it('says when to come back, where the network did', () => {
    const error = new RefusedCall(429, 'rate_limit', 90_000)
    expect(classifyError(error, 'write', now).retryAt).toBe(now + 90_000)
    expect(classifyError(new NotSent(error), 'write', now).retryAt).toBe(now + 90_000)
    expect(classifyError(new RefusedCall(429, 'rate_limit', null), 'write', now).retryAt).toBeNull()
  })
})
