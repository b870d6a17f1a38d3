/** Tests that a post has one open action at a time. */

import { describe, expect, it } from 'vitest'
import { pastAction, reportOf } from '../../../test/builders/decision.ts'
import { isOpen, states } from '../states.ts'

describe('open_action', () => {
  it.each(states)('with a comment that is %s', (state) => {
    const report = reportOf('open_action', { history: [pastAction('comment', state, 600)] })
    const held = {
      guard: 'open_action',
      kind: 'hold',
      facts: { action: 'comment', state },
      until: { kind: 'event', event: 'action_ended' },
    }
    const passed = { guard: 'open_action', kind: 'pass', facts: { action: null, state: null } }
    expect(report).toEqual(isOpen(state) ? held : passed)
  })

  it('finds the open one among ended ones, and of two the later', () => {
    const history = [
      pastAction('comment', 'success', 50),
      pastAction('thread', 'unknown', 600),
      pastAction('edit', 'planned', 500),
      pastAction('edit', 'failed', 400),
    ]
    for (const rows of [history, history.toReversed()]) {
      expect(reportOf('open_action', { history: rows }).facts).toEqual({
        action: 'edit',
        state: 'planned',
      })
    }
  })
})
