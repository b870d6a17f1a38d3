/** Replays what the original executor was recorded doing, and compares every answer and file. */

import { hash } from 'node:crypto'
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SelfHealingExecutor } from './index.ts'
import type { ActionRecord, EvaluationResult, OutcomeInput, PostMetricsPoint } from './index.ts'

interface PersistFields {
  readonly now: string
  readonly post_id: string
  readonly action_type: OutcomeInput['actionType']
  readonly tier: OutcomeInput['tier']
  readonly idempotency_key: string
  readonly status: string
  readonly outcome: NonNullable<OutcomeInput['outcome']> | null
  readonly error_code: string | null
}

type Step =
  | {
      readonly op: 'evaluate'
      readonly now: string
      readonly post_id: string
      readonly metrics: readonly PostMetricsPoint[]
      readonly result: EvaluationResult
    }
  | ({ readonly op: 'persist'; readonly result: ActionRecord } & PersistFields)
  | { readonly op: 'should_retry'; readonly idempotency_key: string; readonly result: boolean }
  | { readonly op: 'reload' }

interface Recording {
  readonly name: string
  readonly config: {
    readonly per_post_window_minutes: number
    readonly min_samples_required: number
    readonly max_actions_per_window: number
    readonly cooldown_by_action_seconds: {
      readonly comment: number
      readonly edit: number
      readonly thread: number
    }
  }
  readonly steps: readonly Step[]
  readonly history: readonly ActionRecord[]
}

interface PythonFiles {
  readonly files: readonly {
    readonly name: string
    readonly persists: readonly PersistFields[]
    readonly file: string
  }[]
  /** By the name of a recording: the digest of its last file, null where none was written. */
  readonly traceFiles: Readonly<Record<string, string | null>>
}

const fixtures = join(import.meta.dirname, '../../test/fixtures')
const recordings = gunzipSync(readFileSync(join(fixtures, 'classic-traces.jsonl.gz')))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recording)
const python = JSON.parse(
  readFileSync(join(fixtures, 'classic-python-files.json'), 'utf8'),
) as PythonFiles

function open({ config }: Pick<Recording, 'config'>, persistencePath: string): SelfHealingExecutor {
  return new SelfHealingExecutor({
    persistencePath,
    config: {
      perPostWindowMinutes: config.per_post_window_minutes,
      minSamplesRequired: config.min_samples_required,
      maxActionsPerWindow: config.max_actions_per_window,
      cooldownByActionSeconds: config.cooldown_by_action_seconds,
    },
  })
}

function persist(executor: SelfHealingExecutor, step: PersistFields): ActionRecord {
  return executor.persistOutcome({
    postId: step.post_id,
    actionType: step.action_type,
    tier: step.tier,
    idempotencyKey: step.idempotency_key,
    status: step.status,
    outcome: step.outcome,
    errorCode: step.error_code,
    now: step.now,
  })
}

/** What each step answers; a reload answers nothing. */
function replay(recording: Recording, path: string, asDate: boolean): readonly unknown[] {
  let executor = open(recording, path)
  return recording.steps.map((step) => {
    switch (step.op) {
      case 'evaluate': {
        const metrics = asDate ? withDates(step.metrics) : step.metrics
        const now = asDate ? new Date(step.now) : step.now
        return executor.evaluateAndPlan(step.post_id, metrics, now)
      }
      case 'persist':
        return persist(executor, step)
      case 'should_retry':
        return executor.shouldRetry(step.idempotency_key)
      case 'reload':
        executor = open(recording, path)
        return undefined
    }
  })
}

/** The recorded samples carry no more than milliseconds. */
function withDates(metrics: readonly PostMetricsPoint[]): readonly PostMetricsPoint[] {
  return metrics.map((point) => ({ ...point, timestamp: new Date(point.timestamp) }))
}

const recorded = (step: Step) => (step.op === 'reload' ? undefined : step.result)

describe('every recorded trace of the original', () => {
  test('is there', () => {
    expect(recordings).toHaveLength(600)
    expect(recordings.flatMap(({ steps }) => steps)).toHaveLength(2500 + 1687 + 889 + 215)
  })

  test.each([
    ['texts', false],
    ['Dates', true],
  ])('is answered alike, step by step, with times as %s', (_name, asDate) => {
    for (const recording of recordings) {
      using directory = mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
      const answers = replay(recording, join(directory.path, 'data/history.json'), asDate)
      const expected = recording.steps.map(recorded)
      // Numbers are compared with Object.is, and a missing field is not an undefined one.
      expect({ name: recording.name, answers }).toStrictEqual({
        name: recording.name,
        answers: expected,
      })
      expect(answers.map(fieldOrder)).toEqual(expected.map(fieldOrder))
    }
  })

  test('leaves the same history, in a file of the same bytes', () => {
    for (const recording of recordings) {
      const { name } = recording
      using directory = mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
      const path = join(directory.path, 'data/history.json')
      replay(recording, path, false)
      const text = existsSync(path) ? readFileSync(path, 'utf8') : null
      const history: unknown = text === null ? [] : JSON.parse(text)
      const digest = text === null ? null : hash('sha256', text, 'hex').slice(0, 16)
      expect({ name, history, digest }).toStrictEqual({
        name,
        history: recording.history,
        digest: python.traceFiles[name],
      })
    }
  })
})

function fieldOrder(answer: unknown): readonly string[] {
  return typeof answer === 'object' && answer !== null ? Object.keys(answer) : []
}

describe('a file has the bytes that Python would have written', () => {
  test.each(python.files)('$name', ({ persists, file }) => {
    using directory = mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
    const path = join(directory.path, 'history.json')
    const executor = new SelfHealingExecutor({ persistencePath: path })
    const answers = persists.map((step) => persist(executor, step))
    expect(readFileSync(path, 'utf8')).toBe(file)
    const written = JSON.parse(file) as readonly ActionRecord[]
    expect(answers.at(-1)).toStrictEqual(
      written.find((record) => record.idempotency_key === persists.at(-1)?.idempotency_key),
    )
  })
})
