/** Shows how a row counts in a decision: from the last moment at which it can have landed. */

import { describe, expect, test } from 'vitest'
import { noon } from '../testing/ledger/harness.ts'
import { actionRow } from '../testing/ledger/views.ts'
import { toPastAction } from './decision-input.ts'

describe('a row in the history', () => {
  test('counts from the last moment at which it can have landed', () => {
    const past = toPastAction(actionRow({ mayLandUntil: noon + 9 }), null)
    expect(past).toMatchObject({ state: 'running', at: noon + 9, endedAt: null })
  })

  test('counts from its plan where nothing of it can have landed', () => {
    const failed = actionRow({ state: 'failed', mayLandUntil: null, endedAt: noon + 5 })
    expect(toPastAction(failed, null)).toMatchObject({ state: 'failed', at: noon })
  })

  test('that failed and landed after all is a success from when that was found out', () => {
    const failed = actionRow({ state: 'failed', mayLandUntil: null, endedAt: noon + 5 })
    const past = toPastAction(failed, noon + 7)
    expect(past).toMatchObject({ state: 'success', at: noon + 7, endedAt: noon + 5 })
    expect([past.key, past.action, past.tier]).toEqual([failed.key, 'comment', 'tier_1'])
  })
})
