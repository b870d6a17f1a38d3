/** Shows that a row moves along the table of states and no other way. */

import { describe, expect, test } from 'vitest'
import { isEnded, states, transitions } from '../../core/states.ts'
import { noon } from '../../testing/ledger/harness.ts'
import { actionRow, attemptRow } from '../../testing/ledger/views.ts'
import { isOrMayBeOut, move, touch } from './transition.ts'

const pairs = states.flatMap((from) => states.map((to) => ({ from, to })))

describe('move', () => {
  test.each(pairs.filter(({ from, to }) => transitions[from].includes(to)))(
    'goes from $from to $to and says so',
    ({ from, to }) => {
      const row = actionRow({ state: from, version: 7 })
      const cause = { reason: 'because', by: 'anna' }
      const moved = move(row, to, noon + 5, { mayLandUntil: noon }, cause)
      const open = { ...row, state: to, version: 8, mayLandUntil: noon }
      const ended = { endedAt: noon + 5, dueAt: null, noticeAt: null, leaseUntil: null }
      expect(moved.row).toEqual(isEnded(to) ? { ...open, ...ended } : open)
      expect(moved.event).toEqual({
        type: 'action_changed',
        at: noon + 5,
        accountId: row.accountId,
        postId: row.postId,
        actionId: row.id,
        data: { from, to, reason: 'because', by: 'anna' },
      })
    },
  )

  test.each(pairs.filter(({ from, to }) => !transitions[from].includes(to)))(
    'throws from $from to $to',
    ({ from, to }) => {
      const row = actionRow({ state: from })
      expect(() => move(row, to, noon)).toThrow(`cannot go from ${from} to ${to}`)
    },
  )

  test('gives no reason and nobody where there is none', () => {
    const { event } = move(actionRow(), 'waiting', noon)
    expect(event.data).toEqual({ from: 'running', to: 'waiting', reason: null, by: null })
  })
})

test('touch changes what it is given and counts the change', () => {
  const row = actionRow({ version: 4 })
  expect(touch(row, { dueAt: 9 })).toEqual({ ...row, dueAt: 9, version: 5 })
})

test('only what landed or may have is out or may be', () => {
  const out = (['pending', 'landed', 'not_landed', 'unknown'] as const).filter((result) =>
    isOrMayBeOut(attemptRow({ result })),
  )
  expect(out).toEqual(['landed', 'unknown'])
})
