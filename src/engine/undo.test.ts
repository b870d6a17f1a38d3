/** Tests that what was done can be taken back, and what follows where nobody can tell if it was. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import { toActionId } from '../core/index.ts'
import type { Action } from '../core/index.ts'
import type { UndoResult } from '../ledger/steps/undo.ts'
import { noFault, onNextWrites } from '../platform/simulated/index.ts'
import type { FaultDecision, ProfileName } from '../platform/simulated/index.ts'
import { once, shown, Stage, threadTexts } from '../../test/builders/engine.ts'

async function undo(stage: Stage, name = 'undo-1'): Promise<UndoResult> {
  const target = (await stage.actions()).find((row) => row.undoes === null)
  if (target === undefined) throw new Error('Nothing to take back')
  const { postId, id: undoes } = target
  return stage.ledger.planUndo({ actionId: toActionId(name), postId, undoes })
}

/** What we made and nobody has taken away. */
function standing(stage: Stage) {
  return stage.effects().filter(({ removedAt }) => removedAt === null)
}

describe('an undo', () => {
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
})

describe('an undo of which nobody knows whether it was done', () => {
  const lost: FaultDecision = { kind: 'lost_answer' }
  const never: FaultDecision = { kind: 'lost_request' }

  const cases: readonly [string, ProfileName, readonly FaultDecision[], number][] = [
    ['nothing is left of it', 'full', [noFault, noFault, lost], 3],
    ['the rest of a thread is still there', 'full', [noFault, lost], 5],
    ['all of a thread is still there', 'full', [never], 4],
    ['the network does not mind a repeat', 'bluesky', [noFault, noFault, lost], 2],
  ]
  test.each(cases)('is settled in the end: %s (%s)', async (_, name, faults, calls) => {
    const stage = await Stage.open({ action: 'thread', profile: shown(name), policy: once })
    await stage.act('success')
    stage.faults = onNextWrites(...faults)
    await undo(stage)
    await stage.pass(30 * minuteMs)
    expect((await stage.action('undo-1')).state).toBe('success')
    expect(standing(stage)).toEqual([])
    expect(stage.count('undo')).toBe(calls)
    expect(stage.problems).toEqual([])
  })

  test('is left to a person where the network cannot be read', async () => {
    const stage = await Stage.open({ profile: shown('telegram'), policy: once })
    await stage.act('success')
    stage.faults = onNextWrites(lost)
    await undo(stage)
    await stage.pass(dayMs)
    expect((await stage.action('undo-1')).state).toBe('needs_attention')
    expect(stage.count('undo')).toBe(1)
  })

  test('is sent so often and no more', async () => {
    const stage = await Stage.open({ policy: once })
    await stage.act('success')
    stage.faults = (call) => (call.isWrite ? never : noFault)
    await undo(stage)
    await stage.pass(dayMs)
    expect((await stage.action('undo-1')).state).toBe('needs_attention')
    expect(stage.count('undo')).toBe(stage.policy.retry.maximumAttempts)
  })
})

test('an undo of something whose ids nobody knows asks a person, once', async () => {
  const stage = await Stage.open({ policy: once })
  stage.faults = onNextWrites({ kind: 'lost_request' })
  const row = await stage.act('needs_attention')
  await stage.decide(row, { kind: 'attend', landed: true, outcome: { seen: true } })
  await undo(stage)
  await stage.pass(dayMs)
  expect((await stage.action('undo-1')).state).toBe('needs_attention')
  expect(await stage.events('action_changed')).toContainEqual({
    from: 'unknown',
    to: 'needs_attention',
    reason: 'undo_target_unknown',
    by: null,
  })
  expect(stage.count('undo')).toBe(0)
  const looks = stage.count('locate')
  await stage.pass(hourMs)
  expect(stage.count('locate')).toBe(looks)
})
