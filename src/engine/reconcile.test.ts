/** Tests how an unknown is resolved by reading the platform. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '../core/duration.ts'
import type { ActionRow } from '../ledger/index.ts'
import { noFault, onNextWrites } from '../platform/simulated/index.ts'
import type { FaultDecision } from '../platform/simulated/index.ts'
import { drained, shown, Stage } from '../../test/builders/engine.ts'

/** A comment of class B of which nobody knows whether it landed. */
async function unclear(fault: FaultDecision): Promise<{ stage: Stage; row: ActionRow }> {
  const stage = await Stage.open()
  stage.faults = onNextWrites(fault)
  return { stage, row: await stage.act('unknown') }
}

test('found is a success, with the id that the network gave it', async () => {
  const { stage } = await unclear({ kind: 'lost_answer' })
  const row = await stage.reached('success')
  const [effect] = stage.effects()
  expect(row.outcome).toMatchObject({ remoteIds: [effect?.remoteId], partial: false })
  expect(await stage.attempts()).toMatchObject([{ result: 'landed', remoteId: effect?.remoteId }])
})

test('not found proves nothing before the network’s longest delay is over', async () => {
  const { stage, row } = await unclear({ kind: 'late_apply', delayMs: 50 * secondMs })
  const [attempt] = await stage.attempts()
  // Deadline and delay are half a minute each; it was looked for in between.
  await stage.pass(45 * secondMs)
  expect(stage.count('locate')).toBeGreaterThan(0)
  expect((await stage.action(row.id)).state).toBe('unknown')
  await stage.reached('success')
  expect(stage.clock.now() - (attempt?.startedAt ?? 0)).toBeGreaterThanOrEqual(minuteMs)
  expect(stage.effects()).toHaveLength(1)
})

test('not found after it is handed to a person, and nothing is sent again', async () => {
  const { stage } = await unclear({ kind: 'lost_request' })
  const row = await stage.reached('needs_attention')
  await stage.pass(dayMs)
  expect(await stage.action(row.id)).toEqual(row)
  expect(stage.network.truth.effectsOf(row.key)).toEqual([])
  expect(await stage.events('action_changed')).toContainEqual({
    from: 'unknown',
    to: 'needs_attention',
    reason: 'not_found',
    by: null,
  })
})

test('while nobody can tell, it is asked again, ever more rarely, for an hour', async () => {
  const stage = await Stage.open({ action: 'edit' })
  const remoteId = stage.publish()
  stage.faults = onNextWrites({ kind: 'lost_request' })
  const row = await stage.reached('unknown')
  // Another text stands there: ours may have been replaced.
  stage.network.world.editByHand(remoteId, 'The owner knows better.')
  await stage.pass(50 * minuteMs)
  expect((await stage.action(row.id)).state).toBe('unknown')
  await stage.reached('needs_attention')
  expect(stage.count('locate')).toBeGreaterThan(2)
  expect(stage.count('locate')).toBeLessThan(12)
  expect(stage.clock.now() - row.plannedAt).toBeLessThan(3 * hourMs)
})

test('a network that cannot be read for an hour is left to a person', async () => {
  const { stage } = await unclear({ kind: 'lost_answer' })
  stage.faults = (call) => (call.isWrite ? noFault : { kind: 'unreachable' })
  const row = await stage.reached('needs_attention', 'success')
  expect(row.state).toBe('needs_attention')
  expect(await stage.events('action_changed')).toContainEqual(
    expect.objectContaining({ to: 'needs_attention', reason: 'cannot_read' }),
  )
  expect(stage.effects()).toHaveLength(1)
})

test('after an hour not found is never proof, also where the network deduplicates', async () => {
  const stage = await Stage.open({ profile: shown('bluesky') })
  stage.engine.death = ['after', 'beginAttempt']
  stage.publish()
  await stage.until(async () => !stage.engine.isAlive || null)
  await stage.clock.advance(2 * hourMs)
  stage.restart()
  const row = await stage.reached('needs_attention', 'success')
  expect(row.state).toBe('needs_attention')
  expect(stage.effects()).toEqual([])
})

describe('a claim found running with no owner', () => {
  test('is taken up again where nothing was sent', async () => {
    const stage = await Stage.open()
    stage.engine.death = ['after', 'claim']
    stage.publish()
    await stage.until(async () => !stage.engine.isAlive || null)
    stage.restart()
    await stage.pass(minuteMs)
    expect(stage.effects()).toEqual([])
    await stage.reached('success')
    expect(stage.effects()).toHaveLength(1)
    expect(stage.count('locate')).toBe(0)
  })

  test.each([
    ['that landed is found', 'commit', 'success', 1],
    ['that was never made asks a person', 'beginAttempt', 'needs_attention', 0],
  ] as const)('with a send under way %s', async (_, call, state, effects) => {
    const stage = await Stage.open()
    stage.engine.death = ['after', call]
    stage.publish()
    await stage.until(async () => !stage.engine.isAlive || null)
    stage.restart()
    const row = await stage.reached('success', 'failed', 'needs_attention')
    expect(row.state).toBe(state)
    expect(stage.count('locate')).toBeGreaterThan(0)
    expect(stage.effects()).toHaveLength(effects)
  })
})

test.each([
  [true, 'success'],
  [false, 'failed'],
] as const)('a person who says that it landed: %s ends it as %s', async (landed, state) => {
  const { stage } = await unclear({ kind: 'lost_request' })
  const row = await stage.reached('needs_attention')
  await stage.decide(row, { kind: 'attend', landed, outcome: null })
  expect(await stage.action(row.id)).toMatchObject({ state, endedAt: stage.clock.now() })
  expect(await stage.ledger.listApprovals(row.id)).toMatchObject([
    { decision: 'attended', by: 'ann' },
  ])
})

test('what is found after a person called it failed opens an incident', async () => {
  const { stage, row } = await unclear({ kind: 'lost_answer' })
  // While one process reads the network, slowly, another one gives up and a person decides.
  stage.faults = (call) => (call.kind === 'replies' ? { kind: 'slow', delayMs: 15_000 } : noFault)
  await stage.clock.advance(hourMs / 2)
  const looking = stage.engine.tick()
  await drained()
  const { id: actionId, version } = await stage.action(row.id)
  const finding = { kind: 'needs_attention', reason: 'cannot_read' } as const
  await stage.ledger.reconcile({ actionId, version, finding })
  await stage.decide(row, { kind: 'attend', landed: false, outcome: null })
  await stage.settled(looking)
  expect((await stage.action(row.id)).state).toBe('failed')
  expect(await stage.events('incident')).toEqual([{ kind: 'landed_after_failure' }])
  const { remoteId } = stage.effects()[0] ?? {}
  expect(await stage.attempts()).toMatchObject([{ result: 'landed', remoteId }])
})
