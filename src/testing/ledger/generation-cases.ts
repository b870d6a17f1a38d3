/**
 * What must be true of the next row after one has ended: its key is of the next generation, and how
 * the last one ended decides how long it rests.
 */

import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import { actionKey } from '../../core/key.ts'
import type { ActionRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyWith } from './policies.ts'
import { expectHeld, refused } from './world.ts'
import type { World } from './world.ts'

/** So that days can pass and only the rest after an ending is seen. */
const patient = policyWith(
  7,
  { guard: 'post_age', fromMs: 0, toMs: 400 * dayMs },
  { guard: 'quiet_hours', from: '00:00', to: '00:00' },
  { guard: 'lifetime_maximum', maximum: 99 },
)

async function restingPost(world: World): Promise<PostRow> {
  world.policy = patient
  return world.post(await world.account({ mode: 'approve' }))
}

async function moveTo(world: World, post: PostRow, at: number): Promise<void> {
  world.clock.set(at)
  await world.stall(post)
}

async function fail(world: World, planned: ActionRow): Promise<ActionRow> {
  const { textHash } = planned
  const decision = { kind: 'approve', textHash, graceMs: 0, expiresAfterMs: hourMs } as const
  await world.decide(planned, decision)
  const attempt = await world.begin(await world.claim(planned))
  return world.settle(attempt, { kind: 'failed', fault: refused })
}

export const generationCases = casesOf('a generation', {
  'counts the rows of this post, action and tier that ended, however': async (world) => {
    world.policy = patient
    const post = await world.post()
    const first = await world.plan(post)
    assert.deepEqual([first.generation, first.key], [0, actionKey(post.id, 'comment', 'tier_1')])
    await world.decide(first, { kind: 'cancel', reason: 'no' })
    const second = await world.plan(post, { generation: 1 })
    assert.equal(second.key, actionKey(post.id, 'comment', 'tier_1', 1))
    world.clock.advance(dayMs)
    await world.ledger.expire(9, 0)
    await moveTo(world, post, world.clock.now() + hourMs)
    const other = await world.plan(post, { tier: 'tier_2' })
    assert.equal(other.generation, 0, 'another tier counts for itself')
    await world.decide(other, { kind: 'cancel', reason: 'no' })
    const edit = await world.plan(post, { action: 'edit', tier: 'tier_1' })
    assert.equal(edit.generation, 0, 'another action counts for itself')
    await world.decide(edit, { kind: 'cancel', reason: 'no' })
    assert.equal((await world.plan(post, { generation: 2 })).generation, 2)
  },

  'after a rejection rests a day, after the second for ever': async (world) => {
    const post = await restingPost(world)
    const reject = { kind: 'reject', reason: 'no' } as const
    await world.decide(await world.plan(post), reject)
    const until = { kind: 'time', at: noon + dayMs }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'rejected_before', until)
    await moveTo(world, post, noon + dayMs)
    await world.decide(await world.plan(post, { generation: 1 }), reject)
    await moveTo(world, post, noon + 100 * dayMs)
    const next = await world.tryPlan(post, { generation: 2 })
    expectHeld(next, 'rejected_before', { kind: 'never' })
    await world.plan(post, { action: 'edit', tier: 'tier_2' })
  },

  'after an expiry rests its cooldown': async (world) => {
    const post = await restingPost(world)
    await world.plan(post, { expiresAfterMs: minuteMs })
    await moveTo(world, post, noon + minuteMs)
    await world.ledger.expire(9, 0)
    const until = { kind: 'time', at: noon + 31 * minuteMs }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'expired_before', until)
    await moveTo(world, post, noon + 31 * minuteMs)
    await world.plan(post, { generation: 1 })
  },

  'after a failure rests an hour, then two, then for ever': async (world) => {
    const post = await restingPost(world)
    let at = noon
    for (const [generation, restMs] of [hourMs, 2 * hourMs].entries()) {
      await fail(world, await world.plan(post, { generation }))
      const until = { kind: 'time', at: at + restMs }
      const next = { generation: generation + 1 }
      expectHeld(await world.tryPlan(post, next), 'failed_before', until)
      at += restMs
      await moveTo(world, post, at)
    }
    await fail(world, await world.plan(post, { generation: 2 }))
    await moveTo(world, post, noon + 100 * dayMs)
    expectHeld(await world.tryPlan(post, { generation: 3 }), 'failed_before', { kind: 'never' })
  },

  'a failure does not count in window and cooldown, and is not begun twice': async (world) => {
    const post = await restingPost(world)
    const failed = await fail(world, await world.plan(post))
    const next = await world.tryPlan(post, { action: 'edit', tier: 'tier_2' })
    assert.equal(next.kind, 'planned')
    await world.unchanged(failed)
  },
})
