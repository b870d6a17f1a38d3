/** After an action of one kind the post rests from that kind; at equality it may go on (I3). */

import { z } from 'zod'
import type { Action } from '../action.ts'
import type { DecisionInput } from '../decision-input.ts'
import { durationMs } from '../duration-field.ts'
import type { Instant } from '../instant.ts'
import { formatInstant } from '../instant.ts'
import { untilTime } from '../until.ts'
import { formatDuration } from '../wording.ts'
import { countingRules, isCounted } from './counting.ts'
import type { CountingRule } from './counting.ts'
import { defineGuard, hold, pass } from './guard.ts'

export const actionCooldown = defineGuard({
  settings: z.strictObject({
    guard: z.literal('action_cooldown'),
    cooldownMs: z.strictObject({
      comment: durationMs,
      edit: durationMs,
      thread: durationMs,
    }),
    counts: z.enum(countingRules),
    /** The latest in time, or the last that was written, as the classic executor has it. */
    last: z.enum(['in_time', 'as_written']),
  }),
  check({ input, action }, settings) {
    const { guard } = settings
    const cooldownMs = settings.cooldownMs[action]
    const lastAt =
      settings.last === 'in_time'
        ? latestInTime(input, action, settings.counts)
        : lastWritten(input, action, settings.counts)
    const facts = { action, lastAt, cooldownMs }
    if (lastAt === null || input.now - lastAt >= cooldownMs) return pass(guard, facts)
    return hold(guard, facts, untilTime(lastAt + cooldownMs))
  },
  describe({ action, lastAt, cooldownMs }: CooldownFacts) {
    const rest = `a post rests ${formatDuration(cooldownMs)} after each ${action}`
    return lastAt === null
      ? `${rest}; there was none`
      : `${rest}; the last was at ${formatInstant(lastAt)}`
  },
})

type CooldownFacts = { action: string; lastAt: Instant | null; cooldownMs: number }

function latestInTime(input: DecisionInput, action: Action, counts: CountingRule): Instant | null {
  let latest = -Infinity
  for (const past of input.history) {
    if (past.action === action && isCounted(past.state, counts)) latest = Math.max(latest, past.at)
  }
  if (action === 'comment') for (const at of input.ownReplies) latest = Math.max(latest, at)
  return latest === -Infinity ? null : latest
}

function lastWritten(input: DecisionInput, action: Action, counts: CountingRule): Instant | null {
  const last = input.history.findLast(
    (past) => past.action === action && isCounted(past.state, counts),
  )
  return last?.at ?? null
}
