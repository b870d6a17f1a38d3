/** Never more than the maximum of actions on one post in a window, whoever did them (I2). */

import { z } from 'zod'
import type { DecisionInput } from '../decision-input.ts'
import { durationMs } from '../duration-field.ts'
import type { TallyEntry } from '../history.ts'
import { formatCount, formatDuration, plural } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'
import { countInWindow } from './sliding-window.ts'
import { countingRules, isCounted } from './counting.ts'
import type { CountingRule } from './counting.ts'

export const windowFrequency = defineGuard({
  settings: z.strictObject({
    guard: z.literal('window_frequency'),
    windowMs: durationMs,
    maximum: z.int().nonnegative(),
    counts: z.enum(countingRules),
  }),
  check({ input }, { guard, windowMs, maximum, counts }) {
    const entries = entriesInWindow(input, windowMs, counts)
    const { count, until } = countInWindow(entries, input.now, windowMs, maximum)
    const facts = { count, maximum, windowMs }
    return until === null ? pass(guard, facts) : hold(guard, facts, until)
  },
  describe: (facts: { count: number; maximum: number; windowMs: number }) =>
    `${plural(facts.count, 'action')} on it in the last ${formatDuration(facts.windowMs)}, ` +
    `the maximum is ${formatCount(facts.maximum)}`,
})

function entriesInWindow(
  input: DecisionInput,
  windowMs: number,
  counts: CountingRule,
): readonly TallyEntry[] {
  const from = input.now - windowMs
  const entries: TallyEntry[] = []
  for (const at of input.ownReplies) if (at >= from) entries.push({ at, count: 1 })
  for (const past of input.history) {
    if (past.at >= from && isCounted(past.state, counts)) entries.push({ at: past.at, count: 1 })
  }
  return entries
}
