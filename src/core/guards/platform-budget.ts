/** All accounts of this installation share what a platform will take from it. */

import { z } from 'zod'
import { positiveDurationMs } from '../duration-field.ts'
import { formatCount, formatDuration, plural } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'
import { countInWindow } from './sliding-window.ts'

export const platformBudget = defineGuard({
  settings: z.strictObject({
    guard: z.literal('platform_budget'),
    windowMs: positiveDurationMs,
    maximum: z.int().nonnegative(),
  }),
  check({ input }, { guard, windowMs, maximum }) {
    const { count, until } = countInWindow(input.tallies.platform, input.now, windowMs, maximum)
    const facts = { count, maximum, windowMs }
    return until === null ? pass(guard, facts) : hold(guard, facts, until)
  },
  describe: (facts: { count: number; maximum: number; windowMs: number }) =>
    `${plural(facts.count, 'attempt')} on the platform in the last ` +
    `${formatDuration(facts.windowMs)}, the maximum is ${formatCount(facts.maximum)}`,
})
