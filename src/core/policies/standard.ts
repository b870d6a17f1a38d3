/** The policy that Second Wind recommends: careful about evidence, sparing with actions. */

import { dayMs, hourMs, minuteMs, secondMs } from '../duration.ts'
import type { Policy } from '../policy.ts'

const windowMs = 90 * minuteMs
const cooldownMs = { comment: 30 * minuteMs, edit: 2 * hourMs, thread: 3 * hourMs }

export const standardPolicy: Policy = {
  name: 'standard',
  version: 1,
  evidence: {
    windowMs,
    windowEnds: 'newest_sample',
    minimumSamples: 3,
    futureSamples: 'drop',
    repeatedSamples: 'drop',
    reset: { fallShare: 0.1, fallCount: 3 },
    minimumSpacingMs: minuteMs,
    minimumSpanMs: 20 * minuteMs,
    maximumStalenessMs: 45 * minuteMs,
  },
  detector: {
    detector: 'auto',
    rate: { multiplier: 20, minimumImpressions: 50, withoutImpressions: 'insufficient' },
  },
  checks: [
    { untilAgeMs: 6 * hourMs, everyMs: 10 * minuteMs },
    { untilAgeMs: 24 * hourMs, everyMs: 20 * minuteMs },
    { untilAgeMs: 72 * hourMs, everyMs: 30 * minuteMs },
  ],
  looks: { required: 3, minimumSpacingMs: 15 * minuteMs, maximumGapMs: 2 * hourMs },
  tiers: {
    rate: { tier_1: 0.3, tier_2: 0.55, tier_3: 0.8 },
    // Measured on news posts: from .85 on, three looks in a row find two stagnant posts of three
    // and bother one healthy post of ten; from .55 on they would bother three of ten.
    'age-rank': { tier_1: 0.85, tier_2: 0.9, tier_3: 0.95 },
  },
  ladder: {
    tier_1: ['comment'],
    tier_2: ['edit', 'comment'],
    tier_3: ['thread', 'edit', 'comment'],
  },
  guards: [
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
  ],
  generations: true,
  retry: {
    maximumAttempts: 5,
    firstDelayMs: 30 * secondMs,
    maximumDelayMs: 30 * minuteMs,
    budgetMs: 6 * hourMs,
    transientCodes: ['timeout', 'rate_limit', 'service_unavailable', 'network_error', 'bad_answer'],
    whenUnknown: 'by_write_class',
  },
}
