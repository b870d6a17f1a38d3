/** A key that is running or has succeeded is never planned again (I1). */

import { z } from 'zod'
import type { ForeignKey } from '../decision-input.ts'
import type { ActionKey } from '../ids.ts'
import { never, untilEvent } from '../until.ts'
import { defineGuard, hold, pass } from './guard.ts'

const fresh = pass('duplicate', { state: null })
const succeeded = hold('duplicate', { state: 'success' }, never)
const running = hold('duplicate', { state: 'running' }, untilEvent('action_ended'))

export const duplicate = defineGuard({
  settings: z.strictObject({ guard: z.literal('duplicate') }),
  check({ input, key }) {
    const state = strongestState(input.history, key) ?? strongestState(input.foreignKeys, key)
    return state === 'success' ? succeeded : state === 'running' ? running : fresh
  },
  describe: (facts: { state: string | null }) =>
    facts.state === null
      ? 'its key is new'
      : facts.state === 'success'
        ? 'the same action has already succeeded'
        : 'the same action is already running',
})

/** Success outweighs running: it can never be repeated, while a running row may still fail. */
function strongestState(rows: readonly ForeignKey[], key: ActionKey): 'success' | 'running' | null {
  let found: 'running' | null = null
  for (const row of rows) {
    if (row.state === 'success' && row.key === key) return 'success'
    if (row.state === 'running' && row.key === key) found = 'running'
  }
  return found
}
