/** Tests that what nobody answered is not asked again before the action's cooldown. */

import { describe, expect, it } from 'vitest'
import { now, pastAction, reportOf } from '../../../test/builders/decision.ts'
import type { Action } from '../action.ts'
import { hourMs, minuteMs } from '../duration.ts'
import { untilTime } from '../until.ts'

const holds: readonly (readonly [Action, number])[] = [
  ['comment', 30 * minuteMs],
  ['edit', 2 * hourMs],
  ['thread', 3 * hourMs],
]

describe('expired_before', () => {
  it.each(holds)('rests an expired %s for its cooldown', (action, holdMs) => {
    const report = (endedAt: number) => {
      const history = [
        pastAction(action, 'expired', 9000, { endedAt: endedAt - hourMs }),
        pastAction(action, 'expired', 9000, { endedAt }),
        pastAction(action, 'expired', 9000, { endedAt: endedAt - minuteMs }),
      ]
      return reportOf('expired_before', { history }, action)
    }
    expect(report(now - holdMs + 1)).toEqual({
      guard: 'expired_before',
      kind: 'hold',
      facts: { lastAt: now - holdMs + 1, holdMs },
      until: untilTime(now + 1),
    })
    expect(report(now - holdMs).kind).toBe('pass')
  })

  it('is not concerned with other actions or other ends', () => {
    const history = [pastAction('comment', 'expired', 1), pastAction('edit', 'failed', 1)]
    expect(reportOf('expired_before', { history })).toEqual({
      guard: 'expired_before',
      kind: 'pass',
      facts: { lastAt: null, holdMs: 2 * hourMs },
    })
  })
})
