/** Some posts are left alone at random, because without them no lift can be told from luck. */

import { z } from 'zod'
import { never } from '../until.ts'
import { defineGuard, hold, pass } from './guard.ts'

const unassigned = pass('holdout', { arm: null })
const act = pass('holdout', { arm: 'act' })
const heldOut = hold('holdout', { arm: 'holdout' }, never)

export const holdout = defineGuard({
  settings: z.strictObject({ guard: z.literal('holdout') }),
  check: ({ input }) => (input.arm === null ? unassigned : input.arm === 'holdout' ? heldOut : act),
  describe: (facts: { arm: string | null }) =>
    facts.arm === null
      ? 'it has no arm yet'
      : facts.arm === 'holdout'
        ? 'it was drawn into the group that is left alone, to measure lift'
        : 'it was drawn into the group that is acted on',
})
