/** Shows, for any row, sends and answer, that settling only ever adds to what is known. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../core/fault.ts'
import { canFollow, isEnded, states } from '../../core/states.ts'
import { noon } from '../../testing/ledger/harness.ts'
import { actionRow, actionView, attemptRow } from '../../testing/ledger/views.ts'
import type { AttemptRow } from '../rows.ts'
import type { Changes } from '../store.ts'
import type { ActionView } from '../views.ts'
import { settleStep } from './settle.ts'
import type { Settlement } from './settle.ts'

const results = ['pending', 'unknown', 'not_landed', 'landed'] as const

const fault = fc.constantFrom<Fault['landed'][]>('no', 'unknown').map((landed): Fault => ({
  landed,
  code: landed === 'no' ? 'rate_limit' : 'timeout',
  scope: 'request',
  retryAt: null,
  detail: 'the network said so',
}))

const settlement: fc.Arbitrary<Settlement> = fc.oneof(
  fc.record({ kind: fc.constant('segment_landed' as const), remoteId: fc.constant('r') }),
  fc.record({
    kind: fc.constant('success' as const),
    remoteId: fc.constant('r'),
    outcome: fc.constant({ ok: 1 }),
  }),
  fc.record({ kind: fc.constant('failed' as const), fault }),
  fc.record({ kind: fc.constant('partial' as const), fault, outcome: fc.constant(null) }),
  fc.record({ kind: fc.constant('waiting' as const), fault, retryAt: fc.constant(noon) }),
  fc.record({
    kind: fc.constant('released' as const),
    reason: fc.constant('paused'),
    retryAt: fc.constant(noon),
  }),
  fc.record({ kind: fc.constant('unknown' as const), fault, reconcileAt: fc.constant(noon) }),
)

const token = fc.constantFrom('token-1', 'token-2')

/** Only the holder of a claim in force has a send under way, and only one. */
const sends = fc
  .array(fc.record({ token, result: fc.constantFrom(...results), segment: fc.nat({ max: 2 }) }), {
    maxLength: 4,
  })
  .map((list) =>
    list.map((send, index) => {
      const isLast = index === list.length - 1 && send.token === 'token-1'
      const result = isLast || send.result !== 'pending' ? send.result : 'unknown'
      const endedAt = result === 'pending' ? null : noon
      const numbered = { id: `attempt-${index}`, number: index + 1 }
      return attemptRow({ ...send, ...numbered, result, endedAt })
    }),
  )

const situation = fc.record({
  state: fc.constantFrom(...states),
  attempts: sends,
  token,
  send: fc.nat({ max: 4 }),
  settlement,
})

/** What the step does, or null where it refuses an answer that no honest caller gives. */
function play(drawn: typeof situation extends fc.Arbitrary<infer Drawn> ? Drawn : never) {
  const { state, attempts, send } = drawn
  const endedAt = isEnded(state) ? noon : null
  const isUnderWay = attempts.some(({ result }) => result === 'pending')
  const held = isUnderWay ? 'running' : state
  const action = actionRow({ state: held, endedAt: isUnderWay ? null : endedAt })
  const view = actionView({ action, attempts })
  const attemptId = attempts[send]?.id ?? null
  const { id: actionId } = view.action
  const command = { actionId, token: drawn.token, attemptId, settlement: drawn.settlement }
  try {
    return { view, command, ...settleStep(view, command) }
  } catch {
    return null
  }
}

/** The attempts as they are once the changes are written. */
function attemptsAfter({ attempts }: ActionView, { updateAttempt }: Changes): AttemptRow[] {
  return attempts.map((row) => (row.id === updateAttempt?.id ? updateAttempt : row))
}

const check = (property: (played: NonNullable<ReturnType<typeof play>>) => void) =>
  fc.assert(
    fc.property(situation, (drawn) => {
      const played = play(drawn)
      if (played !== null) property(played)
    }),
    { numRuns: 3000 },
  )

describe('settle', () => {
  test('never changes an ended row, and moves others along the table', () => {
    check(({ view: { action }, changes: { updateAction } }) => {
      if (updateAction === undefined) return
      expect(isEnded(action.state)).toBe(false)
      const stays = updateAction.state === action.state
      expect(stays || canFollow(action.state, updateAction.state)).toBe(true)
      expect(updateAction.version).toBe(action.version + 1)
    })
  })

  test('never makes less certain what is known of a send', () => {
    check(({ view, changes }) => {
      const after = attemptsAfter(view, changes)
      for (const [index, { result }] of view.attempts.entries()) {
        const now = after[index]?.result ?? 'pending'
        expect(results.indexOf(now)).toBeGreaterThanOrEqual(results.indexOf(result))
      }
    })
  })

  test('never says failed where something is out, or may be, or is on its way', () => {
    check(({ view, changes }) => {
      if (changes.updateAction?.state !== 'failed') return
      const out = attemptsAfter(view, changes).filter(({ result }) => result !== 'not_landed')
      expect(out).toEqual([])
    })
  })

  test('never lets a send go on under a claim that was given back or ended', () => {
    check(({ view, changes }) => {
      if (changes.updateAction === undefined || changes.updateAction.state === 'running') return
      if (view.action.state !== 'running') return
      const pending = attemptsAfter(view, changes).filter(({ result }) => result === 'pending')
      expect(pending).toEqual([])
    })
  })

  test('moves the row only for the one who holds the claim', () => {
    check(({ view: { action }, command, changes: { updateAction }, result }) => {
      const holds = action.state === 'running' && action.token === command.token
      const moves = updateAction !== undefined && updateAction.state !== action.state
      expect(moves && !holds).toBe(false)
      expect(holds && result.kind !== 'settled').toBe(false)
    })
  })

  test('opens an incident exactly where a landing contradicts how the row ended', () => {
    check(({ view, changes }) => {
      const isNew = changes.updateAttempt?.result === 'landed'
      const { state } = view.action
      const contradicts = isNew && isEnded(state) && state !== 'success'
      expect(changes.incident !== undefined).toBe(contradicts)
      const told = (changes.events ?? []).some(({ type }) => type === 'incident')
      expect(told).toBe(contradicts)
    })
  })

  test('repeated on what it made of the rows changes nothing', () => {
    check(({ view, command, changes }) => {
      const action = changes.updateAction ?? view.action
      const again = { ...view, action, attempts: attemptsAfter(view, changes) }
      expect(settleStep(again, command).changes).toEqual({})
    })
  })
})
