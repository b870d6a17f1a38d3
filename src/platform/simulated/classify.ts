/**
 * Owns what each error of the simulated network means. A write is `no` only where it provably did
 * not land; a timeout, a broken connection, a 5xx or an answer without sense is always `unknown`.
 */

import type { Fault, FaultCode, FaultScope } from '../../core/fault.ts'
import { InputError } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { RefusalCode } from './protocol.ts'
import { ChangedMeanwhile, NotSent, RefusedCall, WireFailure } from './wire-error.ts'
import type { WireProblem } from './wire-error.ts'

interface Meaning {
  readonly landed: Fault['landed']
  readonly code: FaultCode
  readonly scope: FaultScope
  readonly detail: string
}

const meaning = (
  landed: Fault['landed'],
  code: FaultCode,
  scope: FaultScope,
  detail: string,
): Meaning => ({ landed, code, scope, detail })

const byRefusal: Readonly<Record<RefusalCode, Meaning>> = {
  credentials: meaning('no', 'credentials', 'account', 'The credentials are not accepted.'),
  forbidden: meaning('no', 'forbidden', 'post', 'The network does not allow it.'),
  not_found: meaning('no', 'not_found', 'post', 'The post is not there any more.'),
  too_long: meaning('no', 'invalid', 'request', 'The text is longer than the network takes.'),
  invalid: meaning('no', 'invalid', 'request', 'The network does not take it as it is.'),
  conflict: meaning('no', 'conflict', 'post', 'Something else stands there already.'),
  rate_limit: meaning('no', 'rate_limit', 'account', 'Too many calls in a short time.'),
  spam: meaning('no', 'spam', 'account', 'The network took it for spam.'),
  server_error: meaning('unknown', 'service_unavailable', 'platform', 'The network failed.'),
}

const byProblem: Readonly<Record<WireProblem, Meaning>> = {
  unreachable: meaning('no', 'network_error', 'platform', 'The network cannot be reached.'),
  broken: meaning('unknown', 'network_error', 'request', 'The connection broke.'),
  malformed: meaning('unknown', 'bad_answer', 'request', 'The answer cannot be understood.'),
  given_up: meaning('unknown', 'timeout', 'request', 'No answer came in time.'),
}

const changed = meaning('no', 'conflict', 'post', 'The owner changed the post meanwhile.')
const badInput = meaning('no', 'invalid', 'request', 'It cannot be sent as it is.')
const unexpected = meaning('unknown', 'other', 'request', 'Something unexpected went wrong.')

export function classifyError(error: unknown, call: 'read' | 'write', now: Instant): Fault {
  const isSent = !(error instanceof NotSent)
  const root = isSent ? error : error.cause
  const { landed, code, scope, detail } = meaningOf(root)
  const retryAfterMs = root instanceof RefusedCall ? root.retryAfterMs : null
  return {
    // Nothing lands by reading, nor by what was never sent.
    landed: call === 'read' || !isSent ? 'no' : landed,
    code,
    scope,
    retryAt: retryAfterMs === null ? null : now + retryAfterMs,
    detail,
  }
}

function meaningOf(error: unknown): Meaning {
  if (error instanceof RefusedCall) return meaningOfRefusal(error)
  if (error instanceof WireFailure) return byProblem[error.problem]
  if (error instanceof ChangedMeanwhile) return changed
  if (error instanceof InputError) return badInput
  if (isAbort(error)) return byProblem.given_up
  return unexpected
}

/** A server that failed, or that gave up waiting, may have done it all the same. */
function meaningOfRefusal({ status, code }: RefusedCall): Meaning {
  if (status === 408) return byProblem.given_up
  return byRefusal[status >= 500 ? 'server_error' : code]
}

/** Whoever gives up a signal without saying why gives one of these two reasons. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
