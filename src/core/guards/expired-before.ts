/** An approval that nobody gave in time is not asked for again before the action's cooldown. */

import { z } from 'zod'
import { durationMs } from '../duration-field.ts'
import { formatInstant } from '../instant.ts'
import { untilTime } from '../until.ts'
import { formatDuration } from '../wording.ts'
import { endedRows } from './ended-rows.ts'
import { defineGuard, hold, pass } from './guard.ts'

export const expiredBefore = defineGuard({
  settings: z.strictObject({
    guard: z.literal('expired_before'),
    holdMs: z.strictObject({
      comment: durationMs,
      edit: durationMs,
      thread: durationMs,
    }),
  }),
  check({ input, action }, settings) {
    const { lastAt } = endedRows(input.history, action, 'expired')
    const { guard } = settings
    const holdMs = settings.holdMs[action]
    const facts = { lastAt, holdMs }
    if (lastAt === null || input.now - lastAt >= holdMs) return pass(guard, facts)
    return hold(guard, facts, untilTime(lastAt + holdMs))
  },
  describe: ({ lastAt, holdMs }: { lastAt: number | null; holdMs: number }) =>
    (lastAt === null ? 'none expired unanswered' : `one expired at ${formatInstant(lastAt)}`) +
    `; an expiry rests ${formatDuration(holdMs)}`,
})
