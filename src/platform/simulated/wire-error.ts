/**
 * Owns the errors of a call that brought no usable answer. Their messages are our own words alone:
 * a server may quote credentials in what it says, and that must never reach a log.
 */

import type { RefusalCode } from './protocol.ts'

/** The network answered, and turned the call down. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  readonly status: number
  readonly code: RefusalCode
  readonly retryAfterMs: number | null

  constructor(status: number, code: RefusalCode, retryAfterMs: number | null) {
    super(`The network refused the call with status ${status} (${code}).`)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

export type WireProblem =
  /** There was no connection, so nothing was sent. */
  | 'unreachable'
  /** The connection broke; the call may have arrived. */
  | 'broken'
  /** An answer came that makes no sense. */
  | 'malformed'
  /** The caller stopped waiting; the call may have arrived. */
  | 'given_up'

const wording: Readonly<Record<WireProblem, string>> = {
  unreachable: 'The network cannot be reached; nothing was sent.',
  broken: 'The connection broke before an answer came.',
  malformed: 'The network answered something that cannot be understood.',
  given_up: 'No answer came before the caller gave up.',
}

export class WireFailure extends Error {
  override readonly name = 'WireFailure'
  readonly problem: WireProblem

  constructor(problem: WireProblem) {
    super(wording[problem])
    this.problem = problem
  }
}

/** Something failed before a write was sent, so that nothing can have landed. */
export class NotSent extends Error {
  override readonly name = 'NotSent'

  constructor(cause: unknown) {
    super('Nothing was sent.', { cause })
  }
}

/** The owner changed or removed what was to be changed; nothing was sent. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}
