/** The policy of the original executor, its defects included: values, and not a line of code. */

import { hourMs, minuteMs } from '../duration.ts'
import type { Policy } from '../policy.ts'

const windowMs = 90 * minuteMs

export const classicPolicy: Policy = {
  name: 'classic',
  version: 1,
  evidence: {
    windowMs,
    windowEnds: 'now',
    minimumSamples: 3,
    futureSamples: 'keep',
    repeatedSamples: 'keep',
    reset: null,
    minimumSpacingMs: 0,
    minimumSpanMs: 0,
    maximumStalenessMs: null,
  },
  detector: {
    detector: 'rate',
    multiplier: 20,
    minimumImpressions: 0,
    withoutImpressions: 'stalled',
  },
  checks: [{ untilAgeMs: 72 * hourMs, everyMs: 15 * minuteMs }],
  looks: { required: 1, minimumSpacingMs: 0, maximumGapMs: 0 },
  tiers: {
    rate: { tier_1: 0, tier_2: 0.55, tier_3: 0.8 },
    'age-rank': { tier_1: 0, tier_2: 0.55, tier_3: 0.8 },
  },
  ladder: { tier_1: ['comment'], tier_2: ['edit'], tier_3: ['thread'] },
  guards: [
    { guard: 'duplicate' },
    { guard: 'window_frequency', windowMs, maximum: 2, counts: 'every' },
    {
      guard: 'action_cooldown',
      cooldownMs: { comment: 30 * minuteMs, edit: 2 * hourMs, thread: 3 * hourMs },
      counts: 'every',
      last: 'as_written',
    },
  ],
  generations: false,
  retry: {
    maximumAttempts: null,
    firstDelayMs: 0,
    maximumDelayMs: 0,
    budgetMs: null,
    transientCodes: ['timeout', 'rate_limit', 'service_unavailable', 'network_error'],
    whenUnknown: 'resend',
  },
}
