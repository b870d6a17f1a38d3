/** Owns how far back a policy looks, so that a decision reads a bounded number of rows. */

import { dayMs, hourMs } from '../core/duration.ts'
import type { Policy } from '../core/policy.ts'
import type { Reach } from './store.ts'

/** Longer than any post is watched. */
const wholeLifeMs = 8 * dayMs

/** For steps that look at the post's own row and no further. */
export const noReach: Reach = {
  samplesMs: 0,
  looksMs: 0,
  accountMs: 0,
  accountLimit: 0,
  platformMs: 0,
}

export function reachOf(policy: Policy): Reach {
  const { looks, evidence } = policy
  const windowReachMs = evidence.windowMs + (evidence.maximumStalenessMs ?? 0)
  const account = policy.guards.find(({ guard }) => guard === 'account_budget')
  const platform = policy.guards.find(({ guard }) => guard === 'platform_budget')
  return {
    // A detector that compares by age looks at the post's whole life.
    samplesMs: policy.detector.detector === 'rate' ? windowReachMs : wholeLifeMs,
    // One more than needed, as this look is not among them and a healthy one may lie between.
    looksMs: looks.required * Math.max(looks.maximumGapMs, hourMs),
    accountMs: dayMs,
    accountLimit:
      account?.guard === 'account_budget' ? Math.max(account.perHour, account.perDay) + 1 : 0,
    platformMs: platform?.guard === 'platform_budget' ? platform.windowMs : 0,
  }
}

/**
 * How many of an account's reservations a plan is shown. A budget never lets more than a day's fill
 * of them stand in a day, and plans wait for a few days at most. Beyond, the claim still counts.
 */
export function reservedLimit({ accountLimit }: Reach): number {
  return 4 * accountLimit
}
