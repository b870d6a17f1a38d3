/** What must be true of leases: renewed by their holder, freed when it is gone (I5). */

import assert from 'node:assert/strict'
import { hourMs, minuteMs, secondMs } from '../../core/duration.ts'
import { toActionId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expiresAfterMs, leaseMs, success } from './world.ts'

const settleDelayMs = 2 * minuteMs

export const leaseCases = casesOf('a lease', {
  'is made longer by its holder, and never shorter': async (world) => {
    const { id: actionId, version } = await world.running()
    world.clock.advance(30 * secondMs)
    assert.equal(await world.ledger.renew({ actionId, token: 'token-1', leaseMs }), true)
    const row = await world.row({ id: actionId })
    const until = noon + 30 * secondMs + leaseMs
    assert.deepEqual([row.leaseUntil, row.dueAt, row.mayLandUntil], [until, until, until])
    assert.equal(row.version, version + 1)
    await world.ledger.renew({ actionId, token: 'token-1', leaseMs: secondMs })
    assert.equal((await world.row({ id: actionId })).leaseUntil, until)
  },

  'is not renewed by another, once it is over, or without a claim': async (world) => {
    const running = await world.running()
    const { id: actionId } = running
    assert.equal(await world.ledger.renew({ actionId, token: 'token-2', leaseMs }), false)
    world.clock.advance(leaseMs)
    assert.equal(await world.ledger.renew({ actionId, token: 'token-1', leaseMs }), false)
    await world.unchanged(running)
    const done = await world.succeeded(await world.post(await world.account()))
    const ended = { actionId: done.id, token: 'token-1', leaseMs }
    assert.equal(await world.ledger.renew(ended), false)
    const nothing = { actionId: toActionId('nothing'), token: 'token-1', leaseMs }
    await assert.rejects(world.ledger.renew(nothing), InputError)
  },

  'that is over without a send leaves the action to wait, due at once': async (world) => {
    const action = await world.running()
    assert.deepEqual(await world.ledger.expire(9, settleDelayMs), [])
    world.clock.advance(leaseMs)
    assert.deepEqual(await world.ledger.due('lease', 9), [action.id])
    const [freed] = await world.ledger.expire(9, settleDelayMs)
    const now = world.clock.now()
    const claim = { leaseUntil: null, dueAt: now, mayLandUntil: null }
    const version = action.version + 1
    assert.deepEqual(freed, { ...action, state: 'waiting', ...claim, version })
    assert.deepEqual(await world.ledger.expire(9, settleDelayMs), [])
    await world.claim(action, 'token-2')
  },

  'that is over during a send leaves it unknown, to be read back later': async (world) => {
    const { action, attempt } = await world.sending()
    world.clock.advance(leaseMs)
    const [freed] = await world.ledger.expire(9, settleDelayMs)
    const now = world.clock.now()
    const claim = { leaseUntil: null, dueAt: now + settleDelayMs }
    assert.deepEqual(freed, {
      ...action,
      state: 'unknown',
      ...claim,
      version: action.version + 1,
    })
    const ended = await world.attempt(attempt)
    assert.deepEqual(ended, { ...attempt, result: 'unknown', endedAt: now })
    await world.unchanged(freed)
  },

  'that is over between segments leaves what is out as it is': async (world) => {
    const { action, attempt } = await world.sending()
    world.clock.advance(secondMs)
    await world.settle(attempt, { kind: 'segment_landed', remoteId: 'r-0' })
    world.clock.advance(leaseMs)
    const [freed] = await world.ledger.expire(9, settleDelayMs)
    assert.deepEqual([freed?.state, freed?.mayLandUntil], ['waiting', noon + secondMs])
    const again = await world.claim(action, 'token-2')
    const last = await world.begin(again, { segment: 1 })
    assert.equal((await world.settle(last, success)).state, 'success')
  },

  'ends plans whose time is over, in each state before the claim': async (world) => {
    const auto = await world.account()
    const planned = await world.plan(await world.post(auto))
    const asking = await world.account({ mode: 'approve' })
    const asked = await world.plan(await world.post(asking))
    const other = await world.plan(await world.post(asking))
    const { textHash } = other
    const decision = { kind: 'approve', textHash, graceMs: 0, expiresAfterMs } as const
    const approved = await world.decide(other, decision)
    world.clock.advance(expiresAfterMs)
    const rows = [planned, asked, approved]
    const ids = rows.map(({ id }) => id)
    assert.deepEqual((await world.ledger.due('expire', 9)).toSorted(), ids)
    const changed = await world.ledger.expire(9, settleDelayMs)
    assert.deepEqual(changed.map(({ id }) => id).toSorted(), ids)
    for (const row of rows) {
      const ended = { endedAt: world.clock.now(), dueAt: null, noticeAt: null }
      const expired = { ...row, state: 'expired', ...ended, version: row.version + 1 }
      assert.deepEqual(await world.row(row), expired)
    }
  },

  'expires no more than it was asked to, the longest due first': async (world) => {
    const account = await world.account()
    const later = await world.plan(await world.post(account), { expiresAfterMs: 2 * minuteMs })
    const sooner = await world.plan(await world.post(account), { expiresAfterMs: minuteMs })
    world.clock.advance(hourMs)
    const first = await world.ledger.expire(1, settleDelayMs)
    assert.deepEqual(
      first.map(({ id }) => id),
      [sooner.id],
    )
    const second = await world.ledger.expire(1, settleDelayMs)
    assert.deepEqual(
      second.map(({ id }) => id),
      [later.id],
    )
  },

  'that the holder renewed in time is not freed': async (world) => {
    const { id: actionId } = await world.running()
    world.clock.advance(leaseMs - 1)
    await world.ledger.renew({ actionId, token: 'token-1', leaseMs })
    world.clock.advance(1)
    assert.deepEqual(await world.ledger.expire(9, settleDelayMs), [])
  },

  'does not bind what waits, is unknown or needs attention': async (world) => {
    const { action } = await world.unknown()
    world.clock.advance(30 * expiresAfterMs)
    assert.deepEqual(await world.ledger.expire(9, settleDelayMs), [])
    await world.unchanged(action)
  },

  'an approval that runs out is told once, in time': async (world) => {
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    assert.equal(await world.ledger.noticeExpiry(asked.id), false)
    world.clock.advance(expiresAfterMs - hourMs)
    assert.deepEqual(await world.ledger.due('notice', 9), [asked.id])
    assert.equal(await world.ledger.noticeExpiry(asked.id), true)
    assert.equal(await world.ledger.noticeExpiry(asked.id), false)
    assert.deepEqual(await world.ledger.due('notice', 9), [])
    const { events } = await world.ledger.readEvents(null, { types: ['approval_expiring'] }, 9)
    assert.deepEqual(
      events.map(({ actionId, data }) => [actionId, data]),
      [[asked.id, { expiresAt: asked.expiresAt }]],
    )
  },
})
