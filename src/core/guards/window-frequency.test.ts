/** Tests how many actions one post gets in a window (I2). */

import { describe, expect, it } from 'vitest'
import { ago, now, pastAction, policyWithGuard, reportOf } from '../../../test/builders/decision.ts'
import { minuteMs } from '../duration.ts'
import { classicPolicy } from '../policies/classic.ts'
import { mayHaveLanded, states } from '../states.ts'
import { never, untilTime } from '../until.ts'

const windowMs = 90 * minuteMs

function countOf(changes: Parameters<typeof reportOf>[1]) {
  return reportOf('window_frequency', changes).facts['count']
}

describe('window_frequency', () => {
  it('passes below the maximum', () => {
    const history = [pastAction('comment', 'success', 10)]
    expect(reportOf('window_frequency', { history })).toEqual({
      guard: 'window_frequency',
      kind: 'pass',
      facts: { count: 1, maximum: 2, windowMs },
    })
  })

  it('holds at the maximum, until just after the older of two has left', () => {
    const history = [pastAction('comment', 'success', 10), pastAction('thread', 'unknown', 70)]
    expect(reportOf('window_frequency', { history })).toEqual({
      guard: 'window_frequency',
      kind: 'hold',
      facts: { count: 2, maximum: 2, windowMs },
      until: untilTime(ago(70) + windowMs + 1),
    })
  })

  it.each([
    ['before the window starts', ago(90) - 1, 0],
    ['at its start', ago(90), 1],
    ['now', now, 1],
    ['ahead, because a send is under way', now + minuteMs, 1],
  ])('counts an action %s as it should', (_, at, count) => {
    expect(countOf({ history: [pastAction('comment', 'running', 0, { at })] })).toBe(count)
    expect(countOf({ ownReplies: [at] })).toBe(count)
  })

  it.each(states)('counts what may have landed: %s', (state) => {
    const history = [pastAction('comment', state, 10)]
    expect(countOf({ history })).toBe(mayHaveLanded(state) ? 1 : 0)
    expect(countOf({ history, policy: classicPolicy })).toBe(1)
  })

  it('counts replies that the owner wrote elsewhere', () => {
    const report = reportOf('window_frequency', { ownReplies: [ago(20), ago(30)] })
    expect(report).toMatchObject({ kind: 'hold', until: untilTime(ago(30) + windowMs + 1) })
  })

  it('waits for as many to leave as are over the maximum', () => {
    const history = [5, 40, 20, 60].map((minutes) => pastAction('comment', 'success', minutes))
    const report = reportOf('window_frequency', { history })
    expect(report).toMatchObject({ kind: 'hold', until: untilTime(ago(20) + windowMs + 1) })
  })

  it('holds for ever where the maximum is 0', () => {
    const policy = policyWithGuard({
      guard: 'window_frequency',
      windowMs,
      maximum: 0,
      counts: 'may_have_landed',
    })
    expect(reportOf('window_frequency', { policy })).toMatchObject({ kind: 'hold', until: never })
  })
})
