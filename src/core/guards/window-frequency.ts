/** Never more than the maximum of actions on one post in a window, whoever did them (I2). */

import { z } from 'zod'
import type { TallyEntry } from '../history.ts'
import { formatCount, formatDuration, plural } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'
import type { GuardContext } from './guard.ts'
import { countInWindow } from './sliding-window.ts'
import { countingRules, isCounted } from './counting.ts'
import type { CountingRule } from './counting.ts'

export const windowFrequency = defineGuard({
  settings: z.strictObject({
    guard: z.literal('window_frequency'),
    windowMs: z.number().nonnegative(),
    maximum: z.int().nonnegative(),
    counts: z.enum(countingRules),
  }),
  check({ input }, { windowMs, maximum, counts }) {
    const { count, until } = countInWindow(entries(input, counts), input.now, windowMs, maximum)
    const facts = { count, maximum, windowMs }
    return until === null ? pass(facts) : hold(facts, until)
  },
  describe: (facts: { count: number; maximum: number; windowMs: number }) =>
    `${plural(facts.count, 'action')} on it in the last ${formatDuration(facts.windowMs)}, ` +
    `the maximum is ${formatCount(facts.maximum)}`,
})

function entries(input: GuardContext['input'], counts: CountingRule): readonly TallyEntry[] {
  const list: TallyEntry[] = []
  for (const at of input.ownReplies) list.push({ at, count: 1 })
  for (const past of input.history) {
    if (isCounted(past.state, counts)) list.push({ at: past.at, count: 1 })
  }
  return list
}
