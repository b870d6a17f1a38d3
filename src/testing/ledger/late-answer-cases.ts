/**
 * What must be true of an answer whose claim is lost: it is kept as evidence, it only ever adds to
 * what is known, and an ended row does not change for it (I4, I7).
 */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import type { ActionRow, AttemptRow } from '../../ledger/rows.ts'
import type { Settlement } from '../../ledger/steps/settle.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expectHeld, leaseMs, refused, success, timedOut } from './world.ts'
import type { World } from './world.ts'

const unknown: Settlement = { kind: 'unknown', fault: timedOut, reconcileAt: noon + minuteMs }

/** A send whose claim ran out while it was under way. */
async function lost(world: World): Promise<{ action: ActionRow; attempt: AttemptRow }> {
  const { action, attempt } = await world.sending()
  world.clock.advance(leaseMs)
  await world.ledger.expire(9, minuteMs)
  return { action: await world.row(action), attempt }
}

async function answer(world: World, attempt: AttemptRow, settlement: Settlement) {
  const { actionId, token, id: attemptId } = attempt
  return world.ledger.settle({ actionId, token, attemptId, settlement })
}

/** Asserts that the answer came late and what the attempt is then. */
async function late(
  world: World,
  attempt: AttemptRow,
  settlement: Settlement,
  result: AttemptRow['result'],
): Promise<void> {
  assert.equal((await answer(world, attempt, settlement)).kind, 'late')
  assert.equal((await world.attempt(attempt)).result, result)
}

async function incidents(world: World) {
  return (await world.ledger.readEvents(null, { types: ['incident'] }, 99)).events
}

export const lateAnswerCases = casesOf('a late answer', {
  'on an unknown row is evidence, and the row is looked at at once': async (world) => {
    const { action, attempt } = await lost(world)
    await late(world, attempt, success, 'landed')
    const row = await world.row(action)
    assert.deepEqual([row.state, row.dueAt], ['unknown', world.clock.now()])
    const { id: actionId, version } = action
    const finding = { kind: 'not_landed_stop' } as const
    const before = await world.ledger.reconcile({ actionId, version, finding })
    assert.equal(before.kind, 'stale', 'who looked before the evidence came looks again')
    assert.deepEqual(await world.ledger.due('reconcile', 9), [action.id])
  },

  'on an unknown row that says it did not land is evidence as well': async (world) => {
    const { attempt } = await lost(world)
    await late(world, attempt, { kind: 'failed', fault: refused }, 'not_landed')
  },

  'on a row that waits is evidence, and it is not sent again from the start': async (world) => {
    const { action, attempt } = await lost(world)
    const waiting = await world.reconcile(action, { kind: 'not_landed_retry', retryAt: noon })
    await late(world, attempt, success, 'landed')
    await world.unchanged(waiting)
    const again = await world.claim(waiting, 'token-2')
    const resend = world.ledger.beginAttempt(world.attemptCommand(again))
    await assert.rejects(resend, /is not next/)
    const { id: actionId, token } = again
    const command = { actionId, token: token ?? '', attemptId: null, settlement: success }
    assert.equal((await world.ledger.settle(command)).action.state, 'success')
  },

  'on a row that another claim runs leaves that claim alone': async (world) => {
    const { action, attempt } = await lost(world)
    await world.reconcile(action, { kind: 'not_landed_retry', retryAt: noon })
    const again = await world.claim(action, 'token-2')
    await late(world, attempt, success, 'landed')
    await world.unchanged(again)
  },

  'on a row that needs attention is evidence for the person': async (world) => {
    const { action, attempt } = await lost(world)
    const handed = await world.reconcile(action, { kind: 'needs_attention', reason: 'odd' })
    await late(world, attempt, success, 'landed')
    await world.unchanged(handed)
  },

  'that it landed, on a row that ended as failed, opens an incident': async (world) => {
    const { action, attempt } = await lost(world)
    const failed = await world.reconcile(action, { kind: 'not_landed_stop' })
    assert.equal(failed.state, 'failed')
    world.clock.advance(minuteMs)
    await late(world, attempt, success, 'landed')
    await world.unchanged(failed)
    assert.deepEqual(
      (await incidents(world)).map(({ at, actionId, data }) => ({ at, actionId, data })),
      [{ at: world.clock.now(), actionId: action.id, data: { kind: 'landed_after_failure' } }],
    )
    await late(world, attempt, success, 'landed')
    assert.equal((await incidents(world)).length, 1, 'once')
  },

  'of an incident counts as landed from when it came': async (world) => {
    const post = await world.post()
    const { action, attempt } = await world.sending(post)
    world.clock.advance(leaseMs)
    await world.ledger.expire(9, 0)
    world.clock.advance(29 * minuteMs)
    const failed = await world.reconcile(await world.row(action), { kind: 'not_landed_stop' })
    world.clock.advance(7)
    const cameAt = world.clock.now()
    assert.ok(failed.endedAt !== null && failed.endedAt < cameAt)
    await world.stall(post)
    await late(world, attempt, success, 'landed')
    const cooled = { kind: 'time', at: cameAt + 30 * minuteMs }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'action_cooldown', cooled)
    const edit = { action: 'edit', tier: 'tier_2' } as const
    await world.succeeded(post, edit)
    const next = await world.tryPlan(post, { action: 'thread', tier: 'tier_3' })
    expectHeld(next, 'window_frequency', { kind: 'time', at: cameAt + 90 * minuteMs + 1 })
  },

  'never makes less certain what was read back': async (world) => {
    const { action, attempt } = await lost(world)
    await world.reconcile(action, { kind: 'not_landed_retry', retryAt: noon })
    await late(world, attempt, unknown, 'not_landed')
    await late(world, attempt, success, 'landed')
    await late(world, attempt, { kind: 'failed', fault: refused }, 'landed')
    await late(world, attempt, unknown, 'landed')
  },

  'that says what a success says already adds nothing': async (world) => {
    const { action, attempt } = await lost(world)
    const found = { kind: 'landed', remoteId: 'r', outcome: { found: true } } as const
    const done = await world.reconcile(action, found)
    const { cursor } = await world.ledger.readEvents(null, {}, 999)
    await answer(world, attempt, success)
    await world.unchanged(done)
    assert.deepEqual((await world.ledger.readEvents(cursor, {}, 9)).events, [])
  },

  'of the first of two sends opens no incident where the second says the same': async (world) => {
    const { action, attempt } = await world.unknown()
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    const second = await world.begin(await world.claim(action, 'token-2'))
    const done = await world.settle(second, success)
    await late(world, attempt, success, 'landed')
    await world.unchanged(done)
    assert.deepEqual(await incidents(world), [])
  },

  'that it did not land, on a row that ended as failed, opens no incident': async (world) => {
    const { action, attempt } = await world.unknown()
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    const second = await world.begin(await world.claim(action, 'token-2'))
    const again = await world.settle(second, { ...unknown, fault: timedOut })
    const failed = await world.reconcile(again, { kind: 'not_landed_stop' })
    await late(world, attempt, { kind: 'failed', fault: refused }, 'not_landed')
    await world.unchanged(failed)
    assert.deepEqual(await incidents(world), [])
  },

  'with which nothing was sent changes nothing': async (world) => {
    const { action } = await lost(world)
    await world.reconcile(action, { kind: 'not_landed_retry', retryAt: noon })
    const again = await world.claim(action, 'token-2')
    const settlement: Settlement = { kind: 'failed', fault: refused }
    const { id: actionId } = action
    const command = { actionId, token: 'token-1', attemptId: null, settlement }
    assert.equal((await world.ledger.settle(command)).kind, 'late')
    await world.unchanged(again)
  },

  'is the one of the holder as long as nobody took the claim': async (world) => {
    const { attempt } = await world.sending()
    world.clock.advance(leaseMs + minuteMs)
    assert.equal((await world.settle(attempt, success)).state, 'success')
  },
})
