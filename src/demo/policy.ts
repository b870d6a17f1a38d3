/** Owns the policy of the demo: the standard one, looking less often, so that weeks go by fast. */

import { hourMs, minuteMs } from '../core/duration.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import type { Policy } from '../core/policy.ts'

export const demoPolicy: Policy = {
  ...standardPolicy,
  name: 'demo',
  evidence: {
    ...standardPolicy.evidence,
    windowMs: 6 * hourMs,
    maximumStalenessMs: 150 * minuteMs,
  },
  checks: [
    { untilAgeMs: 5 * hourMs, everyMs: 30 * minuteMs },
    { untilAgeMs: 52 * hourMs, everyMs: 2 * hourMs },
  ],
  // Made-up posts differ less than real ones; with the standard values hardly any would stall.
  tiers: { ...standardPolicy.tiers, 'age-rank': { tier_1: 0.3, tier_2: 0.6, tier_3: 0.8 } },
  looks: { ...standardPolicy.looks, required: 2 },
  ladder: {
    tier_1: ['comment'],
    tier_2: ['comment'],
    tier_3: ['thread', 'edit', 'comment'],
  },
}
