/** What must be true of what is learnt: measured once, curves kept by age, counts by action. */

import assert from 'node:assert/strict'
import { dayMs, hourMs } from '../../core/duration.ts'
import { toPostId } from '../../core/ids.ts'
import type { AccountRow, CurveRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expectHeld } from './world.ts'
import type { World } from './world.ts'

async function curve(
  world: World,
  account: AccountRow,
  maturedAt: number,
  changes: Partial<CurveRow> = {},
): Promise<CurveRow> {
  const { id: postId } = await world.post(account)
  const { id: accountId, platform } = account
  const points = [
    { ageMs: hourMs, engagements: 3.5 },
    { ageMs: dayMs, engagements: 12 },
  ]
  return { postId, accountId, platform, maturedAt, weight: 1, points, ...changes }
}

export const learningCases = casesOf('learning', {
  'a measurement is taken once': async (world) => {
    const post = await world.post()
    await world.plan(post)
    const [due] = await world.ledger.listMeasurements(post.id)
    assert.ok(due)
    world.clock.set(due.dueAt)
    const detail = { from: 5, to: 17, excluded: ['r-1'] }
    const taken = { postId: post.id, horizonMs: due.horizonMs, gain: 12, detail }
    const first = await world.ledger.takeMeasurement(taken)
    assert.deepEqual(first, { ...due, takenAt: due.dueAt, gain: 12, detail })
    world.clock.advance(1)
    assert.deepEqual(await world.ledger.takeMeasurement({ ...taken, gain: 99 }), first)
    await world.harness.reopen()
    assert.deepEqual((await world.ledger.listMeasurements(post.id))[0], first)
    const { events } = await world.ledger.readEvents(null, { types: ['measured'] }, 9)
    assert.deepEqual(
      events.map(({ postId, data }) => [postId, data]),
      [[post.id, { horizonMs: due.horizonMs, gain: 12 }]],
    )
  },

  'of two that take a measurement at once one does, and it is said once': async (world) => {
    const post = await world.post()
    await world.plan(post)
    const { ledger } = await world.harness.second()
    const taken = { postId: post.id, horizonMs: dayMs, detail: null }
    const rows = await Promise.all([
      world.ledger.takeMeasurement({ ...taken, gain: 1 }),
      ledger.takeMeasurement({ ...taken, gain: 2 }),
    ])
    assert.ok(rows[0])
    assert.deepEqual(rows[1], rows[0])
    const { events } = await world.ledger.readEvents(null, { types: ['measured'] }, 9)
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ horizonMs: dayMs, gain: rows[0].gain }],
    )
  },

  'a measurement that could not be read is taken without a gain': async (world) => {
    const post = await world.post()
    await world.plan(post)
    const taken = { postId: post.id, horizonMs: dayMs, gain: null, detail: { why: 'gone' } }
    const row = await world.ledger.takeMeasurement(taken)
    assert.deepEqual([row?.takenAt, row?.gain], [noon, null])
  },

  'a measurement that nobody planned is null': async (world) => {
    const post = await world.post()
    const taken = { postId: post.id, horizonMs: hourMs, gain: 1, detail: null }
    assert.equal(await world.ledger.takeMeasurement(taken), null)
    const nowhere = { ...taken, postId: toPostId('nowhere') }
    assert.equal(await world.ledger.takeMeasurement(nowhere), null)
  },

  'measurements are listed by how long after': async (world) => {
    const post = await world.post()
    await world.plan(post)
    const rows = await world.ledger.listMeasurements(post.id)
    assert.deepEqual(
      rows.map(({ horizonMs }) => horizonMs),
      [2 * hourMs, dayMs, 7 * dayMs],
    )
  },

  'curves come newest first, by account and by platform': async (world) => {
    const account = await world.account()
    const other = await world.account()
    const elsewhere = await world.account({ platform: 'mastodon' })
    const old = await curve(world, account, noon - 2)
    const young = await curve(world, account, noon, { weight: 0.25 })
    const mid = await curve(world, other, noon - 1)
    const far = await curve(world, elsewhere, noon - 3)
    for (const row of [old, young, mid, far]) await world.ledger.saveCurve(row, 9)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.listCurves({ accountId: account.id }, 9), [young, old])
    assert.deepEqual(await world.ledger.listCurves({ platform: 'bluesky' }, 9), [young, mid, old])
    assert.deepEqual(await world.ledger.listCurves({}, 3), [young, mid, old])
  },

  'an account keeps its newest curves, others keep theirs': async (world) => {
    const account = await world.account()
    const other = await curve(world, await world.account(), noon - 99)
    await world.ledger.saveCurve(other, 2)
    const rows = []
    for (const age of [3, 1, 2]) rows.push(await curve(world, account, noon - age))
    const [oldest, newest, middle] = rows as [CurveRow, CurveRow, CurveRow]
    for (const row of [oldest, newest, middle]) await world.ledger.saveCurve(row, 2)
    const kept = await world.ledger.listCurves({ accountId: account.id }, 9)
    assert.deepEqual(kept, [newest, middle])
    await world.ledger.saveCurve(oldest, 2)
    assert.deepEqual(await world.ledger.listCurves({ accountId: account.id }, 9), kept)
    assert.deepEqual(await world.ledger.listCurves({ accountId: other.accountId }, 9), [other])
  },

  'a curve saved again replaces the one of its post': async (world) => {
    const row = await curve(world, await world.account(), noon)
    await world.ledger.saveCurve(row, 9)
    const better = { ...row, weight: 0.5, points: [] }
    await world.ledger.saveCurve(better, 9)
    assert.deepEqual(await world.ledger.listCurves({}, 9), [better])
  },

  'how often an action did not lift is counted for each account and action': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    await world.ledger.setWithoutLift(account.id, 'edit', 40)
    await world.ledger.setWithoutLift(account.id, 'edit', 41)
    await world.ledger.setWithoutLift(account.id, 'comment', 0)
    expectHeld(await world.tryPlan(post, { action: 'edit', tier: 'tier_2' }), 'futility')
    await world.plan(post)
  },
})
