/** Shows that a claim is freed by its own lease, whatever the list of what is due said before. */

import { describe, expect, test } from 'vitest'
import { noon } from '../../testing/ledger/harness.ts'
import { actionRow, actionView, attemptRow } from '../../testing/ledger/views.ts'
import { expireStep, noticeStep, renewStep } from './lease.ts'

const leaseUntil = noon + 60_000

describe('expire', () => {
  test('leaves a claim alone that was renewed since it was listed', () => {
    const view = actionView({ now: leaseUntil - 1, action: actionRow({ leaseUntil }) })
    expect(expireStep(view, 0)).toEqual({ result: { kind: 'unchanged' }, changes: {} })
  })

  test('leaves a plan alone that was approved for longer since it was listed', () => {
    const action = actionRow({ state: 'approved', expiresAt: noon + 2 })
    expect(expireStep(actionView({ now: noon + 1, action }), 0).changes).toEqual({})
  })

  test.each(['waiting', 'unknown', 'needs_attention', 'success', 'cancelled'] as const)(
    'leaves alone what is %s by now',
    (state) => {
      const action = actionRow({ state, expiresAt: 0, leaseUntil: null })
      expect(expireStep(actionView({ now: leaseUntil, action }), 0).changes).toEqual({})
    },
  )

  test('takes the last landing for the last moment at which something landed', () => {
    const attempts = [
      attemptRow({ result: 'landed', endedAt: noon + 1 }),
      attemptRow({ result: 'landed', endedAt: noon + 2, id: 'attempt-2', segment: 1 }),
      attemptRow({ result: 'not_landed', endedAt: noon + 3, id: 'attempt-3', segment: 2 }),
    ]
    const { changes } = expireStep(actionView({ now: leaseUntil, attempts }), 0)
    expect(changes.updateAction).toMatchObject({ state: 'waiting', mayLandUntil: noon + 2 })
  })
})

test('renew is of no use to who has lost the claim', () => {
  const command = { actionId: actionRow().id, token: 'token-1', leaseMs: 60_000 }
  const lost = [
    actionView({ now: leaseUntil, action: actionRow({ leaseUntil }) }),
    actionView({ action: actionRow({ token: 'token-2' }) }),
    actionView({ action: actionRow({ state: 'unknown', leaseUntil: null }) }),
  ]
  for (const view of lost) {
    expect(renewStep(view, command)).toEqual({ result: false, changes: {} })
  }
})

test('a notice is given once, in time, and only while a person is asked', () => {
  const asked = actionRow({ state: 'awaiting_approval', noticeAt: noon + 1 })
  expect(noticeStep(actionView({ now: noon, action: asked })).result).toBe(false)
  const { result, changes } = noticeStep(actionView({ now: noon + 1, action: asked }))
  expect([result, changes.updateAction?.noticeAt]).toEqual([true, null])
  const approved = actionRow({ state: 'approved', noticeAt: noon + 1 })
  expect(noticeStep(actionView({ now: noon + 1, action: approved })).result).toBe(false)
})
