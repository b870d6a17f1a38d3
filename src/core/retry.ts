/**
 * Owns what follows a failed attempt. It is derived from whether the attempt landed and from what
 * the platform does with a second one; the code alone never allows a resend (I6).
 */

import type { WriteClass } from './capabilities.ts'
import type { Fault } from './fault.ts'
import type { Instant } from './instant.ts'
import type { Policy } from './policy.ts'

export interface RetryInput {
  readonly fault: Fault
  /** Attempts made so far, the failed one included. */
  readonly attempts: number
  readonly firstAttemptAt: Instant
  readonly writeClass: WriteClass
  readonly policy: Policy
  readonly now: Instant
  /** From 0 to 1, drawn by the caller: spreads retries of many posts over time. */
  readonly jitter: number
}

export type RetryDecision =
  | { readonly kind: 'retry'; readonly at: Instant }
  /** It may have landed: read the platform before anything else. */
  | { readonly kind: 'reconcile' }
  /** Nothing landed and trying again is pointless. */
  | { readonly kind: 'stop'; readonly reason: 'final' | 'attempts_used_up' | 'budget_used_up' }

export function decideRetry(input: RetryInput): RetryDecision {
  const { fault, policy } = input
  const resend = retryByLimits(input)
  if (fault.landed === 'unknown' && policy.retry.whenUnknown === 'by_write_class') {
    // Where the network deduplicates, sending again is the surest way to find out.
    return input.writeClass === 'A' && resend.kind === 'retry' ? resend : { kind: 'reconcile' }
  }
  if (!policy.retry.transientCodes.includes(fault.code)) return { kind: 'stop', reason: 'final' }
  return resend
}

/** Enough to take a millisecond past any delay. */
const mostDoublings = 60

function retryByLimits(input: RetryInput): RetryDecision {
  const { fault, attempts, now } = input
  const { maximumAttempts, firstDelayMs, maximumDelayMs, budgetMs } = input.policy.retry
  if (maximumAttempts !== null && attempts >= maximumAttempts) {
    return { kind: 'stop', reason: 'attempts_used_up' }
  }
  // Full jitter: anywhere between now and a ceiling that doubles with each attempt. The doublings
  // are bounded, because classic never gives up and 0 times infinity is not a delay.
  const doublings = Math.min(attempts - 1, mostDoublings)
  const ceilingMs = Math.min(maximumDelayMs, firstDelayMs * 2 ** doublings)
  const at = Math.max(now + Math.round(ceilingMs * input.jitter), fault.retryAt ?? now)
  if (budgetMs !== null && at > input.firstAttemptAt + budgetMs) {
    return { kind: 'stop', reason: 'budget_used_up' }
  }
  return { kind: 'retry', at }
}
