/** After a final failure the action rests, twice as long after the next, and then for good. */

import { z } from 'zod'
import { longestMs } from '../duration.ts'
import { durationMs } from '../duration-field.ts'
import { formatInstant } from '../instant.ts'
import { never, untilTime } from '../until.ts'
import { formatCount, formatDuration } from '../wording.ts'
import { endedRows } from './ended-rows.ts'
import { defineGuard, hold, pass } from './guard.ts'

interface FailedFacts extends Readonly<Record<string, number | null>> {
  readonly count: number
  readonly maximum: number
  readonly lastAt: number | null
  readonly holdMs: number
}

export const failedBefore = defineGuard({
  settings: z.strictObject({
    guard: z.literal('failed_before'),
    firstHoldMs: durationMs,
    maximum: z.int().nonnegative(),
  }),
  check({ input, action }, { guard, firstHoldMs, maximum }) {
    const { count, lastAt } = endedRows(input.history, action, 'failed')
    const holdMs = count > 1 ? Math.min(longestMs, firstHoldMs * 2 ** (count - 1)) : firstHoldMs
    const facts: FailedFacts = { count, maximum, lastAt, holdMs }
    if (lastAt === null) return pass(guard, facts)
    if (count > maximum) return hold(guard, facts, never)
    if (input.now - lastAt >= holdMs) return pass(guard, facts)
    return hold(guard, facts, untilTime(lastAt + holdMs))
  },
  describe: ({ count, maximum, lastAt, holdMs }: FailedFacts) =>
    `failed ${formatCount(count)} times for good` +
    (lastAt === null ? '' : `, last at ${formatInstant(lastAt)}`) +
    `; a failure rests ${formatDuration(holdMs)}, and ${formatCount(maximum)} are forgiven`,
})
