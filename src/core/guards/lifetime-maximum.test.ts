/** Tests how much help one post gets in its life. */

import { describe, expect, it } from 'vitest'
import { pastAction, reportOf } from '../../../test/builders/decision.ts'
import type { State } from '../states.ts'
import { never } from '../until.ts'

const longAgo = 4000

function reportWith(...states: readonly State[]) {
  return reportOf('lifetime_maximum', {
    history: states.map((state, index) => pastAction('comment', state, longAgo + index)),
  })
}

describe('lifetime_maximum', () => {
  it.each([
    [[], 0],
    [['success', 'running'], 2],
    [['success', 'success', 'failed', 'rejected', 'expired', 'cancelled'], 2],
    [['success', 'unknown', 'waiting', 'planned', 'approved', 'awaiting_approval'], 2],
  ] as const)('passes with %j', (states, count) => {
    expect(reportWith(...states)).toEqual({
      guard: 'lifetime_maximum',
      kind: 'pass',
      facts: { count, maximum: 3 },
    })
  })

  it('holds for ever once three may have landed, however long ago', () => {
    expect(reportWith('success', 'unknown', 'needs_attention')).toEqual({
      guard: 'lifetime_maximum',
      kind: 'hold',
      facts: { count: 3, maximum: 3 },
      until: never,
    })
  })
})
