/** Shows that a policy reads as far back as its guards and looks need, and no further. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import { policyOf, policyWith } from '../testing/ledger/policies.ts'
import { reachOf } from './reach.ts'

describe('the reach', () => {
  test('is what the policy’s own numbers need', () => {
    expect(reachOf(policyWith(1))).toEqual({
      samplesMs: (90 + 45) * minuteMs,
      looksMs: 3 * 2 * hourMs,
      accountMs: dayMs,
      accountLimit: 26,
      platformMs: 5 * minuteMs,
    })
  })

  test('counts nothing beyond the post where no budget asks for it', () => {
    const { accountLimit, platformMs } = reachOf(policyOf(1))
    expect([accountLimit, platformMs]).toEqual([0, 0])
  })

  test('takes the larger of the two budgets, as the hour may allow more than the day', () => {
    const policy = policyOf(1, { guard: 'account_budget', perHour: 9, perDay: 4 })
    expect(reachOf(policy).accountLimit).toBe(10)
  })
})
