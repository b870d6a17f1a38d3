/** People sleep, and a post that speaks at four in the morning was not written by one. */

import { z } from 'zod'
import { isQuiet, minuteOfDay, whenQuietEnds } from '../time-zone.ts'
import { untilTime } from '../until.ts'
import { defineGuard, hold, pass } from './guard.ts'

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 23:00')

export const quietHours = defineGuard({
  settings: z.strictObject({
    guard: z.literal('quiet_hours'),
    from: timeOfDay,
    to: timeOfDay,
  }),
  check({ input }, { guard, from, to }) {
    const hours = { zone: input.timeZone, fromMinute: minuteOfDay(from), toMinute: minuteOfDay(to) }
    const facts = { from, to, zone: input.timeZone }
    if (!isQuiet(input.now, hours)) return pass(guard, facts)
    return hold(guard, facts, untilTime(whenQuietEnds(input.now, hours)))
  },
  describe: (facts: { from: string; to: string; zone: string }) =>
    `quiet hours are ${facts.from} to ${facts.to} in ${facts.zone}`,
})
