/** Owns what can go wrong when an action is sent, as data: did it land, why, and for how long. */

import type { Instant } from './instant.ts'

/** What failed. The first four are the codes of the classic executor. */
export const faultCodes = [
  'timeout',
  'rate_limit',
  'service_unavailable',
  'network_error',
  'bad_answer',
  'conflict',
  'credentials',
  'forbidden',
  'not_found',
  'invalid',
  'spam',
  'changed',
  'unsupported',
  'other',
] as const
export type FaultCode = (typeof faultCodes)[number]

/** How far a fault reaches: only this request, the post, the whole account or the platform. */
export type FaultScope = 'request' | 'post' | 'account' | 'platform'

/** A classified failure. */
export interface Fault {
  /** Whether the write took effect. A timeout or a 5xx on a write is always `unknown`. */
  readonly landed: 'no' | 'unknown'
  readonly code: FaultCode
  readonly scope: FaultScope
  /** When the platform said to try again, if it did. */
  readonly retryAt: Instant | null
  /** For people; holds no secret. */
  readonly detail: string
}

export function isFaultCode(value: unknown): value is FaultCode {
  return (faultCodes as readonly unknown[]).includes(value)
}
