/** A person who said no is not asked again soon, and not a third time. */

import { z } from 'zod'
import { durationMs } from '../duration-field.ts'
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
    holdMs: durationMs,
    maximum: z.int().positive(),
  }),
  check({ input, action }, { guard, holdMs, maximum }) {
    const { count, lastAt } = endedRows(input.history, action, 'rejected')
    const facts: RejectedFacts = { count, maximum, lastAt, holdMs }
    if (lastAt === null) return pass(guard, facts)
    if (count >= maximum) return hold(guard, facts, never)
    if (input.now - lastAt >= holdMs) return pass(guard, facts)
    return hold(guard, facts, untilTime(lastAt + holdMs))
  },
  describe: ({ count, maximum, lastAt, holdMs }: RejectedFacts) =>
    `rejected ${formatCount(count)} of ${formatCount(maximum)} times` +
    (lastAt === null ? '' : `, last at ${formatInstant(lastAt)}`) +
    `; a rejection rests ${formatDuration(holdMs)}`,
})
