/** What must be true of the guards when a plan is written: each holds on fresh rows. */

import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import type { GuardSettings } from '../../core/guards/guards.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyOf, policyWith } from './policies.ts'
import { expectHeld } from './world.ts'
import type { World } from './world.ts'

const edit = { action: 'edit', tier: 'tier_2' } as const

/** Moves on and reads the post again, so that only the guard in question can hold. */
async function later(world: World, post: PostRow, durationMs: number): Promise<void> {
  world.clock.advance(durationMs)
  await world.stall(post)
}

export const planGuardCases = casesOf('a plan is held', {
  'while everything, its platform or its account is paused': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const scopes = [
      ['everything', ''],
      ['platform', 'bluesky'],
      ['account', account.id],
    ] as const
    for (const [scope, target] of scopes) {
      await world.ledger.pause({ scope, target, until: null, reason: 'holiday', by: 'anna' })
      expectHeld(await world.tryPlan(post), 'paused', { kind: 'event', event: 'resume' })
      await world.ledger.resume(scope, target)
    }
    await world.plan(post)
  },

  'on a post that the owner said never to touch': async (world) => {
    const post = await world.post()
    await world.ledger.setNeverTouch(post.id, true)
    expectHeld(await world.tryPlan(post), 'never_touch', { kind: 'never' })
    await world.ledger.setNeverTouch(post.id, false)
    await world.plan(post)
  },

  'on a post that is too young or too old': async (world) => {
    const account = await world.account()
    const young = await world.post(account, { publishedAt: noon - 29 * minuteMs })
    const until = { kind: 'time', at: noon + minuteMs }
    expectHeld(await world.tryPlan(young), 'post_age', until)
    const old = await world.post(account, { publishedAt: noon - 73 * hourMs })
    expectHeld(await world.tryPlan(old), 'post_age', { kind: 'never' })
  },

  'without readings, with old ones and with too few': async (world) => {
    const account = await world.account()
    const post = world.newPost(account)
    await world.ledger.trackPosts([post])
    expectHeld(await world.tryPlan(post), 'insufficient', { kind: 'event', event: 'next_sample' })
    await world.stall(post)
    world.clock.advance(46 * minuteMs)
    expectHeld(await world.tryPlan(post), 'insufficient')
  },

  'after the maximum in the window, until the first of it has left': async (world) => {
    const guard: GuardSettings = {
      guard: 'window_frequency',
      windowMs: hourMs,
      maximum: 2,
      counts: 'may_have_landed',
    }
    world.policy = policyOf(1, guard)
    const post = await world.post()
    await world.succeeded(post)
    await later(world, post, 10 * minuteMs)
    await world.succeeded(post, edit)
    const until = { kind: 'time', at: noon + hourMs + 1 }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'window_frequency', until)
    await later(world, post, 50 * minuteMs)
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'window_frequency', until)
    await later(world, post, 1)
    await world.plan(post, { generation: 1 })
  },

  'in the cooldown of its own kind, not of another': async (world) => {
    const cooldownMs = { comment: 30 * minuteMs, edit: 0, thread: 0 }
    const rest = { counts: 'may_have_landed', last: 'in_time' } as const
    world.policy = policyOf(1, { guard: 'action_cooldown', cooldownMs, ...rest })
    const post = await world.post()
    await world.succeeded(post)
    const until = { kind: 'time', at: noon + 30 * minuteMs }
    expectHeld(await world.tryPlan(post, { generation: 1 }), 'action_cooldown', until)
    await world.decide(await world.plan(post, edit), { kind: 'cancel', reason: 'no' })
    await later(world, post, 30 * minuteMs)
    await world.plan(post, { generation: 1 })
  },

  'by replies of the owner that the ledger did not make': async (world) => {
    const post = await world.post()
    const at = noon - 10 * minuteMs
    await world.ledger.recordOwnReplies([{ postId: post.id, remoteId: 'own-1', at }])
    const until = { kind: 'time', at: at + 30 * minuteMs }
    expectHeld(await world.tryPlan(post), 'action_cooldown', until)
    const second = { postId: post.id, remoteId: 'own-2', at: at + 1 }
    await world.ledger.recordOwnReplies([second, { ...second, remoteId: 'own-1', at }])
    expectHeld(await world.tryPlan(post, edit), 'window_frequency')
  },

  'once the post has had all that its life allows': async (world) => {
    world.policy = policyOf(1, { guard: 'lifetime_maximum', maximum: 1 })
    const post = await world.post()
    await world.succeeded(post)
    await later(world, post, hourMs)
    expectHeld(await world.tryPlan(post, edit), 'lifetime_maximum', { kind: 'never' })
  },

  'over the budget of its account, which other posts share': async (world) => {
    world.policy = policyWith(1, { guard: 'account_budget', perHour: 2, perDay: 3 })
    const account = await world.account()
    await world.succeeded(await world.post(account))
    world.clock.advance(5 * minuteMs)
    await world.succeeded(await world.post(account))
    const post = await world.post(account)
    const until = { kind: 'time', at: noon + hourMs + 1 }
    expectHeld(await world.tryPlan(post), 'account_budget', until)
    await world.plan(await world.post(await world.account()))
    await later(world, post, hourMs)
    await world.succeeded(post)
    const last = await world.post(account)
    expectHeld(await world.tryPlan(last), 'account_budget', { kind: 'time', at: noon + dayMs + 1 })
  },

  'over the budget of the platform, which accounts share': async (world) => {
    const windowMs = 5 * minuteMs
    world.policy = policyOf(1, { guard: 'platform_budget', windowMs, maximum: 1 })
    await world.succeeded()
    const until = { kind: 'time', at: noon + windowMs + 1 }
    expectHeld(await world.tryPlan(await world.post()), 'platform_budget', until)
    await world.plan(await world.post(await world.account({ platform: 'mastodon' })))
  },

  'in the quiet hours of the account’s own zone': async (world) => {
    const quiet = await world.post(await world.account({ timeZone: 'Pacific/Auckland' }))
    const until = { kind: 'time', at: Date.UTC(2026, 2, 2, 18) }
    expectHeld(await world.tryPlan(quiet), 'quiet_hours', until)
    await world.plan(await world.post())
  },

  'while an action of the account shows no lift': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    await world.ledger.setWithoutLift(account.id, 'comment', 40)
    expectHeld(await world.tryPlan(post), 'futility', { kind: 'event', event: 'review' })
    await world.ledger.setWithoutLift(account.id, 'comment', 39)
    await world.plan(post)
  },

  'while replies quarrel': async (world) => {
    const post = await world.post()
    world.clock.advance(15 * minuteMs)
    const interactions = { replies: 90, likes: 2 }
    const sample = { at: world.clock.now(), impressions: 9_000, engagements: 5, interactions }
    await world.ledger.recordSamples([{ postId: post.id, sample }])
    expectHeld(await world.tryPlan(post), 'backlash')
  },

  'and is not written: no row, no arm, no event': async (world) => {
    const post = await world.post()
    await world.ledger.setNeverTouch(post.id, true)
    const before = await world.ledger.readEvents(null, {}, 99)
    await world.tryPlan(post)
    assert.deepEqual((await world.ledger.readEvents(before.cursor, {}, 99)).events, [])
    assert.equal((await world.ledger.getPost(post.id))?.arm, null)
  },
})
