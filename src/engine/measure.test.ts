/** Tests what is measured after an action, and what an undo takes back. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import { toActionId } from '../core/index.ts'
import type { Action } from '../core/index.ts'
import { noFault, onNextWrites } from '../platform/simulated/index.ts'
import type { ProfileName } from '../platform/simulated/index.ts'
import { once, shown, Stage, threadTexts } from '../../test/builders/engine.ts'

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
    stage.faults = () => noFault
    await stage.pass(10 * minuteMs)
    expect((await measurements(stage))[0]).toMatchObject({ gain: 0 })
    expect(stage.problems).toEqual([])
  })
})

describe('an undo', () => {
  const undo = async (stage: Stage, name = 'undo-1') => {
    const target = (await stage.actions()).find((row) => row.undoes === null)
    if (target === undefined) throw new Error('Nothing to take back')
    const { postId, id: undoes } = target
    return stage.ledger.planUndo({ actionId: toActionId(name), postId, undoes })
  }
  const standing = (stage: Stage) => stage.effects().filter(({ removedAt }) => removedAt === null)

  const cases: readonly [Action, ProfileName][] = [
    ['comment', 'full'],
    ['thread', 'full'],
    ['thread', 'bluesky'],
    ['edit', 'full'],
  ]
  test.each(cases)('takes back all of a %s on %s', async (action, name) => {
    const stage = await Stage.open({ action, profile: shown(name), policy: once })
    const remoteId = stage.publish()
    await stage.reached('success')
    expect(standing(stage)).toHaveLength(action === 'thread' ? threadTexts.length : 1)
    expect(await undo(stage)).toMatchObject({ kind: 'planned' })
    await stage.pass(5 * minuteMs)
    expect((await stage.action('undo-1')).state).toBe('success')
    expect(standing(stage)).toEqual([])
    expect(stage.network.truth.post(remoteId)?.text).toBe('A post.')
    expect(stage.count('undo')).toBe(action === 'thread' && name === 'full' ? 3 : 1)
  })

  test('is done once', async () => {
    const stage = await Stage.open({ policy: once })
    await stage.act('success')
    await undo(stage)
    await stage.pass(5 * minuteMs)
    expect(await undo(stage, 'undo-2')).toMatchObject({ kind: 'refused' })
    await stage.pass(hourMs)
    expect(stage.count('undo')).toBe(1)
  })

  test('that the network turned down for now is tried again', async () => {
    const stage = await Stage.open({ policy: once })
    await stage.act('success')
    stage.faults = onNextWrites({ kind: 'unreachable' }, { kind: 'unreachable' })
    await undo(stage)
    await stage.pass(30 * minuteMs)
    expect((await stage.action('undo-1')).state).toBe('success')
    expect(standing(stage)).toEqual([])
    expect(stage.problems).toEqual([])
  })

  test('waits while everything is paused', async () => {
    const stage = await Stage.open({ policy: once })
    await stage.act('success')
    await stage.ledger.pause({
      scope: 'everything',
      target: '',
      reason: 'holidays',
      until: null,
      by: 'ann',
    })
    await undo(stage)
    await stage.pass(10 * minuteMs)
    expect(standing(stage)).toHaveLength(1)
    await stage.ledger.resume('everything', '')
    await stage.pass(5 * minuteMs)
    expect(standing(stage)).toEqual([])
  })

  test('is in the numbers: what was taken back is no artefact any more', async () => {
    const stage = await Stage.open({ policy: once })
    const remoteId = stage.publish()
    await stage.reached('success')
    await undo(stage)
    await stage.pass(5 * minuteMs)
    stage.network.world.react(remoteId, 'likes', 3)
    await stage.pass(2 * hourMs)
    expect((await measurements(stage))[0]).toMatchObject({ gain: 3 })
  })
})
