/** Owns the policy and the times by which tortured workers work. */

import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { GuardSettings } from '../../src/core/guards/guards.ts'
import type { Policy } from '../../src/core/policy.ts'
import { policyFor } from './ledger-rows.ts'

export const leaseMs = 30 * secondMs
export const deadlineMs = 10 * secondMs
export const settleDelayMs = 5 * secondMs

const counts = 'may_have_landed'
const cooldownMs = { comment: hourMs, edit: hourMs, thread: hourMs }

/** Budgets are counted as always, but wide enough that none keeps a worker from working. */
const guards: readonly GuardSettings[] = [
  { guard: 'paused' },
  { guard: 'never_touch' },
  { guard: 'open_action' },
  { guard: 'duplicate' },
  { guard: 'window_frequency', windowMs: hourMs, maximum: 2, counts },
  { guard: 'action_cooldown', cooldownMs, counts, last: 'in_time' },
  { guard: 'account_budget', perHour: 1000, perDay: 1000 },
  { guard: 'platform_budget', windowMs: minuteMs, maximum: 1000 },
]

export const torturePolicy: Policy = policyFor('torture', guards)
