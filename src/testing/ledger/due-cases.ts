/** What must be true of what is due: found by the ledger's time, the longest due first. */

import assert from 'node:assert/strict'
import { hourMs, minuteMs } from '../../core/duration.ts'
import type { DueKind } from '../../ledger/store.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { leaseMs, refused } from './world.ts'
import type { World } from './world.ts'

const kinds: readonly DueKind[] = [
  'discover',
  'check',
  'send',
  'expire',
  'notice',
  'reconcile',
  'lease',
]

/** How many of each kind are due, left out where there are none. */
async function dueNow(world: World): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {}
  for (const kind of kinds) {
    const ids = await world.ledger.due(kind, 99)
    if (ids.length > 0) found[kind] = ids
  }
  return found
}

export const dueCases = casesOf('due', {
  'nothing is, and nothing ever will be, in an empty ledger': async (world) => {
    assert.deepEqual(await dueNow(world), {})
    assert.equal(await world.ledger.nextDueAt(), null)
    await world.post()
    assert.equal(await world.ledger.nextDueAt(), null)
  },

  'discover: accounts that are active, at their time': async (world) => {
    const account = await world.account({ discoverAt: noon + minuteMs })
    await world.account({ discoverAt: noon, status: 'parked', statusReason: 'logged out' })
    assert.deepEqual(await dueNow(world), {})
    assert.equal(await world.ledger.nextDueAt(), noon + minuteMs)
    world.clock.advance(minuteMs)
    assert.deepEqual(await dueNow(world), { discover: [account.id] })
  },

  'check: posts, the longest due first and ties by their ids': async (world) => {
    const account = await world.account()
    const checks = [noon + 2, noon + 1, noon + 2, null, noon + 9]
    const posts = []
    for (const nextCheckAt of checks) posts.push(await world.post(account, { nextCheckAt }))
    const [one, two, three] = posts.map(({ id }) => id)
    world.clock.advance(2)
    assert.deepEqual(await world.ledger.due('check', 9), [two, one, three])
    assert.deepEqual(await world.ledger.due('check', 2), [two, one])
    assert.equal(await world.ledger.nextDueAt(), noon + 1)
  },

  'several kinds are listed at once, each as it is by itself': async (world) => {
    const account = await world.account({ discoverAt: noon })
    const { id } = await world.plan(await world.post(account, { nextCheckAt: noon }))
    const some = ['send', 'reconcile', 'discover', 'check'] as const
    const each = await Promise.all(some.map((kind) => world.ledger.due(kind, 9)))
    assert.deepEqual(await world.ledger.dueOfEach(some, 9), each)
    assert.deepEqual(each.slice(0, 3), [[id], [], [account.id]])
  },

  'send: what is planned, approved or waits, and nothing else': async (world) => {
    const planned = await world.plan(await world.post())
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    const { textHash } = asked
    const approve = { kind: 'approve', textHash, graceMs: 5, expiresAfterMs: hourMs } as const
    await world.decide(asked, approve)
    const { attempt } = await world.sending()
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon + 7 })
    await world.unknown()
    await world.running()
    assert.deepEqual(await world.ledger.due('send', 9), [planned.id])
    world.clock.advance(7)
    const due = [planned.id, asked.id, attempt.actionId]
    assert.deepEqual(await world.ledger.due('send', 9), due)
  },

  'each step of an action’s life is due in its own way': async (world) => {
    const post = await world.post(await world.account({ mode: 'approve' }))
    const action = await world.plan(post, { expiresAfterMs: 2 * hourMs })
    const { id, textHash } = action
    assert.equal(await world.ledger.nextDueAt(), noon + hourMs, 'the notice comes first')
    world.clock.set(noon + hourMs)
    assert.deepEqual(await dueNow(world), { notice: [id] })
    await world.ledger.noticeExpiry(id)
    await world.stall(post)
    await world.decide(action, { kind: 'approve', textHash, graceMs: 0, expiresAfterMs: hourMs })
    assert.deepEqual(await dueNow(world), { send: [id] })
    const attempt = await world.begin(await world.claim(action))
    assert.deepEqual(await dueNow(world), {})
    assert.equal(await world.ledger.nextDueAt(), noon + hourMs + leaseMs)
    world.clock.advance(leaseMs)
    assert.deepEqual(await dueNow(world), { lease: [id] })
    await world.ledger.expire(9, minuteMs)
    assert.deepEqual(await dueNow(world), {})
    world.clock.advance(minuteMs)
    assert.deepEqual(await dueNow(world), { reconcile: [id] })
    await world.reconcile(await world.row(action), { kind: 'not_landed_stop' })
    assert.deepEqual(await dueNow(world), {})
    assert.equal((await world.attempt(attempt)).result, 'not_landed')
  },

  'expire: at the very end of the time': async (world) => {
    const { id } = await world.plan(await world.post(), { expiresAfterMs: minuteMs })
    world.clock.advance(minuteMs - 1)
    assert.deepEqual(await world.ledger.due('expire', 9), [])
    world.clock.advance(1)
    assert.deepEqual(await world.ledger.due('expire', 9), [id])
  },

  'measurements: the longest due first, until they are taken': async (world) => {
    const one = await world.post()
    await world.decide(await world.plan(one), { kind: 'cancel', reason: 'no' })
    world.clock.advance(minuteMs)
    const two = await world.post()
    await world.decide(await world.plan(two), { kind: 'cancel', reason: 'no' })
    assert.equal(await world.ledger.nextDueAt(), noon + 2 * hourMs)
    world.clock.set(noon + 3 * hourMs)
    const idsOf = async (limit: number) =>
      (await world.ledger.dueMeasurements(limit)).map(({ postId }) => postId)
    assert.deepEqual(await idsOf(9), [one.id, two.id])
    assert.deepEqual(await idsOf(1), [one.id])
    const taken = { postId: one.id, horizonMs: 2 * hourMs, gain: 3, detail: null }
    await world.ledger.takeMeasurement(taken)
    assert.deepEqual(await idsOf(9), [two.id])
  },
})
