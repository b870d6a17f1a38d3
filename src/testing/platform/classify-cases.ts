/** What must be true of classifying: it always answers, and doubts what it does not know. */

import assert from 'node:assert/strict'
import { isFaultCode } from '../../core/fault.ts'
import type { Fault } from '../../core/fault.ts'
import { casesOf } from './case.ts'
import type { CasesFor } from './case.ts'
import type { World } from './world.ts'

const strange: readonly unknown[] = [
  new Error('boom'),
  new TypeError('fetch failed', { cause: Object.assign(new Error('?'), { code: 'ECONNRESET' }) }),
  new SyntaxError('Unexpected token < in JSON'),
  'text',
  42,
  null,
  undefined,
  { status: 500 },
]

export const classifyCases: CasesFor = (suite) =>
  casesOf(suite, 'classify', {
    'takes a write that was given up for unknown': async (world) => {
      for (const name of ['AbortError', 'TimeoutError']) {
        const error = new DOMException('The operation was aborted', name)
        const fault = faultOf(world, error, 'write')
        assert.deepEqual([fault.landed, fault.code], ['unknown', 'timeout'])
      }
    },

    'takes a write for unknown whenever it does not know the error': async (world) => {
      for (const error of strange) assert.equal(faultOf(world, error, 'write').landed, 'unknown')
    },

    'knows that nothing lands by reading': async (world) => {
      for (const error of strange) assert.equal(faultOf(world, error, 'read').landed, 'no')
    },

    'keeps secrets that an error holds to itself': async (world) => {
      const secret = world.harness.canary ?? 'canary-7d21'
      for (const error of [new Error(`Bearer ${secret}`), secret, { authorization: secret }]) {
        for (const call of ['read', 'write'] as const) {
          assert.ok(!JSON.stringify(faultOf(world, error, call)).includes(secret))
        }
      }
    },
  })

/** Every fault is complete, whatever it was made of. */
function faultOf(world: World, error: unknown, call: 'read' | 'write'): Fault {
  const fault = world.classify(error, call, world.harness.now())
  assert.ok(isFaultCode(fault.code))
  assert.ok(['request', 'post', 'account', 'platform'].includes(fault.scope))
  assert.ok(fault.retryAt === null || Number.isFinite(fault.retryAt))
  assert.notEqual(fault.detail.trim(), '')
  return fault
}
