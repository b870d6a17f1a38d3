/**
 * What must be true of the time a plan is due at: the account's budget has room for it then, beside
 * all that was claimed and planned before (I2). So workers do not find the budget by hitting it.
 */

import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import { claimedWithinMs } from '../../core/guards/next-slot.ts'
import { toActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { AccountRow, ActionRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyOf, policyWith } from './policies.ts'
import { expectHeld, expectKind } from './world.ts'
import type { World } from './world.ts'

/** When the second two of a budget of two an hour are due, where the first two are due at noon. */
const secondSlot = noon + claimedWithinMs + hourMs + 1

function twoAnHour(world: World): Promise<AccountRow> {
  world.policy = policyWith(1, { guard: 'account_budget', perHour: 2, perDay: 99 })
  return world.account()
}

async function planNext(world: World, account: AccountRow): Promise<ActionRow> {
  return world.plan(await world.post(account))
}

/** The most that stand in any stretch of that length. */
function mostWithin(times: readonly Instant[], windowMs: number): number {
  const counts = times.map((end) => times.filter((at) => at <= end && at >= end - windowMs).length)
  return Math.max(...counts)
}

async function claimWhenDue(world: World, post: PostRow, { id }: ActionRow) {
  const { dueAt } = await world.row({ id })
  assert.ok(dueAt !== null)
  world.clock.set(Math.max(world.clock.now(), dueAt))
  await world.stall(post)
  return world.tryClaim({ id })
}

export const slotCases = casesOf('a slot', {
  'of each of thirty plans keeps the budget, and those too late are held': async (world) => {
    const account = await world.account()
    const times: Instant[] = []
    for (let count = 0; count < 25; count += 1) {
      const { dueAt } = await planNext(world, account)
      times.push(dueAt ?? Number.NaN)
    }
    assert.deepEqual(
      times.slice(0, 6),
      Array.from({ length: 6 }, () => noon),
    )
    assert.equal(mostWithin(times, hourMs), 6)
    assert.equal(mostWithin(times, dayMs), 25)
    const until = { kind: 'time', at: noon + claimedWithinMs + dayMs + 1 }
    for (let count = 0; count < 5; count += 1) {
      const post = await world.post(account)
      expectHeld(await world.tryPlan(post), 'account_budget', until)
      assert.equal((await world.ledger.getPost(post.id))?.arm, null)
    }
  },

  'is kept by planners that come at once, in one process and in another': async (world) => {
    const account = await twoAnHour(world)
    const posts: PostRow[] = []
    for (let count = 0; count < 12; count += 1) posts.push(await world.post(account))
    const other = await world.harness.second()
    const ledgers = [world.ledger, other.ledger]
    const results = await Promise.all(
      posts.map((post, index) =>
        (ledgers[index % 2] ?? world.ledger).plan(world.planCommand(post)),
      ),
    )
    const times = results.map((result) => expectKind(result, 'planned').action.dueAt)
    assert.equal(mostWithin(times as Instant[], hourMs), 2)
  },

  'lets the claim pass that comes when it is due': async (world) => {
    const account = await twoAnHour(world)
    const posts: PostRow[] = []
    const plans: ActionRow[] = []
    for (let count = 0; count < 6; count += 1) {
      const post = await world.post(account)
      posts.push(post)
      plans.push(await world.plan(post))
    }
    for (const [index, plan] of plans.entries()) {
      expectKind(await claimWhenDue(world, posts[index] as PostRow, plan), 'claimed')
      world.clock.advance(minuteMs / 6)
    }
  },

  'does not let a claim pass before': async (world) => {
    const account = await twoAnHour(world)
    await planNext(world, account)
    await planNext(world, account)
    const third = await planNext(world, account)
    assert.equal(third.dueAt, secondSlot)
    expectHeld(await world.tryClaim(third), 'not_due', { kind: 'time', at: secondSlot })
  },

  'of a plan that is cancelled goes to the next': async (world) => {
    const account = await twoAnHour(world)
    const first = await planNext(world, account)
    await planNext(world, account)
    assert.equal((await planNext(world, account)).dueAt, secondSlot)
    await world.decide(first, { kind: 'cancel', reason: 'no' })
    assert.equal((await planNext(world, account)).dueAt, noon)
  },

  'of a plan whose post has recovered goes to the next': async (world) => {
    const account = await twoAnHour(world)
    const post = await world.post(account)
    const first = await world.plan(post)
    await planNext(world, account)
    world.clock.advance(31 * minuteMs)
    await world.recover(post)
    expectKind(await world.tryClaim(first), 'ended')
    assert.equal((await planNext(world, account)).dueAt, noon + 31 * minuteMs)
  },

  'counts what was claimed once': async (world) => {
    const account = await twoAnHour(world)
    await world.claim(await planNext(world, account))
    await planNext(world, account)
    assert.equal((await planNext(world, account)).dueAt, noon + hourMs + 1)
  },

  'of one account is nothing to another': async (world) => {
    const account = await twoAnHour(world)
    for (let count = 0; count < 4; count += 1) await planNext(world, account)
    const other = await world.account()
    assert.equal((await planNext(world, other)).dueAt, noon)
  },

  'is not taken by what waits for an approval, but by what is approved': async (world) => {
    const account = await twoAnHour(world)
    await world.ledger.saveAccount({ ...account, mode: 'approve' })
    const asked: ActionRow[] = []
    for (let count = 0; count < 3; count += 1) asked.push(await planNext(world, account))
    await world.ledger.saveAccount(account)
    assert.equal((await planNext(world, account)).dueAt, noon)
    const [first] = asked
    assert.ok(first)
    const { textHash } = first
    const approve = { kind: 'approve', textHash, graceMs: 0, expiresAfterMs: hourMs } as const
    await world.decide(first, approve)
    assert.equal((await planNext(world, account)).dueAt, secondSlot)
  },

  'is not taken by an undo': async (world) => {
    const account = await twoAnHour(world)
    const { id: undoes, postId } = await world.succeeded(await world.post(account))
    await world.ledger.planUndo({ actionId: toActionId('undo'), postId, undoes })
    assert.equal((await planNext(world, account)).dueAt, noon)
  },

  'is now where the policy has no such budget': async (world) => {
    world.policy = policyOf(1, { guard: 'paused' })
    const account = await world.account()
    for (let count = 0; count < 9; count += 1) {
      assert.equal((await planNext(world, account)).dueAt, noon)
    }
  },
})
