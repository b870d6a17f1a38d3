/**
 * What a store refuses whoever asks for it: the last line behind the steps. These cases speak to
 * the store itself, as a mistake in a step would (I1, I7, I8).
 */

import assert from 'node:assert/strict'
import { states, transitions } from '../../core/states.ts'
import type { State } from '../../core/states.ts'
import { toActionKey, toPostId } from '../../core/ids.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import type { ActionRow, PostRow } from '../../ledger/rows.ts'
import type { Changes, Reach } from '../../ledger/store.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { refused, timedOut } from './world.ts'
import type { World } from './world.ts'

const isConflict = (error: unknown) => error instanceof LedgerError && error.kind === 'conflict'
const nothing: Reach = { samplesMs: 0, looksMs: 0, accountMs: 0, accountLimit: 0, platformMs: 0 }

/** Writes changes to a row with nothing between the caller and the store. */
function write(world: World, { id }: ActionRow, changes: (row: ActionRow) => Changes) {
  const { store } = world.harness
  return store.withAction(id, ({ action }) => ({ result: null, changes: changes(action) }))
}

function insert(world: World, post: PostRow, row: ActionRow) {
  const { store } = world.harness
  return store.withPost(post.id, nothing, () => ({ result: 1, changes: { insertAction: row } }))
}

async function refuses(
  world: World,
  row: ActionRow,
  patch: Partial<ActionRow>,
  message?: string,
): Promise<void> {
  const before = await world.row(row)
  const attempt = write(world, row, (stored) => ({
    updateAction: { ...stored, version: stored.version + 1, ...patch },
  }))
  await assert.rejects(attempt, isConflict, message)
  await world.unchanged(before)
}

/** A row in each state, brought there by the ledger itself. */
const rowIn: Readonly<Record<State, (world: World) => Promise<ActionRow>>> = {
  planned: async (world) => world.plan(await world.post()),
  awaiting_approval: async (world) =>
    world.plan(await world.post(await world.account({ mode: 'approve' }))),
  approved: async (world) => {
    const asked = await rowIn.awaiting_approval(world)
    const { textHash } = asked
    return world.decide(asked, { kind: 'approve', textHash, graceMs: 0, expiresAfterMs: 999 })
  },
  running: (world) => world.running(),
  waiting: async (world) => {
    const { attempt } = await world.sending()
    return world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
  },
  unknown: async (world) => {
    const { attempt } = await world.sending()
    return world.settle(attempt, { kind: 'unknown', fault: timedOut, reconcileAt: noon })
  },
  needs_attention: async (world) => {
    const unknown = await rowIn.unknown(world)
    return world.reconcile(unknown, { kind: 'needs_attention', reason: 'odd' })
  },
  success: (world) => world.succeeded(),
  failed: (world) => world.failed(),
  rejected: async (world) =>
    world.decide(await rowIn.planned(world), { kind: 'reject', reason: 'no' }),
  expired: async (world) => {
    const row = await world.plan(await world.post(), { expiresAfterMs: 0 })
    await world.ledger.expire(9, 0)
    return world.row(row)
  },
  cancelled: async (world) =>
    world.decide(await rowIn.planned(world), { kind: 'cancel', reason: 'no' }),
}

/** The fields that a row in this state has to have. */
function fieldsOf(state: State): Partial<ActionRow> {
  return transitions[state].length === 0
    ? { state, endedAt: noon, dueAt: null, leaseUntil: null, noticeAt: null }
    : { state }
}

export const integrityCases = casesOf('a store refuses', {
  ...Object.fromEntries(
    states.map((from) => [
      `from ${from} every state that cannot follow it`,
      async (world: World) => {
        const row = await rowIn[from](world)
        assert.equal(row.state, from)
        for (const to of states) {
          if (to === from || transitions[from].includes(to)) continue
          await refuses(world, row, fieldsOf(to), `${from} → ${to}`)
        }
      },
    ]),
  ),

  'every change of a row that has ended': async (world) => {
    const row = await world.succeeded()
    await refuses(world, row, { outcome: { other: true } })
    await refuses(world, row, { mayLandUntil: null })
    await refuses(world, row, { endedAt: noon + 1 })
    await refuses(world, row, { dueAt: noon })
  },

  'another key, post, action, tier or generation': async (world) => {
    const row = await world.running()
    const other = await world.post()
    await refuses(world, row, { key: toActionKey('sheal_other') })
    await refuses(world, row, { postId: other.id })
    await refuses(world, row, { action: 'edit' })
    await refuses(world, row, { tier: 'tier_3' })
    await refuses(world, row, { generation: 1 })
  },

  'another text once it was claimed': async (world) => {
    const row = await world.running()
    await refuses(world, row, { text: 'Other.' })
    await refuses(world, row, { textHash: 'f'.repeat(64) })
  },

  'a version that is not the next': async (world) => {
    const row = await world.running()
    await refuses(world, row, { version: row.version })
    await refuses(world, row, { version: row.version + 2 })
  },

  'a key, an id and an open place that are taken': async (world) => {
    const post = await world.post()
    const other = await world.post()
    const open = await world.plan(post)
    const fresh = { ...open, id: 'action-x' as ActionRow['id'], key: toActionKey('sheal_x') }
    const cases: readonly [PostRow, ActionRow][] = [
      [other, { ...fresh, key: open.key, postId: other.id, accountId: other.accountId }],
      [other, { ...fresh, id: open.id, postId: other.id, accountId: other.accountId }],
      [post, fresh],
    ]
    for (const [place, row] of cases) {
      await assert.rejects(insert(world, place, row), isConflict)
    }
    assert.equal(await world.ledger.getAction(fresh.id), null)
    await world.unchanged(open)
  },

  'a change whole: nothing of it is left where one part cannot be': async (world) => {
    const row = await world.running()
    const { cursor } = await world.ledger.readEvents(null, {}, 99)
    const refusal = write(world, row, (stored) => ({
      updateAction: { ...stored, version: stored.version + 1, state: 'rejected' },
      postContent: { postId: row.postId, remoteId: 'r', contentVersion: null, text: 'Other.' },
      events: [
        {
          type: 'incident',
          at: noon,
          accountId: row.accountId,
          postId: row.postId,
          actionId: row.id,
          data: { kind: 'landed_after_failure' },
        },
      ],
    }))
    await assert.rejects(refusal, isConflict)
    assert.deepEqual((await world.ledger.readEvents(cursor, {}, 9)).events, [])
    const post = await world.ledger.getPost(row.postId)
    assert.notEqual(post?.text, 'Other.')
  },

  'nothing, and writes nothing, where a step throws': async (world) => {
    const row = await world.running()
    const broken = world.harness.store.withAction(row.id, () => {
      throw new Error('a mistake in a step')
    })
    await assert.rejects(broken, /a mistake in a step/)
    await world.unchanged(row)
    await world.begin(row)
  },

  'views of what is not there': async (world) => {
    const { store } = world.harness
    const id = toPostId('nowhere')
    const step = () => ({ result: 1, changes: {} })
    assert.equal(await store.withPost(id, nothing, step), null)
    assert.deepEqual(await store.readPosts([id], nothing), [null])
    const action = 'nothing' as ActionRow['id']
    assert.equal(await store.withAction(action, step), null)
    assert.equal(await store.withClaim(action, nothing, step), null)
  },
})
