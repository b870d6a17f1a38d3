/** What must be true of a classic executor's history: taken over whole, and given back. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { toAccountId, toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { formatInstant } from '../../core/instant.ts'
import { actionKey } from '../../core/key.ts'
import type { ClassicRecord } from '../../ledger/classic-history.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expectHeld, refused } from './world.ts'
import type { World } from './world.ts'

function record(postId: string, changes: Partial<ClassicRecord> = {}): ClassicRecord {
  const { action_type = 'comment', tier = 'tier_1' } = changes
  return {
    idempotency_key: actionKey(postId, action_type, tier),
    post_id: postId,
    action_type,
    tier,
    initiated_at: '2026-03-02T11:50:00.000123+00:00',
    status: 'success',
    attempts: 1,
    outcome: { url: 'https://network.example/1' },
    error_code: null,
    ...changes,
  }
}

/** Imports and gives the rows of one post, by their action. */
async function rowsOf(world: World, postId: string) {
  const filter = { postId: toPostId(postId) }
  const rows = await world.ledger.listActions(filter, { after: null, limit: 9 })
  return Object.fromEntries(rows.map((row) => [row.action, row]))
}

export const classicCases = casesOf('a classic history', {
  'comes back as it was, in the order of time': async (world) => {
    const { id } = await world.account()
    const records = [
      record('z', { initiated_at: '2026-03-02T09:00:00+00:00', tier: 'tier_3' }),
      record('a', { initiated_at: '2026-03-02T09:30:00.000001+00:00', status: 'running' }),
      record('m', { status: 'failed', attempts: 3, outcome: null, error_code: 'timeout' }),
      record('m', { initiated_at: '2026-03-02T11:51:00+00:00', action_type: 'edit' }),
      record('k', { initiated_at: '2026-03-02T11:52:00+00:00', status: 'odd', outcome: [1, 'x'] }),
    ]
    assert.equal(await world.ledger.importClassic(id, records), records.length)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.exportClassic(id), records)
  },

  'what was running there is unknown here, and due to be read back': async (world) => {
    const { id } = await world.account()
    await world.ledger.importClassic(id, [record('p', { status: 'running', outcome: null })])
    const { comment } = await rowsOf(world, 'p')
    assert.deepEqual([comment?.state, comment?.dueAt, comment?.endedAt], ['unknown', noon, null])
    assert.deepEqual(await world.ledger.due('reconcile', 9), [comment?.id])
    assert.ok(comment)
    const found = await world.reconcile(comment, {
      kind: 'landed',
      remoteId: 'r',
      outcome: { found: true },
    })
    assert.equal(found.state, 'success')
    const [exported] = await world.ledger.exportClassic(id)
    assert.deepEqual([exported?.status, exported?.outcome], ['success', { found: true }])
  },

  'of several that ran on one post the others count as landed': async (world) => {
    const { id } = await world.account()
    const running = { status: 'running', outcome: null } as const
    const edit = { action_type: 'edit', tier: 'tier_2' } as const
    await world.ledger.importClassic(id, [
      record('p', running),
      record('p', { ...running, ...edit }),
    ])
    const rows = await rowsOf(world, 'p')
    assert.deepEqual([rows['comment']?.state, rows['edit']?.state], ['unknown', 'success'])
    const thread = { action_type: 'thread', tier: 'tier_3' } as const
    const more = [record('p', { ...running, ...thread }), record('p', running)]
    assert.equal(await world.ledger.importClassic(id, more), 1)
    assert.equal((await rowsOf(world, 'p'))['thread']?.state, 'success')
  },

  'a key that is known is left alone': async (world) => {
    const { id } = await world.account()
    const first = record('p', { status: 'running' })
    assert.equal(await world.ledger.importClassic(id, [first, first]), 1)
    const changed = record('p', { status: 'failed', attempts: 7 })
    assert.equal(await world.ledger.importClassic(id, [changed, record('q')]), 1)
    assert.equal((await rowsOf(world, 'p'))['comment']?.state, 'unknown')
    assert.equal((await rowsOf(world, 'q'))['comment']?.state, 'success')
  },

  'counts in the guards of the post': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const at = noon - 10 * minuteMs
    const initiated_at = formatInstant(at)
    await world.ledger.importClassic(account.id, [record(post.id, { initiated_at })])
    const until = { kind: 'time', at: at + 30 * minuteMs }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'action_cooldown', until)
    assert.deepEqual(await world.ledger.getPost(post.id), post, 'a post that is known stays')
  },

  'a bad record is refused by its field, and nothing is written': async (world) => {
    const { id } = await world.account()
    const good = record('p')
    const cases: readonly [unknown, string][] = [
      [{ ...good, tier: 'tier_9' }, 'history[1].tier'],
      [{ ...good, initiated_at: 'yesterday' }, 'history[1].initiated_at'],
      [{ ...good, initiated_at: '2026-03-02T11:50:00' }, 'history[1].initiated_at'],
      [{ ...good, post_id: '' }, 'history[1].post_id'],
      [{ ...good, attempts: 0 }, 'history[1].attempts'],
      [{ ...good, idempotency_key: 'k\0' }, 'history[1].idempotency_key'],
      ['nothing', 'history[1]'],
    ]
    for (const [bad, field] of cases) {
      await assert.rejects(
        world.ledger.importClassic(id, [good, bad]),
        (error) => error instanceof InputError && error.field === field,
        field,
      )
    }
    assert.deepEqual(await world.ledger.exportClassic(id), [])
    assert.equal(await world.ledger.getPost(toPostId('p')), null)
    const nobody = world.ledger.importClassic(toAccountId('nobody'), [good])
    await assert.rejects(nobody, InputError)
  },

  'is refused whole where a post stands under its id on the network': async (world) => {
    const account = await world.account()
    const post = await world.post(account, { remoteId: 'p' })
    const records = [record('q'), record('p')]
    await assert.rejects(world.ledger.importClassic(account.id, records), (error) => {
      return error instanceof LedgerError && error.kind === 'conflict'
    })
    assert.equal(await world.ledger.getPost(toPostId('q')), null)
    assert.deepEqual(await world.ledger.getPost(post.id), post)
  },

  'holds what the ledger did, as far as the classic executor knows it': async (world) => {
    const account = await world.account()
    const done = await world.succeeded(await world.post(account))
    world.clock.advance(1000)
    const failed = await world.failed(await world.post(account))
    world.clock.advance(1000)
    const { action: unknown } = await world.unknown(await world.post(account))
    await world.plan(await world.post(account))
    await world.succeeded()
    const exported = await world.ledger.exportClassic(account.id)
    assert.deepEqual(
      exported.map(({ idempotency_key, status, attempts, error_code, outcome }) => [
        idempotency_key,
        status,
        attempts,
        error_code,
        outcome,
      ]),
      [
        [done.key, 'success', 1, null, { ok: 1 }],
        [failed.key, 'failed', 1, refused.code, null],
        [unknown.key, 'running', 1, 'timeout', null],
      ],
    )
    assert.equal(exported[0]?.initiated_at, '2026-03-02T12:00:00+00:00')
  },

  'is one event': async (world) => {
    const { id } = await world.account()
    await world.ledger.importClassic(id, [record('p'), record('q')])
    const { events } = await world.ledger.readEvents(null, { types: ['history_imported'] }, 9)
    assert.deepEqual(
      events.map(({ accountId, data }) => [accountId, data]),
      [[id, { rows: 2 }]],
    )
  },
})
