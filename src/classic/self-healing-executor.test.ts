/** Tests the executor through its public surface, beyond what the recordings show. */

import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HistoryFileError, InputError, SelfHealingExecutor } from './index.ts'
import type {
  Clock,
  OutcomeInput,
  PostMetricsPoint,
  SelfHealingExecutorOptions,
  Time,
} from './index.ts'

const scratch = () => mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))

const at = '2026-07-15T09:15:17+00:00'

/** Nothing gained in half an hour: a score of 1 and so a thread. */
const stalled: readonly PostMetricsPoint[] = [
  { timestamp: '2026-07-15T08:45:17+00:00', impressions: 1000, engagements: 10 },
  { timestamp: '2026-07-15T09:00:17+00:00', impressions: 1500, engagements: 10 },
  { timestamp: '2026-07-15T09:15:17+00:00', impressions: 2000, engagements: 10 },
]
const threadKey = 'sheal_a87884b1443b302557140a5d72f618f1'

const outcome: OutcomeInput = {
  postId: 'post-1',
  actionType: 'thread',
  tier: 'tier_3',
  idempotencyKey: threadKey,
  status: 'failed',
  errorCode: 'timeout',
  now: at,
}

function clockAt(instant: number): Clock {
  return { now: () => instant, monotonicMs: () => 0, sleep: () => Promise.resolve() }
}

describe('keys', () => {
  test.each([
    ['comment', 'tier_1', 'sheal_f3a90e92ee75513100c45c1e930c789d'],
    ['edit', 'tier_2', 'sheal_33a379361b175e0160b67f8de3762965'],
    ['thread', 'tier_3', threadKey],
  ] as const)('of %s and %s on post-1', (actionType, tier, key) => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({ persistencePath: join(directory.path, 'h.json') })
    expect(executor.generateIdempotencyKey('post-1', actionType, tier)).toBe(key)
  })
})

describe('without a time', () => {
  const clock = clockAt(Date.parse(at))

  test('an evaluation asks the clock', () => {
    using directory = scratch()
    const persistencePath = join(directory.path, 'h.json')
    const executor = new SelfHealingExecutor({ persistencePath, clock })
    expect(executor.evaluateAndPlan('post-1', stalled)).toMatchObject({ eligible: true })
    const later = new SelfHealingExecutor({ persistencePath, clock: clockAt(Date.parse(at) + 1e8) })
    expect(later.evaluateAndPlan('post-1', stalled)).toMatchObject({ sample_count: 0 })
  })

  test('an outcome is recorded at the time of the clock', () => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({
      persistencePath: join(directory.path, 'h.json'),
      clock,
    })
    const { now: _given, ...timeless } = outcome
    expect(executor.persistOutcome(timeless).initiated_at).toBe(at)
  })

  test('a clock that gives none is refused', () => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({
      persistencePath: join(directory.path, 'h.json'),
      clock: clockAt(Number.NaN),
    })
    const { now: _given, ...timeless } = outcome
    expect(() => executor.persistOutcome(timeless)).toThrow(InputError)
    expect(() => executor.evaluateAndPlan('post-1', stalled)).toThrow(InputError)
  })
})

test('the path is the original one, from the working directory, unless it is given', () => {
  using directory = scratch()
  const before = process.cwd()
  process.chdir(directory.path)
  try {
    const executor = new SelfHealingExecutor()
    process.chdir(before)
    executor.persistOutcome(outcome)
  } finally {
    process.chdir(before)
  }
  const path = join(directory.path, 'backend/data/self_healing_action_history.json')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(1)
})

describe('a record', () => {
  test('has null for what is not given', () => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({ persistencePath: join(directory.path, 'h.json') })
    const { errorCode: _code, ...rest } = outcome
    expect(executor.persistOutcome(rest)).toStrictEqual({
      idempotency_key: threadKey,
      post_id: 'post-1',
      action_type: 'thread',
      tier: 'tier_3',
      initiated_at: at,
      status: 'failed',
      attempts: 1,
      outcome: null,
      error_code: null,
    })
  })

  test('is the caller’s own: neither it nor the outcome handed in leads back here', () => {
    using directory = scratch()
    const path = join(directory.path, 'h.json')
    const executor = new SelfHealingExecutor({ persistencePath: path })
    const given = { ids: ['1'] }
    const record = executor.persistOutcome({ ...outcome, outcome: given })
    given.ids.push('2')
    Object.assign(record, { status: 'success' })
    executor.persistOutcome({ ...outcome, idempotencyKey: 'key-2' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject([
      { status: 'failed', outcome: { ids: ['1'] } },
      { idempotency_key: 'key-2' },
    ])
    expect(executor.shouldRetry(threadKey)).toBe(true)
  })
})

describe('what the recordings do not show', () => {
  const running = { ...outcome, status: 'running' }

  test('a key that runs under another post blocks the post it was made of', () => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({ persistencePath: join(directory.path, 'h.json') })
    executor.persistOutcome({ ...running, postId: 'post-2' })
    expect(executor.evaluateAndPlan('post-1', stalled, at)).toStrictEqual({
      post_id: 'post-1',
      eligible: false,
      reason: 'duplicate_action',
      idempotency_key: threadKey,
    })
    expect(executor.evaluateAndPlan('post-2', stalled, at)).toMatchObject({
      reason: 'action_cooldown_active',
    })
  })

  test('of records with one key the first is retried and updated, and any is a duplicate', () => {
    using directory = scratch()
    const path = join(directory.path, 'h.json')
    const executor = new SelfHealingExecutor({ persistencePath: path })
    const record = executor.persistOutcome({ ...outcome, now: '2026-07-14T00:00:00Z' })
    writeFileSync(path, JSON.stringify([record, { ...record, status: 'success' }]))
    const reopened = new SelfHealingExecutor({ persistencePath: path })
    expect(reopened.shouldRetry(threadKey)).toBe(true)
    expect(reopened.evaluateAndPlan('post-1', stalled, at)).toMatchObject({
      reason: 'duplicate_action',
    })
    expect(reopened.persistOutcome({ ...outcome, errorCode: 'auth_error' }).attempts).toBe(2)
    expect(reopened.shouldRetry(threadKey)).toBe(false)
  })

  test.each([
    ['failed', 'timeout', true],
    ['failed', 'rate_limit', true],
    ['failed', 'service_unavailable', true],
    ['failed', 'network_error', true],
    ['failed', 'TIMEOUT', false],
    ['failed', 'timeout ', false],
    ['failed', 'conflict', false],
    ['failed', 'bad_answer', false],
    ['failed', 'toString', false],
    ['failed', '', false],
    ['failed', null, false],
    ['FAILED', 'timeout', false],
    ['unknown', 'timeout', false],
    ['success', 'timeout', false],
    ['running', 'timeout', false],
  ])('status %j with code %j is retried: %s', (status, errorCode, expected) => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({ persistencePath: join(directory.path, 'h.json') })
    executor.persistOutcome({ ...outcome, status, errorCode })
    expect(executor.shouldRetry(threadKey)).toBe(expected)
  })

  test('a retry is never used up, and an unknown key has none', () => {
    using directory = scratch()
    const path = join(directory.path, 'h.json')
    const record = new SelfHealingExecutor({ persistencePath: path }).persistOutcome(outcome)
    writeFileSync(path, JSON.stringify([{ ...record, attempts: 5000 }]))
    const executor = new SelfHealingExecutor({ persistencePath: path })
    expect(executor.shouldRetry(threadKey)).toBe(true)
    expect(executor.shouldRetry('key-2')).toBe(false)
  })

  test('a microsecond decides at the edge of the window and of the cooldown', () => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({
      persistencePath: join(directory.path, 'h.json'),
      config: {
        minSamplesRequired: 1,
        maxActionsPerWindow: 9,
        cooldownByActionSeconds: { thread: 60 },
      },
    })
    executor.persistOutcome({ ...outcome, now: '2026-07-15T09:14:17.000001Z' })
    const sample = { timestamp: '2026-07-15T07:45:17.000001Z', impressions: 1, engagements: 0 }
    const reasonAt = (now: string) => executor.evaluateAndPlan('post-1', [sample], now)
    expect(reasonAt('2026-07-15T09:15:17.000000Z')).toMatchObject({
      reason: 'action_cooldown_active',
    })
    expect(reasonAt('2026-07-15T09:15:17.000001Z')).toMatchObject({ eligible: true })
    expect(reasonAt('2026-07-15T09:15:17.000002Z')).toMatchObject({
      reason: 'insufficient_samples',
    })
  })
})

test('a damaged file stops the executor and is left as it is', () => {
  using directory = scratch()
  const path = join(directory.path, 'h.json')
  writeFileSync(path, '[\n  {"idempotency_key": "key-1"')
  const open = () => new SelfHealingExecutor({ persistencePath: path })
  expect(open).toThrow(HistoryFileError)
  expect(open).toThrow(expect.objectContaining({ path, line: 2 }))
  expect(readFileSync(path, 'utf8')).toBe('[\n  {"idempotency_key": "key-1"')
})

describe('options that cannot be used', () => {
  test.each([
    [{ config: { minSamplesRequired: 0 } }, 'config.minSamplesRequired'],
    [{ config: null }, 'config'],
    [{ persistencePath: '' }, 'persistencePath'],
    [{ persistencePath: 7 }, 'persistencePath'],
    [{ persistencePath: null }, 'persistencePath'],
    [{ persistencePath: 'a\0b' }, 'persistencePath'],
    [{ persistancePath: 'h.json' }, 'persistancePath'],
    [null, 'options'],
    ['h.json', 'options'],
  ])('%j', (options, field) => {
    const open = () => new SelfHealingExecutor(options as SelfHealingExecutorOptions)
    expect(open).toThrow(InputError)
    expect(open).toThrow(expect.objectContaining({ field }))
  })
})

describe('input that cannot be used is refused by name and changes nothing', () => {
  const half = 'half \ud83c'
  const loop: { inner?: unknown } = {}
  loop.inner = loop
  const sample = { timestamp: at, impressions: 1, engagements: 1 }

  test.each([
    ['postId', 7, stalled, at],
    ['postId', half, stalled, at],
    ['metrics', 'post-1', null, at],
    ['metrics', 'post-1', { length: 1 }, at],
    ['metrics[1]', 'post-1', [sample, null], at],
    ['metrics[0]', 'post-1', [7], at],
    ['metrics[0]', 'post-1', Array(1), at],
    ['metrics[0].timestamp', 'post-1', [{ ...sample, timestamp: '2026-07-15T09:15:17' }], at],
    ['metrics[0].timestamp', 'post-1', [{ ...sample, timestamp: new Date(Number.NaN) }], at],
    ['metrics[0].timestamp', 'post-1', [{ ...sample, timestamp: 1_784_106_917_000 }], at],
    ['metrics[0].timestamp', 'post-1', [{ ...sample, timestamp: new Date(8.64e15) }], at],
    ['metrics[0].timestamp', 'post-1', [{ ...sample, timestamp: '9999-12-31T23:59:59-05:00' }], at],
    ['metrics[0].impressions', 'post-1', [{ ...sample, impressions: null }], at],
    ['metrics[0].impressions', 'post-1', [{ ...sample, impressions: '1' }], at],
    ['metrics[1].impressions', 'post-1', [sample, { ...sample, impressions: Number.NaN }], at],
    ['metrics[3].engagements', 'post-1', [...stalled, { ...sample, engagements: -1 }], at],
    [
      'metrics[0].engagements',
      'post-1',
      [{ timestamp: new Date(0), impressions: 1, engagements: Infinity }],
      at,
    ],
    ['now', 'post-1', stalled, '2026-07-15T09:15:17'],
    ['now', 'post-1', stalled, new Date(Number.NaN)],
    ['now', 'post-1', stalled, null],
    ['now', 'post-1', stalled, 1_784_106_917_000],
  ])('%s of an evaluation (%#)', (field, postId, metrics, now) => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({ persistencePath: join(directory.path, 'h.json') })
    const run = () =>
      executor.evaluateAndPlan(postId as string, metrics as PostMetricsPoint[], now as Time)
    expect(run).toThrow(InputError)
    expect(run).toThrow(expect.objectContaining({ field }))
  })

  test.each([
    ['postId', { postId: half }],
    ['postId', { postId: undefined }],
    ['actionType', { actionType: 'Comment' }],
    ['actionType', { actionType: 'reply' }],
    ['tier', { tier: 'healthy' }],
    ['tier', { tier: 1 }],
    ['idempotencyKey', { idempotencyKey: half }],
    ['idempotencyKey', { idempotencyKey: null }],
    ['status', { status: 7 }],
    ['status', { status: half }],
    ['errorCode', { errorCode: 7 }],
    ['errorCode', { errorCode: half }],
    ['outcome.n', { outcome: { n: Number.NaN } }],
    ['outcome.n', { outcome: { n: undefined } }],
    ['outcome.text', { outcome: { text: half } }],
    ['outcome.inner', { outcome: loop }],
    ['outcome', { outcome: () => 1 }],
    ['outcome', { outcome: 1n }],
    ['now', { now: '2026-07-15T09:15:17' }],
    ['now', { now: '2026-07-15T09:15:17+24:00' }],
    ['now', { now: new Date(Number.NaN) }],
    ['now', { now: new Date(8.64e15) }],
    ['now', { now: '9999-12-31T23:59:59-05:00' }],
    ['now', { now: null }],
  ])('%s of an outcome (%#)', (field, change) => {
    using directory = scratch()
    const path = join(directory.path, 'h.json')
    const executor = new SelfHealingExecutor({ persistencePath: path })
    executor.persistOutcome(outcome)
    const before = readFileSync(path, 'utf8')
    const run = () =>
      executor.persistOutcome({ ...outcome, status: 'success', ...change } as OutcomeInput)
    expect(run).toThrow(InputError)
    expect(run).toThrow(expect.objectContaining({ field }))
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(executor.shouldRetry(threadKey)).toBe(true)
    expect(readdirSync(directory.path)).toEqual(['h.json'])
  })

  test('an outcome that is no object, a key that is no text, an action that is none', () => {
    using directory = scratch()
    const executor = new SelfHealingExecutor({ persistencePath: join(directory.path, 'h.json') })
    const asInput = (value: unknown) => value as OutcomeInput
    expect(() => executor.persistOutcome(asInput(null))).toThrow('input: null is not an object')
    expect(() => executor.shouldRetry(half)).toThrow('idempotencyKey: holds half')
    expect(() => executor.generateIdempotencyKey(half, 'edit', 'tier_1')).toThrow('postId: holds')
    const { actionType, tier } = asInput({ actionType: 'reply', tier: 'tier_0' })
    expect(() => executor.generateIdempotencyKey('post-1', actionType, 'tier_1')).toThrow(
      'actionType: "reply" is not one of comment, edit, thread',
    )
    expect(() => executor.generateIdempotencyKey('post-1', 'edit', tier)).toThrow(
      'tier: "tier_0" is not one of tier_1, tier_2, tier_3',
    )
    expect(readdirSync(directory.path)).toEqual([])
  })
})
