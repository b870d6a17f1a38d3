/** One open action per post: an edit and a thread must not start side by side. */

import { z } from 'zod'
import { isOpen } from '../states.ts'
import { untilEvent } from '../until.ts'
import { defineGuard, hold, pass } from './guard.ts'

const none = pass({ action: null, state: null })

export const openAction = defineGuard({
  settings: z.strictObject({ guard: z.literal('open_action') }),
  check({ input }) {
    const open = input.history.find((past) => isOpen(past.state))
    if (open === undefined) return none
    return hold({ action: open.action, state: open.state }, untilEvent('action_ended'))
  },
  describe: (facts: { action: string | null; state: string | null }) =>
    facts.action === null
      ? 'no action is open on it'
      : `its ${facts.action} is still open (${facts.state})`,
})
