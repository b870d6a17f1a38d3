/** Tests how a configuration becomes a policy. */

import { describe, expect, test } from 'vitest'
import { InputError } from '../core/input-error.ts'
import { classicPolicy } from '../core/policies/classic.ts'
import { parsePolicy } from '../core/policy.ts'
import { toPolicy } from './evaluation-config.ts'
import type { EvaluationConfig } from './evaluation-config.ts'

test('without a field it is the classic policy', () => {
  expect(toPolicy({})).toEqual(classicPolicy)
  expect(toPolicy({ minSamplesRequired: undefined, cooldownByActionSeconds: {} })).toEqual(
    classicPolicy,
  )
})

test('every number arrives in its place, and the rest stays', () => {
  const policy = toPolicy({
    perPostWindowMinutes: 15,
    minSamplesRequired: 5,
    maxActionsPerWindow: 0,
    cooldownByActionSeconds: { comment: 0, edit: 60, thread: 61 },
  })
  expect(policy).toEqual({
    ...classicPolicy,
    evidence: { ...classicPolicy.evidence, windowMs: 900_000, minimumSamples: 5 },
    checks: [{ untilAgeMs: 259_200_000, everyMs: 180_000 }],
    guards: [
      { guard: 'duplicate' },
      { guard: 'window_frequency', windowMs: 900_000, maximum: 0, counts: 'every' },
      {
        guard: 'action_cooldown',
        cooldownMs: { comment: 0, edit: 60_000, thread: 61_000 },
        counts: 'every',
        last: 'as_written',
      },
    ],
  })
  expect(parsePolicy(policy)).toEqual(policy)
})

test('an action that is left out keeps its cooldown', () => {
  const { guards } = toPolicy({ cooldownByActionSeconds: { edit: 1 } })
  expect(guards.at(-1)).toMatchObject({
    cooldownMs: { comment: 1_800_000, edit: 1000, thread: 10_800_000 },
  })
})

test.each([
  [0, 0],
  [0.5, 30_000],
  [1 / 3, 20_000],
  [525_600, 31_536_000_000],
])('a window of %d minutes has %d milliseconds', (perPostWindowMinutes, windowMs) => {
  expect(toPolicy({ perPostWindowMinutes }).evidence.windowMs).toBe(windowMs)
})

test('a duration is a whole number of milliseconds, however the product is rounded', () => {
  expect(1.001 * 1000).not.toBe(1001)
  const { guards } = toPolicy({ cooldownByActionSeconds: { comment: 1.001 } })
  expect(guards.at(-1)).toMatchObject({ cooldownMs: { comment: 1001 } })
})

describe('what cannot be used is refused by name', () => {
  test.each([
    [{ windowMinutes: 90 }, 'config.windowMinutes'],
    [{ per_post_window_minutes: 90 }, 'config.per_post_window_minutes'],
    [{ perPostWindowMinutes: -1 }, 'config.perPostWindowMinutes'],
    [{ perPostWindowMinutes: Number.NaN }, 'config.perPostWindowMinutes'],
    [{ perPostWindowMinutes: Infinity }, 'config.perPostWindowMinutes'],
    [{ perPostWindowMinutes: 1e305 }, 'config.perPostWindowMinutes'],
    [{ perPostWindowMinutes: '90' }, 'config.perPostWindowMinutes'],
    [{ perPostWindowMinutes: null }, 'config.perPostWindowMinutes'],
    [{ perPostWindowMinutes: 1e-7 }, 'config.perPostWindowMinutes'],
    [{ minSamplesRequired: 0 }, 'config.minSamplesRequired'],
    [{ minSamplesRequired: 1.5 }, 'config.minSamplesRequired'],
    [{ maxActionsPerWindow: -1 }, 'config.maxActionsPerWindow'],
    [{ maxActionsPerWindow: Number.NaN }, 'config.maxActionsPerWindow'],
    [{ cooldownByActionSeconds: 60 }, 'config.cooldownByActionSeconds'],
    [{ cooldownByActionSeconds: { edit: -1 } }, 'config.cooldownByActionSeconds.edit'],
    [{ cooldownByActionSeconds: { thread: 0.0001 } }, 'config.cooldownByActionSeconds.thread'],
    [{ cooldownByActionSeconds: { reply: 60 } }, 'config.cooldownByActionSeconds.reply'],
    [null, 'config'],
    [[], 'config'],
  ])('%j', (config, field) => {
    const run = () => toPolicy(config as EvaluationConfig)
    expect(run).toThrow(InputError)
    expect(run).toThrow(expect.objectContaining({ field }))
  })
})
