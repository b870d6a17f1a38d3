/**
 * Tests that `standard` has none of the classic executor's defects in deciding, each by its number
 * in that executor's list. Where `classic` must keep a defect, the same case shows it there, so
 * that a mix-up of the two policies cannot pass.
 */

import { describe, expect, it } from 'vitest'
import {
  ago,
  decideWith,
  inputWith,
  now,
  pastAction,
  postId,
  reportOf,
  sampleAt,
  samplesFor,
  samplesGaining,
} from '../../test/builders/decision.ts'
import type { DecisionInput } from './decision-input.ts'
import { hourMs, minuteMs } from './duration.ts'
import { explain } from './explain.ts'
import { InputError } from './input-error.ts'
import { parseInstant } from './instant.ts'
import { actionKey } from './key.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import { parsePolicy } from './policy.ts'
import { decideRetry } from './retry.ts'
import { canFollow, isEnded, states } from './states.ts'
import { never, untilTime } from './until.ts'

const standard = (changes: Partial<DecisionInput>) => decideWith(changes)
const classic = (changes: Partial<DecisionInput>) =>
  decideWith({ ...changes, policy: classicPolicy })

describe('defect 1: a post at 50 % engagement', () => {
  const samples = samplesGaining(600)

  it('is healthy', () => {
    expect(standard({ samples })).toMatchObject({ kind: 'healthy', score: 0 })
  })

  it('is told to comment by classic', () => {
    expect(classic({ samples })).toMatchObject({ kind: 'plan', action: 'comment', score: 0 })
  })
})

describe('defect 2: a lively post on a network without impressions', () => {
  const samples = samplesGaining(600).map(({ at, engagements }) => ({
    at,
    engagements,
    impressions: null,
  }))

  it('cannot be judged by its rate', () => {
    expect(standard({ samples })).toMatchObject({
      kind: 'insufficient',
      trace: { signal: { kind: 'no_signal' }, tier: null },
    })
  })

  it('gets a thread from classic', () => {
    expect(classic({ samples })).toMatchObject({ kind: 'plan', action: 'thread', score: 1 })
  })
})

describe('defect 3: an action that has succeeded once', () => {
  const key = actionKey(postId, 'edit', 'tier_2')
  const history = [pastAction('edit', 'success', 600, { key })]

  it('can be planned again after its cooldown, under a key of its own', () => {
    expect(standard({ history })).toMatchObject({
      kind: 'plan',
      action: 'edit',
      generation: 1,
      key: actionKey(postId, 'edit', 'tier_2', 1),
    })
  })

  it('rests for its cooldown before that', () => {
    const recent = [pastAction('edit', 'success', 119, { key })]
    expect(standard({ history: recent })).toMatchObject({
      kind: 'hold',
      reason: 'action_cooldown',
      until: untilTime(now + minuteMs),
    })
  })

  it('is refused by classic for the rest of its life', () => {
    expect(classic({ history })).toMatchObject({ kind: 'hold', reason: 'duplicate', until: never })
  })
})

describe('defect 9: a fault that never passes', () => {
  const fault = {
    landed: 'no',
    code: 'rate_limit',
    scope: 'request',
    retryAt: null,
    detail: 'slow down',
  } as const
  const retry = { fault, firstAttemptAt: ago(1), writeClass: 'C', now, jitter: 1 } as const

  it('is retried five times in all, each time later', () => {
    const delays = [1, 2, 3, 4, 5].map((attempts) => {
      const decision = decideRetry({ ...retry, attempts, policy: standardPolicy })
      return decision.kind === 'retry' ? decision.at - now : decision
    })
    const stop = { kind: 'stop', reason: 'attempts_used_up' }
    expect(delays).toEqual([30_000, 60_000, 120_000, 240_000, stop])
  })

  it('is retried by classic for ever, at once', () => {
    const decision = decideRetry({ ...retry, attempts: 1000, policy: classicPolicy })
    expect(decision).toEqual({ kind: 'retry', at: now })
  })

  it('does not start a cooldown that refuses its own retry', () => {
    const waiting = [pastAction('edit', 'waiting', 1)]
    const failed = [pastAction('edit', 'failed', 1)]
    expect(reportOf('action_cooldown', { history: waiting }).kind).toBe('pass')
    expect(reportOf('action_cooldown', { history: failed }).kind).toBe('pass')
    const report = reportOf('action_cooldown', { history: failed, policy: classicPolicy })
    expect(report.kind).toBe('hold')
  })
})

describe('defect 10: failures', () => {
  const history = [pastAction('comment', 'failed', 5), pastAction('comment', 'failed', 3)]

  it('do not silence the post for other actions', () => {
    expect(standard({ history })).toMatchObject({ kind: 'plan', action: 'edit' })
  })

  it('fill the window of classic', () => {
    expect(classic({ history })).toMatchObject({ kind: 'hold', reason: 'window_frequency' })
  })
})

describe('defect 11: history', () => {
  const history = [
    pastAction('edit', 'failed', 700),
    pastAction('edit', 'success', 130, { endedAt: ago(1) }),
  ]

  it('keeps every row, so that an earlier failure still counts after a success', () => {
    expect(reportOf('failed_before', { history }).facts).toMatchObject({ count: 1 })
    expect(standard({ history })).toMatchObject({ kind: 'plan', generation: 2 })
  })

  it('is counted from when an action could last have landed, not from when its row ended', () => {
    expect(reportOf('action_cooldown', { history }).facts).toMatchObject({ lastAt: ago(130) })
  })
})

describe('defect 12: an edit a minute ago, written before an older one', () => {
  const history = [pastAction('edit', 'success', 1), pastAction('edit', 'success', 300)]

  it('is seen', () => {
    expect(standard({ history })).toMatchObject({
      kind: 'hold',
      reason: 'action_cooldown',
      until: untilTime(ago(1) + 2 * hourMs),
    })
  })

  it('is not seen by classic, which reads the last one written', () => {
    expect(classic({ history })).toMatchObject({ kind: 'plan', action: 'edit' })
  })
})

describe('defect 13: an outcome', () => {
  it('that has ended stays as it is', () => {
    for (const from of states.filter(isEnded)) {
      expect(states.filter((to) => canFollow(from, to))).toEqual([])
    }
  })

  it('under another post still blocks its key', () => {
    const key = actionKey(postId, 'edit', 'tier_2')
    const foreignKeys = [{ key, state: 'success' }] as const
    expect(standard({ foreignKeys })).toMatchObject({ kind: 'hold', reason: 'duplicate' })
  })
})

describe('defect 14: evidence that proves nothing', () => {
  const grown = samplesFor('tier_2')
  const cases: readonly (readonly [string, DecisionInput['samples'], object])[] = [
    [
      'a counter that started again',
      [...grown.slice(0, 5), sampleAt(12, 10, 1), sampleAt(0, 200, 2)],
      { reason: 'insufficient_samples', count: 2 },
    ],
    [
      'readings from the future',
      [sampleAt(-10, 1000, 50), sampleAt(-20, 1500, 55), sampleAt(-30, 2000, 60)],
      { reason: 'insufficient_samples', count: 0 },
    ],
    [
      'one impression in two seconds',
      [sampleAt(2 / 60, 1000, 50), sampleAt(1 / 60, 1000, 50), sampleAt(0, 1001, 50)],
      { reason: 'insufficient_samples', count: 1 },
    ],
    [
      'one impression in half an hour',
      [sampleAt(30, 1000, 50), sampleAt(15, 1000, 50), sampleAt(0, 1001, 50)],
      { reason: 'too_few_impressions', count: 1 },
    ],
    [
      'the same sample three times',
      Array.from({ length: 3 }, () => sampleAt(0, 1000, 50)),
      { reason: 'insufficient_samples', count: 1 },
    ],
  ]

  it.each(cases)('%s gives no verdict', (_, samples, lack) => {
    expect(standard({ samples })).toMatchObject({ kind: 'insufficient', lack })
  })

  it.each(cases)('%s gives one under classic', (_, samples) => {
    expect(classic({ samples })).toMatchObject({ kind: 'plan' })
  })
})

describe('defect 15: what is no input', () => {
  it('a time without an offset is refused', () => {
    expect(() => parseInstant('2026-07-15T09:15:17', 'now')).toThrow(/^now: .* has no offset/)
  })

  it.each([classicPolicy, standardPolicy])('NaN is refused under $name', (policy) => {
    const samples = [...samplesFor('tier_2'), sampleAt(0, NaN, 1)]
    expect(() => decideWith({ samples, policy })).toThrow(InputError)
    expect(() => decideWith({ now: NaN, policy })).toThrow(/^now: /)
  })

  it('a configuration that would fail later is refused when it is loaded', () => {
    const evidence = { ...classicPolicy.evidence, minimumSamples: 0 }
    const parse = () => parsePolicy({ ...classicPolicy, evidence })
    expect(parse).toThrow(/^policy\.evidence\.minimumSamples: /)
  })
})

describe('defect 16: a refusal', () => {
  it('carries its score, its reason in words, and when it would be allowed', () => {
    const verdict = standard({ history: [pastAction('edit', 'success', 30)] })
    expect(verdict).toMatchObject({
      kind: 'hold',
      reason: 'action_cooldown',
      score: 1 - (18 / 1200) * 20,
      until: untilTime(ago(30) + 2 * hourMs),
    })
    expect(explain(verdict)).toContain(
      'held by action_cooldown: a post rests 2 h after each edit; ' +
        'the last was at 2026-07-15T08:45:17+00:00. ' +
        'Possible again at 2026-07-15T10:45:17+00:00',
    )
  })

  it('says what is missing where there is too little to judge', () => {
    const verdict = standard({ samples: [sampleAt(10, 1000, 50), sampleAt(0, 1100, 50)] })
    expect(verdict.kind).toBe('insufficient')
    expect(explain(verdict)).toContain('there are 2 usable samples, and it takes at least 3')
  })
})

describe('the post of these cases', () => {
  it.each([classicPolicy, standardPolicy])('comes to a plan under $name as it is', (policy) => {
    expect(decideWith({ ...inputWith({ policy }) })).toMatchObject({ kind: 'plan', action: 'edit' })
  })
})
