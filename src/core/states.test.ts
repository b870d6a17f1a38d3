/** Tests the life of an action: exactly these steps, and nothing after the end (I7). */

import { describe, expect, it } from 'vitest'
import { canFollow, isEnded, isOpen, mayHaveLanded, states, transitions } from './states.ts'
import type { State } from './states.ts'

const edges: readonly (readonly [State, State])[] = [
  ['planned', 'awaiting_approval'],
  ['planned', 'running'],
  ['planned', 'rejected'],
  ['planned', 'expired'],
  ['planned', 'cancelled'],
  ['awaiting_approval', 'approved'],
  ['awaiting_approval', 'rejected'],
  ['awaiting_approval', 'expired'],
  ['awaiting_approval', 'cancelled'],
  ['approved', 'running'],
  ['approved', 'rejected'],
  ['approved', 'expired'],
  ['approved', 'cancelled'],
  ['running', 'success'],
  ['running', 'failed'],
  ['running', 'waiting'],
  ['running', 'unknown'],
  ['waiting', 'running'],
  ['waiting', 'failed'],
  ['waiting', 'cancelled'],
  ['unknown', 'success'],
  ['unknown', 'failed'],
  ['unknown', 'waiting'],
  ['unknown', 'needs_attention'],
  ['needs_attention', 'success'],
  ['needs_attention', 'failed'],
]

const ended: readonly State[] = ['success', 'failed', 'rejected', 'expired', 'cancelled']

describe('the table of states', () => {
  it.each(states)('allows from %s exactly what it should', (from) => {
    const allowed = states.filter((to) => canFollow(from, to))
    const expected = states.filter((to) => edges.some(([a, b]) => a === from && b === to))
    expect(allowed).toEqual(expected)
    expect(transitions[from].toSorted()).toEqual(expected.toSorted())
  })

  it.each(states)('says whether %s has ended, which is where nothing follows', (state) => {
    expect(isEnded(state)).toBe(ended.includes(state))
    expect(isEnded(state)).toBe(transitions[state].length === 0)
    expect(isOpen(state)).toBe(!ended.includes(state))
  })

  it('reaches every state from planned, and an end from every state', () => {
    expect(reachableFrom('planned')).toEqual(new Set(states))
    for (const state of states) {
      expect(ended.some((end) => reachableFrom(state).has(end))).toBe(true)
    }
  })

  it('takes for visible what was sent and did not fail', () => {
    const landed = states.filter((state) => mayHaveLanded(state))
    expect(landed).toEqual(['running', 'unknown', 'needs_attention', 'success'])
  })
})

function reachableFrom(start: State): Set<State> {
  const found = new Set<State>([start])
  for (const state of found) for (const next of transitions[state]) found.add(next)
  return found
}
