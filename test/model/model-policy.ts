/** The limits under which the model acts: so tight that random commands keep running into them. */

import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import { standardPolicy } from '../../src/core/index.ts'
import type { Policy } from '../../src/core/index.ts'

export const limits = {
  windowMs: 20 * minuteMs,
  windowMaximum: 2,
  cooldownMs: { comment: 4 * minuteMs, edit: 6 * minuteMs, thread: 8 * minuteMs },
  perHour: 3,
  platformMs: 30 * secondMs,
  platformMaximum: 3,
  hourMs,
  leaseMs: minuteMs,
  deadlineMs: 20 * secondMs,
  expiresAfterMs: 15 * minuteMs,
} as const

const { windowMs, cooldownMs } = limits
const brief = { comment: minuteMs, edit: minuteMs, thread: minuteMs }

export const modelPolicy: Policy = {
  ...standardPolicy,
  name: 'model',
  evidence: { ...standardPolicy.evidence, windowEnds: 'now' },
  detector: {
    detector: 'rate',
    multiplier: 20,
    minimumImpressions: 50,
    withoutImpressions: 'insufficient',
  },
  guards: [
    { guard: 'paused' },
    { guard: 'open_action' },
    { guard: 'duplicate' },
    {
      guard: 'window_frequency',
      windowMs,
      maximum: limits.windowMaximum,
      counts: 'may_have_landed',
    },
    { guard: 'action_cooldown', cooldownMs, counts: 'may_have_landed', last: 'in_time' },
    { guard: 'account_budget', perHour: limits.perHour, perDay: 99 },
    { guard: 'platform_budget', windowMs: limits.platformMs, maximum: limits.platformMaximum },
    { guard: 'rejected_before', holdMs: minuteMs, maximum: 99 },
    { guard: 'expired_before', holdMs: brief },
    { guard: 'failed_before', firstHoldMs: secondMs, maximum: 20 },
  ],
}
