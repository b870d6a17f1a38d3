/** Tests the rest after an action of one kind (I3). */

import { describe, expect, it } from 'vitest'
import { ago, now, pastAction, policyWithGuard, reportOf } from '../../../test/builders/decision.ts'
import type { Action } from '../action.ts'
import { hourMs, minuteMs } from '../duration.ts'
import { parseInstant } from '../instant.ts'
import { classicPolicy } from '../policies/classic.ts'
import { mayHaveLanded, states } from '../states.ts'
import { untilTime } from '../until.ts'

const cooldowns: readonly (readonly [Action, number])[] = [
  ['comment', 30 * minuteMs],
  ['edit', 2 * hourMs],
  ['thread', 3 * hourMs],
]

describe('action_cooldown', () => {
  it.each(cooldowns)('passes for a %s where there was none', (action, cooldownMs) => {
    expect(reportOf('action_cooldown', {}, action)).toEqual({
      guard: 'action_cooldown',
      kind: 'pass',
      facts: { action, lastAt: null, cooldownMs },
    })
  })

  it.each(cooldowns)('holds a %s until the rest is over', (action, cooldownMs) => {
    const at = now - cooldownMs + 1
    const history = [pastAction(action, 'success', 0, { at })]
    expect(reportOf('action_cooldown', { history }, action)).toEqual({
      guard: 'action_cooldown',
      kind: 'hold',
      facts: { action, lastAt: at, cooldownMs },
      until: untilTime(now + 1),
    })
  })

  it.each(cooldowns)('lets a %s pass at the very end of the rest', (action, cooldownMs) => {
    const history = [pastAction(action, 'success', 0, { at: now - cooldownMs })]
    expect(reportOf('action_cooldown', { history }, action).kind).toBe('pass')
  })

  it('sees a microsecond', () => {
    const at = parseInstant('2026-07-15T07:15:17.000001+00:00', 'at')
    const history = [pastAction('edit', 'success', 0, { at })]
    const early = parseInstant('2026-07-15T09:15:17.000000+00:00', 'now')
    const exact = parseInstant('2026-07-15T09:15:17.000001+00:00', 'now')
    expect(reportOf('action_cooldown', { history, now: early }).kind).toBe('hold')
    expect(reportOf('action_cooldown', { history, now: exact }).kind).toBe('pass')
  })

  it('is not concerned with other actions', () => {
    const history = [pastAction('comment', 'success', 1), pastAction('thread', 'running', 1)]
    expect(reportOf('action_cooldown', { history }, 'edit').facts['lastAt']).toBeNull()
  })

  it.each(states)('counts what may have landed: %s', (state) => {
    const history = [pastAction('edit', state, 1)]
    const expected = mayHaveLanded(state) ? 'hold' : 'pass'
    expect(reportOf('action_cooldown', { history }).kind).toBe(expected)
    expect(reportOf('action_cooldown', { history, policy: classicPolicy }).kind).toBe('hold')
  })

  it('takes a reply of the owner for a comment', () => {
    const changes = { ownReplies: [ago(29)] }
    expect(reportOf('action_cooldown', changes, 'comment')).toMatchObject({
      kind: 'hold',
      until: untilTime(now + minuteMs),
    })
    expect(reportOf('action_cooldown', changes, 'edit').kind).toBe('pass')
  })

  it('allows at once where the cooldown is 0', () => {
    const policy = policyWithGuard({
      guard: 'action_cooldown',
      cooldownMs: { comment: 0, edit: 0, thread: 0 },
      counts: 'every',
      last: 'in_time',
    })
    const history = [pastAction('edit', 'success', 0)]
    expect(reportOf('action_cooldown', { history, policy }).kind).toBe('pass')
  })
})
