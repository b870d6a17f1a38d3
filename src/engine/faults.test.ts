/** Pauses, and what a fault means for the whole account. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '../core/duration.ts'
import { noFault, onNextWrites } from '../platform/simulated/index.ts'
import type { FaultPlan } from '../platform/simulated/index.ts'
import { Stage, threadTexts } from '../../test/builders/engine.ts'

const scopes = [
  ['everything', ''],
  ['platform', 'simulated-full'],
  ['account', 'ann'],
] as const

describe.each(scopes)('a pause of %s (%s)', (scope, target) => {
  const pause = { scope, target, reason: 'holidays', until: null, by: 'ann' } as const

  test('before the next send keeps it back until it is lifted', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    expect(await stage.ledger.pause(pause)).toEqual([])
    await stage.pass(2 * hourMs)
    expect(stage.count('commit')).toBe(0)
    await stage.ledger.resume(scope, target)
    await stage.pass(15 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
  })

  test('while one is in flight lets that settle, and no further one begins', async () => {
    const stage = await Stage.open({ action: 'thread' })
    stage.faults = onNextWrites({ kind: 'slow', delayMs: 10 * secondMs })
    stage.publish()
    await stage.planned()
    const turn = stage.engine.tick()
    await stage.clock.advance(2 * secondMs)
    const inFlight = await stage.ledger.pause(pause)
    expect(inFlight).toMatchObject([{ state: 'running' }])
    await stage.settled(turn)
    await stage.pass(2 * hourMs)
    expect(stage.texts()).toEqual(threadTexts.slice(0, 1))
    expect(await stage.attempts()).toMatchObject([{ result: 'landed' }])
    await stage.ledger.resume(scope, target)
    await stage.pass(5 * minuteMs)
    expect(stage.texts()).toEqual(threadTexts)
  })
})

test('a pause of another account keeps nobody else back', async () => {
  const stage = await Stage.open()
  const why = { reason: 'holidays', until: null, by: 'ann' }
  await stage.ledger.pause({ scope: 'account', target: 'bob', ...why })
  await stage.act('success')
  expect(stage.effects()).toHaveLength(1)
})

describe('dead credentials', () => {
  test('found by reading park the account, and nothing is asked with them again', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    stage.network.world.setCredentials('ann', 'another')
    await stage.pass(hourMs)
    expect(await stage.account()).toMatchObject({ status: 'parked' })
    expect(await stage.events('account_parked')).toEqual([{ code: 'credentials' }])
    const calls = stage.network.truth.calls()
    await stage.pass(dayMs)
    expect(stage.network.truth.calls()).toBe(calls)
    expect(stage.effects()).toEqual([])
    expect(stage.problems).toEqual([])
  })

  test('found by sending park it as well, and it goes on once there are new ones', async () => {
    const stage = await Stage.open()
    stage.faults = onNextWrites({ kind: 'credentials' })
    const row = await stage.act('failed')
    expect(row.fault).toMatchObject({ code: 'credentials', landed: 'no' })
    expect(await stage.account()).toMatchObject({ status: 'parked' })
    await stage.pass(2 * hourMs)
    expect(stage.count('commit')).toBe(1)
    await stage.changeAccount({ status: 'active', statusReason: null })
    await stage.reached('success')
    expect(stage.effects()).toHaveLength(1)
  })

  test('do not keep the engine busy', async () => {
    const stage = await Stage.open()
    stage.faults = onNextWrites({ kind: 'credentials' })
    await stage.act('failed')
    await stage.turn()
    const before = stage.calls.length
    await stage.pass(hourMs)
    // A few looks at what is due, and one every few minutes at what is put off.
    expect(stage.calls.length - before).toBeLessThan(600)
  })
})

describe('the breaker of an account', () => {
  const otherPosts = async (stage: Stage) => {
    stage.publish('Another.')
    await stage.pass(2 * hourMs)
  }

  test('opens when the network takes us for spam, and only a person lifts it', async () => {
    const stage = await Stage.open()
    stage.faults = onNextWrites({ kind: 'spam' })
    const row = await stage.act('failed')
    expect(row.fault).toMatchObject({ code: 'spam' })
    expect(await stage.ledger.listPauses()).toMatchObject([
      { scope: 'account', target: 'ann', until: null, by: 'breaker' },
    ])
    await otherPosts(stage)
    expect(stage.effects()).toEqual([])
    await stage.ledger.resume('account', 'ann')
    await stage.pass(hourMs)
    expect(stage.effects().length).toBeGreaterThan(0)
  })

  test('rests until the time given by the network, for all engines on the ledger', async () => {
    const stage = await Stage.open()
    const second = stage.startEngine()
    stage.publish('Another.', { at: stage.clock.now() + 10 * minuteMs })
    stage.faults = onNextWrites({ kind: 'rate_limited', retryAfterMs: 40 * minuteMs })
    await stage.act('waiting')
    const restsUntil = stage.clock.now() + 40 * minuteMs
    expect(await stage.ledger.listPauses()).toMatchObject([{ until: restsUntil, by: 'breaker' }])
    await stage.pass(39 * minuteMs)
    expect(stage.effects()).toEqual([])
    expect(second.isAlive).toBe(true)
    await stage.pass(15 * minuteMs)
    expect(stage.effects()).toHaveLength(2)
    for (const { at } of stage.effects()) expect(at).toBeGreaterThanOrEqual(restsUntil)
  })

  test('a network that is too slow for our reading makes the account rest too', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    stage.faults = (call) =>
      call.kind === 'counters' ? { kind: 'rate_limited', retryAfterMs: hourMs } : noFault
    const { id } = await stage.post()
    await stage.ledger.setNextCheckAt([id], stage.clock.now())
    await stage.ledger.pause({ scope: 'account', target: 'ann', ...shortly(stage) })
    await stage.turn()
    expect(await stage.ledger.listPauses()).toMatchObject([{ by: 'breaker' }])
  })

  const tooFast: FaultPlan = (call) =>
    call.kind === 'counters' ? { kind: 'rate_limited', retryAfterMs: minuteMs } : noFault

  test('a rest never shortens a pause that a person has to lift', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    const why = { reason: 'holidays', until: null, by: 'ann' }
    await stage.ledger.pause({ scope: 'account', target: 'ann', ...why })
    stage.faults = tooFast
    await stage.pass(30 * minuteMs)
    stage.faults = () => noFault
    await stage.pass(2 * hourMs)
    expect(await stage.ledger.listPauses()).toMatchObject([why])
    expect(stage.effects()).toEqual([])
  })
})

function shortly(stage: Stage) {
  return { reason: 'a moment', until: stage.clock.now() + secondMs, by: 'ann' }
}
