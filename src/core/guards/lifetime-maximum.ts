/** A post that needed this much help will not be saved by more. */

import { z } from 'zod'
import { mayHaveLanded } from '../states.ts'
import { never } from '../until.ts'
import { formatCount, plural } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'

export const lifetimeMaximum = defineGuard({
  settings: z.strictObject({
    guard: z.literal('lifetime_maximum'),
    maximum: z.int().nonnegative(),
  }),
  check({ input }, { guard, maximum }) {
    let count = 0
    for (const past of input.history) if (mayHaveLanded(past.state)) count += 1
    const facts = { count, maximum }
    return count < maximum ? pass(guard, facts) : hold(guard, facts, never)
  },
  describe: (facts: { count: number; maximum: number }) =>
    `${plural(facts.count, 'action')} in its life, the maximum is ${formatCount(facts.maximum)}`,
})
