/** The owner's word on one post stands above every number. */

import { z } from 'zod'
import { never } from '../until.ts'
import { defineGuard, hold, pass } from './guard.ts'

const allowed = pass('never_touch', { allowed: 'yes' })
const forbidden = hold('never_touch', { allowed: 'no' }, never)

export const neverTouch = defineGuard({
  settings: z.strictObject({ guard: z.literal('never_touch') }),
  check: ({ input }) => (input.post.neverTouch ? forbidden : allowed),
  describe: (facts: { allowed: string }) =>
    facts.allowed === 'yes' ? 'the owner allows actions on it' : 'the owner said never to touch it',
})
