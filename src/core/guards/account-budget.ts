/** An account that acts too often looks like a machine and is treated like one (I2). */

import { z } from 'zod'
import { dayMs, hourMs } from '../duration.ts'
import type { Until } from '../until.ts'
import { formatCount, plural } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'
import type { SlidingLimit } from './next-slot.ts'
import { countInWindow } from './sliding-window.ts'

export const accountBudget = defineGuard({
  settings: z.strictObject({
    guard: z.literal('account_budget'),
    perHour: z.int().nonnegative(),
    perDay: z.int().nonnegative(),
  }),
  check({ input }, { guard, perHour, perDay }) {
    const entries = input.tallies.account
    const hour = countInWindow(entries, input.now, hourMs, perHour)
    const day = countInWindow(entries, input.now, dayMs, perDay)
    const facts = { inHour: hour.count, perHour, inDay: day.count, perDay }
    const until = later(hour.until, day.until)
    return until === null ? pass(guard, facts) : hold(guard, facts, until)
  },
  describe: (facts: { inHour: number; perHour: number; inDay: number; perDay: number }) =>
    `the account made ${plural(facts.inHour, 'action')} in the last hour of ` +
    `${formatCount(facts.perHour)} and ${formatCount(facts.inDay)} in the last day of ` +
    formatCount(facts.perDay),
})

/** What the settings mean for any stretch of time. */
export function limitsOf(settings: {
  readonly perHour: number
  readonly perDay: number
}): readonly SlidingLimit[] {
  return [
    { windowMs: hourMs, maximum: settings.perHour },
    { windowMs: dayMs, maximum: settings.perDay },
  ]
}

function later(a: Until | null, b: Until | null): Until | null {
  if (a === null || b === null) return a ?? b
  if (a.kind !== 'time' || b.kind !== 'time') return a.kind === 'time' ? b : a
  return a.at >= b.at ? a : b
}
