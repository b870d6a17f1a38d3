/** Tests that a person who said no is not asked again soon, and not a third time. */

import { describe, expect, it } from 'vitest'
import { ago, now, pastAction, reportOf } from '../../../test/builders/decision.ts'
import { dayMs } from '../duration.ts'
import { never, untilTime } from '../until.ts'

const facts = { maximum: 2, holdMs: dayMs }
const rejectedAt = (endedAt: number) => pastAction('edit', 'rejected', 4000, { endedAt })

describe('rejected_before', () => {
  it('passes where nothing was rejected', () => {
    const history = [
      pastAction('comment', 'rejected', 1),
      pastAction('edit', 'expired', 1),
      pastAction('edit', 'cancelled', 1),
    ]
    expect(reportOf('rejected_before', { history })).toEqual({
      guard: 'rejected_before',
      kind: 'pass',
      facts: { ...facts, count: 0, lastAt: null },
    })
  })

  it('holds for a day after the first, counted from the moment of the answer', () => {
    const endedAt = now - dayMs + 1
    expect(reportOf('rejected_before', { history: [rejectedAt(endedAt)] })).toEqual({
      guard: 'rejected_before',
      kind: 'hold',
      facts: { ...facts, count: 1, lastAt: endedAt },
      until: untilTime(now + 1),
    })
  })

  it('passes when the day is exactly over', () => {
    const history = [rejectedAt(now - dayMs)]
    expect(reportOf('rejected_before', { history }).kind).toBe('pass')
  })

  it('holds for ever after the second, however long ago', () => {
    const history = [rejectedAt(ago(90_000)), rejectedAt(ago(100_000))]
    expect(reportOf('rejected_before', { history })).toEqual({
      guard: 'rejected_before',
      kind: 'hold',
      facts: { ...facts, count: 2, lastAt: ago(90_000) },
      until: never,
    })
  })
})
