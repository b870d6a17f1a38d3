/** What must be true of the ledger's time: it never runs backwards, whatever a clock does. */

import assert from 'node:assert/strict'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expectHeld, leaseMs, refused } from './world.ts'

export const timeCases = casesOf('the ledger’s time', {
  'is the clock’s': async (world) => {
    assert.equal(await world.ledger.now(), noon)
    world.clock.advance(1.5)
    assert.ok(Math.abs((await world.ledger.now()) - (noon + 1.5)) < 1)
  },

  'does not go back with the clock below what was written': async (world) => {
    const action = await world.running()
    world.clock.advance(-hourMs)
    assert.equal(await world.ledger.now(), noon)
    await world.harness.reopen()
    assert.equal(await world.ledger.now(), noon)
    const other = await world.harness.second()
    assert.equal(await other.ledger.now(), noon)
    assert.equal((await world.row(action)).leaseUntil, noon + leaseMs)
  },

  'goes on once the clock has caught up': async (world) => {
    await world.running()
    world.clock.advance(-hourMs)
    await world.ledger.now()
    world.clock.advance(2 * hourMs)
    assert.equal(await world.ledger.now(), noon + hourMs)
  },

  'writes nothing that lies before what is there': async (world) => {
    const post = await world.post()
    const { action, attempt } = await world.sending(post)
    world.clock.advance(-hourMs)
    await world.harness.reopen()
    const row = await world.settle(attempt, { kind: 'failed', fault: refused })
    assert.equal(row.endedAt, noon)
    const { events } = await world.ledger.readEvents(null, {}, 99)
    const times = events.map(({ at }) => at)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok((await world.row(action)).version > action.version)
  },

  'keeps a cooldown when the clock goes back': async (world) => {
    const post = await world.post()
    await world.succeeded(post)
    world.clock.advance(-20 * minuteMs)
    const until = { kind: 'time', at: noon + 30 * minuteMs }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'action_cooldown', until)
    world.clock.set(noon + 29 * minuteMs)
    await world.stall(post)
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'action_cooldown', until)
  },

  'does not free a lease because another client’s clock is behind': async (world) => {
    const action = await world.running()
    const other = await world.harness.second()
    world.clock.advance(-hourMs)
    assert.deepEqual(await other.ledger.expire(9, 0), [])
    await world.unchanged(action)
  },
})
