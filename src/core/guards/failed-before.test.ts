/** Tests the rest after a final failure, which doubles, and then lasts for good. */

import { describe, expect, it } from 'vitest'
import { ago, now, pastAction, policyWithGuard, reportOf } from '../../../test/builders/decision.ts'
import { hourMs, longestMs } from '../duration.ts'
import { never, untilTime } from '../until.ts'

/** So many failures, of which the last ended at the given time. */
function failures(count: number, lastAt: number) {
  return Array.from({ length: count }, (_, index) =>
    pastAction('edit', 'failed', 9000 + index, { endedAt: lastAt - index * hourMs }),
  ).toReversed()
}

describe('failed_before', () => {
  it('passes where none failed', () => {
    const history = [pastAction('thread', 'failed', 1), pastAction('edit', 'waiting', 1)]
    expect(reportOf('failed_before', { history })).toEqual({
      guard: 'failed_before',
      kind: 'pass',
      facts: { count: 0, maximum: 2, lastAt: null, holdMs: hourMs },
    })
  })

  it.each([
    [1, hourMs],
    [2, 2 * hourMs],
  ])('rests after failure %i for %i ms', (count, holdMs) => {
    const lastAt = now - holdMs + 1
    expect(reportOf('failed_before', { history: failures(count, lastAt) })).toEqual({
      guard: 'failed_before',
      kind: 'hold',
      facts: { count, maximum: 2, lastAt, holdMs },
      until: untilTime(now + 1),
    })
    const over = reportOf('failed_before', { history: failures(count, now - holdMs) })
    expect(over.kind).toBe('pass')
  })

  it('holds for ever after the third', () => {
    const history = failures(3, ago(100_000))
    expect(reportOf('failed_before', { history })).toMatchObject({ kind: 'hold', until: never })
  })

  it('never rests longer than can be written down', () => {
    const guard = { guard: 'failed_before', firstHoldMs: hourMs, maximum: 5000 } as const
    const history = failures(2000, now)
    const report = reportOf('failed_before', { history, policy: policyWithGuard(guard) })
    expect(report).toMatchObject({
      facts: { holdMs: longestMs },
      until: untilTime(now + longestMs),
    })
  })
})
