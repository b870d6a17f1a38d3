/** A person who said no is not asked again soon, and not a third time. */

import { z } from 'zod'
import { formatInstant } from '../instant.ts'
import { never, untilTime } from '../until.ts'
import { formatCount, formatDuration } from '../wording.ts'
import { endedRows } from './ended-rows.ts'
import { defineGuard, hold, pass } from './guard.ts'

interface RejectedFacts extends Readonly<Record<string, number | null>> {
  readonly count: number
  readonly maximum: number
  readonly lastAt: number | null
  readonly holdMs: number
}

export const rejectedBefore = defineGuard({
  settings: z.strictObject({
    guard: z.literal('rejected_before'),
    holdMs: z.number().nonnegative(),
    maximum: z.int().positive(),
  }),
  check({ input, action }, { holdMs, maximum }) {
    const { count, lastAt } = endedRows(input.history, action, 'rejected')
    const facts: RejectedFacts = { count, maximum, lastAt, holdMs }
    if (lastAt === null) return pass(facts)
    if (count >= maximum) return hold(facts, never)
    return input.now - lastAt < holdMs ? hold(facts, untilTime(lastAt + holdMs)) : pass(facts)
  },
  describe: ({ count, maximum, lastAt, holdMs }: RejectedFacts) =>
    `rejected ${formatCount(count)} of ${formatCount(maximum)} times` +
    (lastAt === null ? '' : `, last at ${formatInstant(lastAt)}`) +
    `; a rejection rests ${formatDuration(holdMs)}`,
})
