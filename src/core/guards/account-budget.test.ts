/** Tests how often one account acts: 6 times an hour and 25 times a day (I2). */

import { describe, expect, it } from 'vitest'
import { ago, now, policyWithGuard, reportOf } from '../../../test/builders/decision.ts'
import { dayMs, hourMs, minuteMs } from '../duration.ts'
import { never, untilTime } from '../until.ts'

/** One action at each of these times. */
function reportAfter(times: readonly number[]) {
  const account = times.map((at) => ({ at, count: 1 }))
  return reportOf('account_budget', { tallies: { account, platform: [] } })
}

const minutes = (count: number, from: number, every: number) =>
  Array.from({ length: count }, (_, index) => ago(from + index * every))

describe('account_budget', () => {
  it('passes below both', () => {
    expect(reportAfter(minutes(5, 1, 1))).toEqual({
      guard: 'account_budget',
      kind: 'pass',
      facts: { inHour: 5, perHour: 6, inDay: 5, perDay: 25 },
    })
  })

  it('holds at 6 in an hour, until the oldest of them has left', () => {
    expect(reportAfter(minutes(6, 5, 10))).toEqual({
      guard: 'account_budget',
      kind: 'hold',
      facts: { inHour: 6, perHour: 6, inDay: 6, perDay: 25 },
      until: untilTime(ago(55) + hourMs + 1),
    })
  })

  it('holds at 25 in a day, until the oldest of them has left', () => {
    expect(reportAfter(minutes(25, 61, 50))).toEqual({
      guard: 'account_budget',
      kind: 'hold',
      facts: { inHour: 0, perHour: 6, inDay: 25, perDay: 25 },
      until: untilTime(ago(61 + 24 * 50) + dayMs + 1),
    })
  })

  it('waits for the later of both', () => {
    const hour = minutes(6, 1, 1)
    expect(reportAfter([...hour, ...minutes(19, 1380, 1)])).toMatchObject({
      facts: { inHour: 6, inDay: 25 },
      until: untilTime(ago(6) + hourMs + 1),
    })
    expect(reportAfter([...hour, ...minutes(19, 700, 1)])).toMatchObject({
      facts: { inHour: 6, inDay: 25 },
      until: untilTime(ago(718) + dayMs + 1),
    })
  })

  it.each([
    ['an hour ago', now - hourMs, 1, 1],
    ['a millisecond more', now - hourMs - 1, 0, 1],
    ['a day ago', now - dayMs, 0, 1],
    ['a millisecond more than a day', now - dayMs - 1, 0, 0],
    ['ahead, because a send is under way', now + minuteMs, 1, 1],
  ])('counts one %s as it should', (_, at, inHour, inDay) => {
    expect(reportAfter([at]).facts).toMatchObject({ inHour, inDay })
  })

  it('counts a bucket with all that is in it', () => {
    const account = [
      { at: ago(50), count: 4 },
      { at: ago(10), count: 3 },
    ]
    expect(reportOf('account_budget', { tallies: { account, platform: [] } })).toMatchObject({
      facts: { inHour: 7 },
      until: untilTime(ago(50) + hourMs + 1),
    })
  })

  it('holds for ever where nothing is allowed in an hour, or in a day', () => {
    for (const [perHour, perDay] of [
      [0, 25],
      [6, 0],
    ] as const) {
      const policy = policyWithGuard({ guard: 'account_budget', perHour, perDay })
      const account = [{ at: ago(1), count: 25 }]
      const report = reportOf('account_budget', { policy, tallies: { account, platform: [] } })
      expect(report).toMatchObject({ kind: 'hold', until: never })
    }
  })
})
