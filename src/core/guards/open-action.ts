/** One open action per post: an edit and a thread must not start side by side. */

import { z } from 'zod'
import type { PastAction } from '../history.ts'
import { isOpen } from '../states.ts'
import { untilEvent } from '../until.ts'
import { defineGuard, hold, pass } from './guard.ts'

const none = pass('open_action', { action: null, state: null })

export const openAction = defineGuard({
  settings: z.strictObject({ guard: z.literal('open_action') }),
  check({ input }) {
    const open = latestOpen(input.history)
    if (open === null) return none
    const facts = { action: open.action, state: open.state }
    return hold('open_action', facts, untilEvent('action_ended'))
  },
  describe: (facts: { action: string | null; state: string | null }) =>
    facts.action === null
      ? 'no action is open on it'
      : `its ${facts.action} is still open (${facts.state})`,
})

/** The ledger allows one; of several, the same one is named whatever order they come in. */
function latestOpen(history: readonly PastAction[]): PastAction | null {
  let latest: PastAction | null = null
  for (const past of history) {
    if (isOpen(past.state) && (latest === null || isLater(past, latest))) latest = past
  }
  return latest
}

function isLater(a: PastAction, b: PastAction): boolean {
  return a.at === b.at ? a.key > b.key : a.at > b.at
}
