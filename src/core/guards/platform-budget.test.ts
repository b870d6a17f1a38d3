/** Tests what all accounts together may send to one platform. */

import { describe, expect, it } from 'vitest'
import { now, reportOf } from '../../../test/builders/decision.ts'
import { minuteMs } from '../duration.ts'
import { untilTime } from '../until.ts'

const windowMs = 5 * minuteMs

function reportAfter(...platform: readonly { at: number; count: number }[]) {
  return reportOf('platform_budget', { tallies: { account: [], platform } })
}

describe('platform_budget', () => {
  it('passes below 60 attempts in 5 minutes', () => {
    expect(reportAfter({ at: now - windowMs - 1, count: 9 }, { at: now, count: 59 })).toEqual({
      guard: 'platform_budget',
      kind: 'pass',
      facts: { count: 59, maximum: 60, windowMs },
    })
  })

  it('holds at 60, until enough have left', () => {
    const buckets = [
      { at: now - minuteMs, count: 30 },
      { at: now - windowMs, count: 10 },
      { at: now - 2 * minuteMs, count: 31 },
    ]
    for (const order of [buckets, buckets.toReversed()]) {
      expect(reportAfter(...order)).toEqual({
        guard: 'platform_budget',
        kind: 'hold',
        facts: { count: 71, maximum: 60, windowMs },
        until: untilTime(now - 2 * minuteMs + windowMs + 1),
      })
    }
  })

  it('does not count what the account did', () => {
    const account = [{ at: now, count: 100 }]
    const report = reportOf('platform_budget', { tallies: { account, platform: [] } })
    expect(report.kind).toBe('pass')
  })
})
