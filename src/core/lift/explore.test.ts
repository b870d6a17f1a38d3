/** A choice stays inside the tier and the guards, and the verdict says how it was made. */

import { describe, expect, test } from 'vitest'
import { decide } from '../decide.ts'
import type { DecisionInput } from '../decision-input.ts'
import { dayMs, hourMs } from '../duration.ts'
import { explain } from '../explain.ts'
import { actionKey } from '../key.ts'
import { standardPolicy } from '../policies/standard.ts'
import { parsePolicy } from '../policy.ts'
import type { Policy } from '../policy.ts'
import {
  inputWith,
  pastAction,
  postId,
  samplesFor,
  without,
} from '../../../test/builders/decision.ts'
import type { Observation } from './belief.ts'
import { decideExploring, exploreAction, withTemplate } from './explore.ts'
import type { PlanVerdict } from './explore.ts'
import type { ThompsonSettings } from './explore-settings.ts'

const settings: ThompsonSettings = {
  kind: 'thompson',
  over: ['action', 'template'],
  evenShare: 0.3,
  halfLifeMs: 60 * dayMs,
}
const exploringPolicy: Policy = parsePolicy({ ...standardPolicy, explore: settings })
const draws = Array.from({ length: 400 }, (_, index) => index / 400)

/** Stalled at the worst, where the ladder has all three actions. */
function worst(changes: Partial<DecisionInput> = {}): DecisionInput {
  return inputWith({ samples: samplesFor('tier_3'), policy: exploringPolicy, ...changes })
}

function planFor(input: DecisionInput): PlanVerdict {
  const verdict = decide(input)
  if (verdict.kind !== 'plan') throw new Error(`It comes to ${verdict.kind}`)
  return verdict
}

function choices(input: DecisionInput, observations: readonly Observation[] = []) {
  const planned = planFor(input)
  return draws.map((draw) => exploreAction(input, planned, { settings, observations, draw }))
}

const actionsOf = (verdicts: readonly PlanVerdict[]) =>
  [...new Set(verdicts.map(({ action }) => action))].toSorted()

describe('an action is chosen', () => {
  test('among those of the tier alone', () => {
    expect(actionsOf(choices(worst()))).toEqual(['comment', 'edit', 'thread'])
    expect(actionsOf(choices(worst({ samples: samplesFor('tier_2') })))).toEqual([
      'comment',
      'edit',
    ])
    const input = worst({ samples: samplesFor('tier_1') })
    expect(choices(input)).toEqual(draws.map(() => planFor(input)))
  })

  test('never one that the platform lacks', () => {
    expect(actionsOf(choices(worst({ capabilities: without('edit') })))).toEqual([
      'comment',
      'thread',
    ])
  })

  test.each<[string, Partial<DecisionInput>]>([
    ['action_cooldown', { history: [pastAction('edit', 'success', 100)] }],
    ['rejected_before', { history: [pastAction('edit', 'rejected', 60, { tier: 'tier_3' })] }],
    ['futility', { withoutLift: { edit: 40 } }],
  ])('never one that %s holds', (_, changes) => {
    expect(actionsOf(choices(worst(changes)))).toEqual(['comment', 'thread'])
  })

  test('with its own key, the tier and the score of the post, and all guards passed', () => {
    const planned = planFor(worst())
    for (const { action, tier, key, score, trace } of choices(worst())) {
      expect({ tier, score }).toEqual({ tier: planned.tier, score: planned.score })
      expect(key).toBe(actionKey(postId, action, tier))
      expect(trace.key).toBe(key)
      expect(trace.action?.action).toBe(action)
      expect(trace.policy).toBe(planned.trace.policy)
      expect(trace.guards.every((report) => report.kind === 'pass')).toBe(true)
    }
  })

  test('with a chance that is noted, and is how often it is chosen', () => {
    const verdicts = choices(worst())
    for (const { action, trace } of verdicts) {
      const choice = trace.explored?.action
      expect(choice?.chosen).toBe(action)
      expect(choice?.options.map(({ name }) => name)).toEqual(['thread', 'edit', 'comment'])
      const same = verdicts.filter((other) => other.action === action).length
      expect(same / draws.length).toBeCloseTo(choice?.propensity ?? NaN, 2)
      expect(choice?.propensity).toBeGreaterThanOrEqual(settings.evenShare / 3)
    }
  })

  test('more often the more it helped', () => {
    const { now } = worst()
    const observations = Array.from({ length: 800 }, (_, index) => ({
      option: index % 2 === 0 ? 'comment' : 'thread',
      score: (index % 2 === 0 ? 1 : 0) + (index % 4 < 2 ? 1 : -1),
      maturedAt: now - hourMs,
    }))
    const count = (action: string) =>
      choices(worst(), observations).filter((verdict) => verdict.action === action).length
    expect(count('comment')).toBeGreaterThan(0.6 * draws.length)
    expect(count('thread')).toBeLessThan(0.15 * draws.length)
  })

  test('not at all where the policy explores words alone', () => {
    const input = worst()
    const words: ThompsonSettings = { ...settings, over: ['template'] }
    const planned = planFor(input)
    for (const draw of draws) {
      const exploring = { settings: words, observations: [], draw }
      expect(exploreAction(input, planned, exploring)).toBe(planned)
    }
  })
})

describe('where the policy would not act', () => {
  test.each<[string, Partial<DecisionInput>]>([
    ['healthy', { samples: samplesFor('healthy') }],
    ['held out', { arm: 'holdout' }],
    ['never touch', { post: { id: postId, publishedAt: 0, neverTouch: true } }],
    ['cooling down', { history: [pastAction('thread', 'success', 100)] }],
  ])('exploring does not either: %s', (_, changes) => {
    const input = worst(changes)
    expect(decideExploring(input, settings)).toEqual(decide(input))
    expect(decide(input).kind).not.toBe('plan')
  })

  test('as its own action is futile, the next one that passes is planned', () => {
    const input = worst({ withoutLift: { thread: 40 } })
    expect(decide(input)).toMatchObject({ kind: 'hold', reason: 'futility' })
    expect(decideExploring(input, settings)).toMatchObject({ kind: 'plan', action: 'edit' })
    const all = worst({ withoutLift: { thread: 40, edit: 40, comment: 40 } })
    expect(decideExploring(all, settings)).toMatchObject({ kind: 'hold', reason: 'futility' })
    const heldOut = worst({ withoutLift: { thread: 40 }, arm: 'holdout' })
    expect(decideExploring(heldOut, settings)).toMatchObject({ kind: 'hold' })
  })
})

test('the explanation says what it was drawn from, and with which chance', () => {
  const input = worst()
  const exploring = { settings, observations: [], draw: 0 }
  const chosen = exploreAction(input, planFor(input), exploring)
  expect(explain(chosen)).toContain(
    'Planned: thread, drawn with a chance of 33 % from thread, edit, comment, as all',
  )
  const options = [
    { name: 'ask', chance: 0.6 },
    { name: 'quote', chance: 0.4 },
  ]
  const words = withTemplate(chosen, { chosen: 'ask', propensity: 0.6, options })
  expect(words.trace.explored?.action).toEqual(chosen.trace.explored?.action)
  expect(explain(words)).toContain('its words with a chance of 60 % from ask, quote')
  expect(explain(planFor(input))).not.toContain('drawn')
})

describe('the settings in a policy', () => {
  test('are off where they are left out, and may say so', () => {
    expect(standardPolicy.explore).toBeUndefined()
    expect(parsePolicy({ ...standardPolicy, explore: { kind: 'off' } }).explore).toEqual({
      kind: 'off',
    })
  })

  test.each([
    ['an even share that gives ways up', { ...settings, evenShare: 0.01 }, 'explore.evenShare'],
    ['nothing to explore', { ...settings, over: [] }, 'explore.over'],
    ['no half-life', { ...settings, halfLifeMs: 0 }, 'explore.halfLifeMs'],
    ['another rule', { kind: 'greedy' }, 'explore.kind'],
  ])('are refused with %s', (_, explore, field) => {
    expect(() => parsePolicy({ ...standardPolicy, explore })).toThrow(`policy.${field}`)
  })

  test('need posts that are held out', () => {
    const guards = standardPolicy.guards.filter(({ guard }) => guard !== 'holdout')
    expect(() => parsePolicy({ ...standardPolicy, guards, explore: settings })).toThrow(
      'policy.explore.kind: thompson learns from held-out posts',
    )
  })
})
