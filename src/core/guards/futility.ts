/** An action that keeps not helping an account is only noise. */

import { z } from 'zod'
import { untilEvent } from '../until.ts'
import { formatCount } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'

export const futility = defineGuard({
  settings: z.strictObject({ guard: z.literal('futility'), maximum: z.int().positive() }),
  check({ input, action }, { guard, maximum }) {
    const facts = { action, count: input.withoutLift[action] ?? 0, maximum }
    return facts.count < maximum ? pass(guard, facts) : hold(guard, facts, untilEvent('review'))
  },
  describe: (facts: { action: string; count: number; maximum: number }) =>
    `${formatCount(facts.count)} ${facts.action} actions of the account in a row showed no lift, ` +
    `the maximum is ${formatCount(facts.maximum)}`,
})
