/** Tests that memory and file never part: reopening the file at any moment changes no answer. */

import * as fc from 'fast-check'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actions, tiers } from '../core/action.ts'
import { formatInstant } from '../core/instant.ts'
import { actionKey } from '../core/key.ts'
import { SelfHealingExecutor } from './index.ts'
import type { Json, OutcomeInput, PostMetricsPoint } from './index.ts'

type Step =
  | { readonly op: 'persist'; readonly input: OutcomeInput }
  | {
      readonly op: 'evaluate'
      readonly postId: string
      readonly metrics: readonly PostMetricsPoint[]
      readonly now: string
    }
  | { readonly op: 'retry'; readonly key: string }

const start = Date.UTC(2026, 6, 15, 9)

// Few of each, so that posts, keys and times meet often.
const post = fc.constantFrom('post-1', 'post-2', 'é')
const action = fc.constantFrom(...actions)
const tier = fc.constantFrom(...tiers)
const key = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(post, action, tier).map((parts) => actionKey(...parts)) },
  { weight: 1, arbitrary: fc.constantFrom('', 'key "1"', '\u007f\u2028🎉') },
)
const now = fc
  .tuple(fc.integer({ min: 0, max: 300 }), fc.constantFrom(0, 1 / 1024, 0.5, 1))
  .map(([minutes, ms]) => formatInstant(start + minutes * 60_000 + ms))
const point = fc.record({
  timestamp: now,
  impressions: fc.nat({ max: 5000 }),
  engagements: fc.nat({ max: 100 }),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    op: fc.constant('persist' as const),
    input: fc.record({
      postId: post,
      actionType: action,
      tier,
      idempotencyKey: key,
      status: fc.constantFrom('running', 'success', 'failed', 'failed', 'Odd', ''),
      outcome: fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>,
      errorCode: fc.constantFrom(null, 'timeout', 'network_error', 'auth_error'),
      now,
    }),
  }),
  fc.record({
    op: fc.constant('evaluate' as const),
    postId: post,
    metrics: fc.array(point, { minLength: 2, maxLength: 5 }),
    now,
  }),
  fc.record({ op: fc.constant('retry' as const), key }),
)

function run(executor: SelfHealingExecutor, it: Step): unknown {
  switch (it.op) {
    case 'persist':
      return executor.persistOutcome(it.input)
    case 'evaluate':
      return executor.evaluateAndPlan(it.postId, it.metrics, it.now)
    case 'retry':
      return executor.shouldRetry(it.key)
  }
}

test('an executor that is reopened before every step answers as one that never is', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      using directory = mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
      const config = { minSamplesRequired: 2, maxActionsPerWindow: 3 }
      const kept = join(directory.path, 'kept.json')
      const reopened = join(directory.path, 'reopened.json')
      const executor = new SelfHealingExecutor({ config, persistencePath: kept })
      for (const file of [kept, reopened]) writeFileSync(file, '[]')
      for (const it of steps) {
        const fresh = new SelfHealingExecutor({ config, persistencePath: reopened })
        expect(run(executor, it)).toStrictEqual(run(fresh, it))
      }
      expect(readFileSync(kept)).toEqual(readFileSync(reopened))
    }),
    { numRuns: 150 },
  )
})
