/** Tests that a key which is running or has succeeded is never planned again (I1). */

import { describe, expect, it } from 'vitest'
import { pastAction, postId, reportOf } from '../../../test/builders/decision.ts'
import { actionKey } from '../key.ts'
import { states } from '../states.ts'
import type { State } from '../states.ts'
import { never, untilEvent } from '../until.ts'

const key = actionKey(postId, 'edit', 'tier_2')
const other = actionKey(postId, 'edit', 'tier_2', 1)

function expected(state: State | null) {
  if (state === 'success') {
    return { guard: 'duplicate', kind: 'hold', facts: { state }, until: never }
  }
  if (state === 'running') {
    const until = untilEvent('action_ended')
    return { guard: 'duplicate', kind: 'hold', facts: { state }, until }
  }
  return { guard: 'duplicate', kind: 'pass', facts: { state: null } }
}

describe('duplicate', () => {
  it.each(states)('with the key in history as %s', (state) => {
    const history = [pastAction('edit', state, 3000, { key })]
    expect(reportOf('duplicate', { history })).toEqual(expected(state))
  })

  it.each(states)('with the key under another post as %s', (state) => {
    expect(reportOf('duplicate', { foreignKeys: [{ key, state }] })).toEqual(expected(state))
  })

  it('looks at the key alone, and not at the action it stands beside', () => {
    const history = [
      pastAction('comment', 'success', 3000, { key }),
      pastAction('edit', 'success', 3000, { key: other }),
      pastAction('edit', 'running', 3000, { key: other }),
    ]
    expect(reportOf('duplicate', { history })).toEqual(expected('success'))
    expect(reportOf('duplicate', { history: history.slice(1) })).toEqual(expected(null))
  })

  it('takes success for stronger than running', () => {
    const history = [
      pastAction('edit', 'running', 3000, { key }),
      pastAction('edit', 'success', 4000, { key }),
      pastAction('edit', 'running', 5000, { key }),
    ]
    expect(reportOf('duplicate', { history })).toEqual(expected('success'))
  })
})
