/**
 * Owns what each failure means. A write is `no` only where every relay plainly refused it or was
 * never sent it; as soon as one may have taken it, it is `unknown`. Sending again is harmless then,
 * because the same event is the same event.
 */

import type { Fault, FaultCode, FaultScope } from '../../core/fault.ts'
import { InputError } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import { faultOf } from '../fetch/fault-of.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import { CredentialsError } from './credentials.ts'
import {
  GroundLost,
  NotSent,
  RelayNonsense,
  RelayRefusal,
  RelaysFailed,
  StillThere,
} from './relay-errors.ts'
import type { RefusalWord } from './relay-errors.ts'

type Row = readonly [code: FaultCode, scope: FaultScope, landed: Fault['landed'], words: string]

/** By the word with which a relay refuses; `duplicate` never gets here, because it is a success. */
const refusalRows: Readonly<Record<RefusalWord, Row>> = {
  duplicate: ['conflict', 'request', 'unknown', 'has it already'],
  pow: ['unsupported', 'account', 'no', 'wants a proof of work, which is not offered here'],
  blocked: ['forbidden', 'account', 'no', 'does not let this account write'],
  'rate-limited': ['rate_limit', 'account', 'no', 'wants fewer requests'],
  invalid: ['invalid', 'request', 'no', 'did not accept the event'],
  restricted: ['forbidden', 'account', 'no', 'does not let this account write'],
  'auth-required': ['forbidden', 'account', 'no', 'wants a login that it then did not take'],
  unsupported: ['unsupported', 'request', 'no', 'does not offer this'],
  // A relay that fails at storing may have stored it.
  error: ['service_unavailable', 'platform', 'unknown', 'has a trouble of its own'],
  spam: ['spam', 'account', 'no', 'took it for spam'],
  other: ['other', 'request', 'unknown', 'refused in words that are not known'],
}

/** What passes by itself, so that the same may be tried again. */
const passing = new Set<FaultCode>([
  'rate_limit',
  'timeout',
  'network_error',
  'service_unavailable',
])

export function classifyError(error: unknown, call: 'read' | 'write', now: Instant): Fault {
  if (error instanceof NotSent) return classifyError(error.failure, 'read', now)
  if (error instanceof RelaysFailed) return combine(error.failures, call, now)
  const asWrite = faultOfOne(error, now)
  return call === 'read' ? { ...asWrite, landed: 'no' } : asWrite
}

/** As a write. */
function faultOfOne(error: unknown, now: Instant): Fault {
  if (error instanceof RelayRefusal) {
    const [code, scope, landed, words] = refusalRows[error.word]
    return { code, scope, landed, retryAt: null, detail: `${error.relay} ${words}` }
  }
  if (error instanceof AnswerError) {
    // The relay would not even be spoken to, so that nothing was sent; not even who is asking.
    const refused = faultOf(error, 'read', now)
    return refused.code === 'credentials' ? { ...refused, code: 'forbidden' } : refused
  }
  if (error instanceof RelayNonsense) return ourFault('unknown', 'bad_answer', 'request', error)
  if (error instanceof GroundLost) return ourFault('no', 'changed', 'post', error)
  if (error instanceof StillThere) return ourFault('unknown', 'other', 'post', error)
  if (error instanceof CredentialsError) return ourFault('no', 'credentials', 'account', error)
  if (error instanceof InputError) return ourFault('no', 'invalid', 'request', error)
  return faultOf(error, 'write', now)
}

function ourFault(
  landed: Fault['landed'],
  code: FaultCode,
  scope: FaultScope,
  { message }: Error,
): Fault {
  return { landed, code, scope, retryAt: null, detail: message }
}

/** One relay that may have it decides; then one that can be asked again later. */
function combine(failures: readonly unknown[], call: 'read' | 'write', now: Instant): Fault {
  const faults = failures.map((failure) => classifyError(failure, call, now))
  const first =
    faults.find(({ landed }) => landed === 'unknown') ??
    faults.find(({ code }) => passing.has(code)) ??
    faults[0]
  if (first === undefined) return faultOf(failures, call, now)
  const rest = faults.filter((each) => each !== first)
  return { ...first, detail: [first, ...rest].map(({ detail }) => detail).join('; ') }
}
