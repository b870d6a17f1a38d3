/** Tests what is measured after an action. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import { toActionId } from '../core/index.ts'
import type { Action } from '../core/index.ts'
import { noFault } from '../platform/simulated/index.ts'
import type { ProfileName } from '../platform/simulated/index.ts'
import { once, shown, Stage } from '../../test/builders/engine.ts'

async function measurements(stage: Stage) {
  return stage.ledger.listMeasurements((await stage.post()).id)
}

describe('what a post gained', () => {
  const cases: readonly [Action, ProfileName][] = [
    ['comment', 'full'],
    ['edit', 'full'],
    ['thread', 'full'],
    ['comment', 'telegram'],
    ['thread', 'bluesky'],
  ]
  test.each(cases)('is what others did, without our own %s on %s', async (action, name) => {
    const stage = await Stage.open({ action, profile: shown(name), policy: once })
    const remoteId = stage.publish()
    stage.network.world.react(remoteId, 'likes', 5)
    await stage.reached('success')
    stage.network.world.react(remoteId, 'likes', 3)
    await stage.pass(2 * hourMs)
    stage.network.world.react(remoteId, 'likes', 4)
    await stage.pass(8 * dayMs)
    const rows = await measurements(stage)
    expect(rows.map(({ horizonMs, gain }) => [horizonMs, gain])).toEqual([
      [2 * hourMs, 3],
      [dayMs, 7],
      [7 * dayMs, 7],
    ])
  })

  test('is read at its time, also when the watch has long ended', async () => {
    const stage = await Stage.open({ policy: once })
    const row = await stage.act('success')
    await stage.pass(8 * dayMs)
    for (const { horizonMs, dueAt, takenAt } of await measurements(stage)) {
      expect(dueAt).toBe(row.plannedAt + horizonMs)
      expect((takenAt ?? 0) - dueAt).toBeLessThan(minuteMs)
    }
    expect(await stage.events('measured')).toHaveLength(3)
    expect(await stage.post()).toMatchObject({ status: 'closed' })
  })

  test('is unknown where the post is gone, and it stays gone', async () => {
    const stage = await Stage.open({ policy: once })
    const remoteId = stage.publish()
    await stage.reached('success')
    stage.network.world.remove(remoteId)
    await stage.pass(8 * dayMs)
    const rows = await measurements(stage)
    expect(rows.map(({ gain }) => gain)).toEqual([null, null, null])
    for (const { takenAt } of rows) expect(takenAt).not.toBeNull()
    expect(await stage.post()).toMatchObject({ status: 'gone' })
  })

  test('is never below nothing', async () => {
    const stage = await Stage.open({ policy: once })
    const remoteId = stage.publish()
    stage.network.world.react(remoteId, 'likes', 5)
    await stage.reached('success')
    stage.network.world.react(remoteId, 'likes', -4)
    await stage.pass(3 * hourMs)
    expect((await measurements(stage))[0]).toMatchObject({ gain: 0 })
  })

  test('is read later where the network cannot be read at the time', async () => {
    const stage = await Stage.open({ policy: once })
    await stage.act('success')
    await stage.pass(hourMs)
    stage.faults = (call) => (call.isWrite ? noFault : { kind: 'unreachable' })
    await stage.pass(2 * hourMs)
    expect((await measurements(stage))[0]).toMatchObject({ takenAt: null })
    // Every five minutes for an hour, and not at every turn.
    const reads = stage.count('observe')
    await stage.turn()
    await stage.turn()
    expect(stage.count('observe')).toBe(reads)
    stage.faults = () => noFault
    await stage.pass(10 * minuteMs)
    expect((await measurements(stage))[0]).toMatchObject({ gain: 0 })
    expect(stage.problems).toEqual([])
  })

  test('has nothing of ours in it that was taken back', async () => {
    const stage = await Stage.open({ policy: once })
    const remoteId = stage.publish()
    const { id: undoes, postId } = await stage.reached('success')
    await stage.ledger.planUndo({ actionId: toActionId('undo'), postId, undoes })
    await stage.pass(5 * minuteMs)
    stage.network.world.react(remoteId, 'likes', 3)
    await stage.pass(2 * hourMs)
    expect((await measurements(stage))[0]).toMatchObject({ gain: 3 })
  })
})
