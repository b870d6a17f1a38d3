/** What must be true of the overview: each number is what the rows say, for those who may see. */

import assert from 'node:assert/strict'
import { dayMs, hourMs } from '../../core/duration.ts'
import type { Overview } from '../../ledger/pages.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expiresAfterMs, refused, success, timedOut } from './world.ts'
import type { World } from './world.ts'

const nothing: Overview = {
  watched: 0,
  stalled: 0,
  awaitingApproval: 0,
  approved: 0,
  running: 0,
  waiting: 0,
  unknown: 0,
  needsAttention: 0,
  sentLast24h: 0,
  failedLast24h: 0,
  parkedAccounts: 0,
  nextApprovalExpiresAt: null,
}

const nobodysChoice = { kind: 'needs_attention', reason: 'nobody can tell' } as const

/** One action in each of the states that are counted. */
async function oneOfEach(world: World): Promise<void> {
  await world.running()
  const waiting = await world.sending()
  await world.settle(waiting.attempt, { kind: 'waiting', fault: refused, retryAt: noon })
  await world.unknown()
  await world.reconcile((await world.unknown()).action, nobodysChoice)
  await world.succeeded()
  await world.failed()
  await world.decide(await world.plan(await world.post()), { kind: 'cancel', reason: 'no' })
}

export const overviewCases = casesOf('the overview', {
  'of an empty ledger is all nothing': async (world) => {
    assert.deepEqual(await world.ledger.overview(), nothing)
    assert.deepEqual(await world.ledger.overview({ accountIds: [] }), nothing)
  },

  'counts posts and what their latest verdict says': async (world) => {
    const account = await world.account()
    const [stalled, quiet, closed] = [
      await world.post(account),
      await world.post(account),
      await world.post(account),
    ]
    for (const post of [stalled, quiet, closed]) await world.look(post)
    assert.deepEqual(await world.ledger.overview(), { ...nothing, watched: 3, stalled: 3 })
    await world.ledger.closePost(closed.id, 'closed')
    world.clock.advance(2 * hourMs)
    await world.recover(quiet)
    await world.look(quiet)
    assert.deepEqual(await world.ledger.overview(), { ...nothing, watched: 2, stalled: 1 })
    assert.deepEqual(await world.ledger.overview({ accountId: account.id }), {
      ...nothing,
      watched: 2,
      stalled: 1,
    })
  },

  'counts actions by their state': async (world) => {
    await oneOfEach(world)
    const expected = {
      ...nothing,
      watched: 7,
      running: 1,
      waiting: 1,
      unknown: 1,
      needsAttention: 1,
      sentLast24h: 1,
      failedLast24h: 1,
    }
    assert.deepEqual(await world.ledger.overview(), expected)
    world.clock.advance(dayMs - 1)
    assert.deepEqual(await world.ledger.overview(), expected)
    world.clock.advance(1)
    const later = { ...expected, sentLast24h: 0, failedLast24h: 0 }
    assert.deepEqual(await world.ledger.overview(), later)
  },

  'says when the first approval runs out': async (world) => {
    const account = await world.account({ mode: 'approve' })
    const first = await world.plan(await world.post(account))
    world.clock.advance(hourMs)
    const second = await world.plan(await world.post(account))
    const overview = await world.ledger.overview()
    assert.equal(overview.awaitingApproval, 2)
    assert.equal(overview.nextApprovalExpiresAt, noon + expiresAfterMs)
    const grace = { graceMs: hourMs, expiresAfterMs: hourMs }
    await world.decide(first, { kind: 'approve', textHash: first.textHash, ...grace })
    const after = await world.ledger.overview()
    assert.deepEqual([after.awaitingApproval, after.approved], [1, 1])
    assert.equal(after.nextApprovalExpiresAt, second.expiresAt)
  },

  'does not count an undo as something that was sent': async (world) => {
    const done = await world.succeeded()
    const { id: actionId } = { id: `${done.id}-undo` as typeof done.id }
    await world.ledger.planUndo({ actionId, postId: done.postId, undoes: done.id })
    const undo = await world.claim({ id: actionId })
    await world.settle(await world.begin(undo), success)
    assert.equal((await world.ledger.overview()).sentLast24h, 1)
  },

  'is of the accounts that are named': async (world) => {
    const ann = await world.account()
    const ben = await world.account()
    const { attempt } = await world.sending(await world.post(ann))
    await world.settle(attempt, { kind: 'unknown', fault: timedOut, reconcileAt: noon })
    await world.succeeded(await world.post(ben))
    await world.ledger.parkAccount(ben.id, 'credentials', 'Sign in again.')
    const { ledger } = world
    const ofAnn = { ...nothing, watched: 1, unknown: 1 }
    const ofBen = { ...nothing, watched: 1, sentLast24h: 1, parkedAccounts: 1 }
    assert.deepEqual(await ledger.overview({ accountId: ann.id }), ofAnn)
    assert.deepEqual(await ledger.overview({ accountIds: [ben.id] }), ofBen)
    const both = { ...ofBen, watched: 2, unknown: 1 }
    assert.deepEqual(await ledger.overview({ accountIds: [ann.id, ben.id] }), both)
    assert.deepEqual(await ledger.overview(), both)
    const neither = { accountId: ann.id, accountIds: [ben.id] }
    assert.deepEqual(await ledger.overview(neither), nothing)
  },
})
