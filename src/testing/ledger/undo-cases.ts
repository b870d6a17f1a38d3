/** What must be true of taking an action back: a row of its own, beside the one that ended. */

import assert from 'node:assert/strict'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { policyId } from '../../core/policy.ts'
import type { ActionRow, PostRow } from '../../ledger/rows.ts'
import { toActionId } from '../../core/ids.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyWith } from './policies.ts'
import { expectHeld, expectKind, refused, success } from './world.ts'
import type { World } from './world.ts'

function undo(world: World, target: ActionRow, id = world.name('undo')) {
  const command = { actionId: toActionId(id), postId: target.postId, undoes: target.id }
  return world.ledger.planUndo(command)
}

async function planned(world: World, target: ActionRow): Promise<ActionRow> {
  return expectKind(await undo(world, target), 'planned').action
}

async function takenBack(world: World, post: PostRow) {
  const target = await world.succeeded(post)
  const attempt = await world.begin(await world.claim(await planned(world, target)))
  return { target, row: await world.settle(attempt, success) }
}

export const undoCases = casesOf('an undo', {
  'is a row of its own, approved from the start': async (world) => {
    const target = await world.succeeded()
    world.clock.advance(minuteMs)
    const row = await planned(world, target)
    assert.deepEqual([row.state, row.undoes, row.version], ['approved', target.id, 1])
    assert.deepEqual([row.dueAt, row.endedAt], [noon + minuteMs, null])
    assert.notEqual(row.key, target.key)
    await world.unchanged(row)
    await world.unchanged(target)
  },

  'repeated with the same id is the first one': async (world) => {
    const target = await world.succeeded()
    const first = await undo(world, target, 'undo-a')
    assert.deepEqual(await undo(world, target, 'undo-a'), first)
  },

  'is refused for what has not succeeded, is open or is taken back': async (world) => {
    const post = await world.post()
    const { target, row } = await takenBack(world, post)
    assert.equal((await undo(world, target)).kind, 'refused')
    assert.equal((await undo(world, row)).kind, 'refused')
    const failed = await world.failed(await world.post())
    assert.equal((await undo(world, failed)).kind, 'refused')
    const other = await world.succeeded(await world.post())
    const elsewhere = { ...other, postId: post.id }
    assert.equal((await undo(world, elsewhere)).kind, 'refused')
    await planned(world, other)
    assert.equal((await undo(world, other)).kind, 'refused', 'another action is open')
  },

  'waits for no window, cooldown or fresh reading, but for a pause': async (world) => {
    const account = await world.account()
    const row = await planned(world, await world.succeeded(await world.post(account)))
    world.clock.advance(50 * minuteMs)
    const pause = { until: null, reason: 'holiday', by: 'anna' }
    await world.ledger.pause({ scope: 'account', target: account.id, ...pause })
    expectHeld(await world.tryClaim(row), 'paused')
    await world.ledger.resume('account', account.id)
    world.clock.advance(5 * minuteMs)
    await world.claim(row)
  },

  'is possible after the watch has ended and under a newer policy': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const target = await world.succeeded(post)
    await world.ledger.closePost(post.id, 'closed')
    const next = policyWith(2)
    await world.ledger.savePolicy(next)
    await world.ledger.saveAccount({ ...account, policy: policyId(next) })
    world.policy = next
    await world.claim(await planned(world, target))
  },

  'counts in no window, budget or generation': async (world) => {
    world.policy = policyWith(1, { guard: 'account_budget', perHour: 2, perDay: 9 })
    const account = await world.account()
    const post = await world.post(account)
    await takenBack(world, post)
    await world.succeeded(post, { action: 'edit', tier: 'tier_2' })
    world.clock.advance(2 * hourMs)
    await world.stall(post)
    const input = await world.ledger.decisionInput(
      post.id,
      world.policy,
      world.planCommand(post).capabilities,
    )
    assert.equal(input?.history.length, 2)
    assert.equal(input?.tallies.account.length, 2)
    await world.plan(post, { generation: 1 })
  },

  'keeps the one open place of the post': async (world) => {
    const post = await world.post()
    await planned(world, await world.succeeded(post))
    const next = await world.tryPlan(post, { action: 'edit', tier: 'tier_2' })
    expectHeld(next, 'open_action', { kind: 'event', event: 'action_ended' })
  },

  'that failed may be tried again under a key of its own': async (world) => {
    const target = await world.succeeded()
    const first = await planned(world, target)
    const attempt = await world.begin(await world.claim(first))
    await world.settle(attempt, { kind: 'failed', fault: refused })
    const second = await planned(world, target)
    assert.notEqual(second.key, first.key)
  },

  'of a post that is not in the ledger is refused by name': async (world) => {
    const target = await world.succeeded()
    const nowhere = { ...target, postId: toPostId('nowhere') }
    await assert.rejects(undo(world, nowhere), InputError)
  },
})
