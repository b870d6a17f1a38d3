/** Shows how classic records become rows and rows records, whatever a file may hold. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actions, tiers } from '../core/action.ts'
import { formatInstant } from '../core/instant.ts'
import { noon } from '../testing/ledger/harness.ts'
import { accountRow, actionRow } from '../testing/ledger/views.ts'
import {
  parseClassicRecords,
  toClassicRecords,
  toImportedAction,
  toImportedPost,
} from './classic-history.ts'
import type { ClassicRecord } from './classic-history.ts'

const account = accountRow()

function record(changes: Partial<ClassicRecord> = {}): ClassicRecord {
  return {
    idempotency_key: 'sheal_1',
    post_id: 'p',
    action_type: 'comment',
    tier: 'tier_1',
    initiated_at: '2026-03-02T11:50:00+00:00',
    status: 'success',
    attempts: 1,
    outcome: null,
    error_code: null,
    ...changes,
  }
}

const anyRecord: fc.Arbitrary<ClassicRecord> = fc.record({
  idempotency_key: fc.stringMatching(/^sheal_[0-9a-f]{32}$/),
  post_id: fc.stringMatching(/^[a-z0-9]{1,20}$/),
  action_type: fc.constantFrom(...actions),
  tier: fc.constantFrom(...tiers),
  initiated_at: fc
    .integer({ min: 0, max: 4e15 })
    .map((microseconds) => formatInstant(Math.floor(microseconds / 1000))),
  status: fc.constantFrom('success', 'failed', 'running', 'cancelled', ''),
  attempts: fc.integer({ min: 1, max: 99 }),
  outcome: fc.option(fc.json().map((text) => JSON.parse(text) as ClassicRecord['outcome'])),
  error_code: fc.option(fc.constantFrom('timeout', 'rate_limit', 'something else')),
})

describe('a classic record', () => {
  test('comes back from its row as it was', () => {
    fc.assert(
      fc.property(anyRecord, fc.boolean(), (given, mayBeOpen) => {
        const [parsed] = parseClassicRecords([given])
        const row = toImportedAction(parsed ?? given, account, noon, mayBeOpen)
        expect(toClassicRecords([row])).toEqual([given])
      }),
    )
  })

  test('may leave out what has a default', () => {
    const { attempts: _attempts, outcome: _outcome, error_code: _code, ...short } = record()
    expect(parseClassicRecords([short])).toEqual([record()])
  })

  test.each([
    ['running', true, 'unknown'],
    ['running', false, 'success'],
    ['success', true, 'success'],
    ['failed', true, 'failed'],
    ['anything else', true, 'failed'],
  ] as const)('that is %s (place free: %s) is %s here', (status, mayBeOpen, state) => {
    const row = toImportedAction(record({ status }), account, noon, mayBeOpen)
    const at = Date.UTC(2026, 2, 2, 11, 50)
    expect(row.state).toBe(state)
    expect(row.mayLandUntil).toBe(state === 'failed' ? null : at)
    expect([row.dueAt, row.endedAt]).toEqual(state === 'unknown' ? [noon, null] : [null, at])
  })

  test('is of a post of which nothing else is known', () => {
    const post = toImportedPost(record(), account, noon)
    expect(post).toMatchObject({ id: 'p', remoteId: 'p', text: null, nextCheckAt: null })
    expect([post.publishedAt, post.trackedAt]).toEqual([Date.UTC(2026, 2, 2, 11, 50), noon])
  })
})

describe('a row', () => {
  test.each([
    ['running', 'running'],
    ['unknown', 'running'],
    ['needs_attention', 'running'],
    ['success', 'success'],
    ['failed', 'failed'],
    ['waiting', 'failed'],
    ['cancelled', 'failed'],
  ] as const)('that is %s is %s for the classic executor', (state, status) => {
    expect(toClassicRecords([actionRow({ state })])[0]?.status).toBe(status)
  })

  test('that was never begun, or only takes another back, is left out', () => {
    const { id } = actionRow()
    const rows = [actionRow({ firstClaimedAt: null }), actionRow({ undoes: id })]
    expect(toClassicRecords(rows)).toEqual([])
  })

  test('comes in the order in which it was begun', () => {
    const rows = [3, 1, 2].map((order) => actionRow({ firstClaimedAt: order, attempts: order }))
    expect(toClassicRecords(rows).map(({ attempts }) => attempts)).toEqual([1, 2, 3])
  })
})
