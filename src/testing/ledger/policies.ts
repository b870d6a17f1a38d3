/**
 * Owns the policies that cases act under. They are written out here rather than taken from the
 * recommended one, whose values may change without a word about the ledger.
 */

import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import type { GuardSettings } from '../../core/guards/guards.ts'
import { standardPolicy } from '../../core/policies/standard.ts'
import type { Policy } from '../../core/policy.ts'

const windowMs = 90 * minuteMs
const cooldownMs = { comment: 30 * minuteMs, edit: 2 * hourMs, thread: 3 * hourMs }

const guards: readonly GuardSettings[] = [
  { guard: 'paused' },
  { guard: 'never_touch' },
  { guard: 'post_age', fromMs: 30 * minuteMs, toMs: 72 * hourMs },
  { guard: 'open_action' },
  { guard: 'duplicate' },
  { guard: 'window_frequency', windowMs, maximum: 2, counts: 'may_have_landed' },
  { guard: 'action_cooldown', cooldownMs, counts: 'may_have_landed', last: 'in_time' },
  { guard: 'lifetime_maximum', maximum: 3 },
  { guard: 'account_budget', perHour: 6, perDay: 25 },
  { guard: 'platform_budget', windowMs: 5 * minuteMs, maximum: 60 },
  { guard: 'quiet_hours', from: '23:00', to: '07:00' },
  { guard: 'rejected_before', holdMs: dayMs, maximum: 2 },
  { guard: 'expired_before', holdMs: cooldownMs },
  { guard: 'failed_before', firstHoldMs: hourMs, maximum: 2 },
  { guard: 'futility', maximum: 40 },
  { guard: 'backlash', minimumReplies: 20, repliesPerLike: 3 },
  { guard: 'holdout' },
]

const base: Policy = {
  ...standardPolicy,
  evidence: {
    windowMs,
    windowEnds: 'now',
    minimumSamples: 3,
    futureSamples: 'drop',
    repeatedSamples: 'drop',
    reset: { fallShare: 0.1, fallCount: 3 },
    minimumSpacingMs: minuteMs,
    minimumSpanMs: 20 * minuteMs,
    maximumStalenessMs: 45 * minuteMs,
  },
  detector: {
    detector: 'rate',
    multiplier: 20,
    minimumImpressions: 50,
    withoutImpressions: 'insufficient',
  },
  looks: { required: 3, minimumSpacingMs: 5 * minuteMs, maximumGapMs: 2 * hourMs },
  tiers: {
    rate: { tier_1: 0.3, tier_2: 0.55, tier_3: 0.8 },
    'age-rank': { tier_1: 0.3, tier_2: 0.55, tier_3: 0.8 },
  },
  generations: true,
}

/** With every guard, some of them replaced by name. */
export function policyWith(version: number, ...changed: readonly GuardSettings[]): Policy {
  const replaced = guards.map(
    (settings) => changed.find(({ guard }) => guard === settings.guard) ?? settings,
  )
  return { ...base, name: 'conformance', version, guards: replaced }
}

/** With no guards but those given. */
export function policyOf(version: number, ...given: readonly GuardSettings[]): Policy {
  return { ...base, name: 'conformance-bare', version, guards: given }
}
