/**
 * What must be true of the guards when an action is claimed: they are asked again on fresh rows,
 * and the action itself is not among them (I2, I3, I9, I11).
 */

import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import type { GuardSettings } from '../../core/guards/guards.ts'
import type { ActionRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyOf, policyWith } from './policies.ts'
import { expectHeld, expectKind, refused } from './world.ts'
import type { World } from './world.ts'

const edit = { action: 'edit', tier: 'tier_2' } as const

/** A plan that nothing stood against when it was made. */
async function planned(world: World) {
  const account = await world.account()
  const post = await world.post(account)
  return { account, post, action: await world.plan(post) }
}

/** Approved plans reserve nothing before, so that all of them are due at once. */
async function approved(world: World, post: PostRow) {
  const action = await world.plan(post)
  const { textHash } = action
  const expiresAfterMs = 2 * dayMs
  return world.decide(action, { kind: 'approve', textHash, graceMs: 0, expiresAfterMs })
}

async function ownReply(world: World, post: PostRow, remoteId: string, at: number) {
  await world.ledger.recordOwnReplies([{ postId: post.id, remoteId, at }])
}

export const claimGuardCases = casesOf('a claim asks again', {
  'and is held by a pause that came since': async (world) => {
    const { account, action } = await planned(world)
    const pause = { until: null, reason: 'holiday', by: 'anna' }
    await world.ledger.pause({ scope: 'account', target: account.id, ...pause })
    expectHeld(await world.tryClaim(action), 'paused', { kind: 'event', event: 'resume' })
    await world.ledger.resume('account', account.id)
    world.clock.advance(10 * minuteMs)
    await world.claim(action)
  },

  'and cancels what the owner said never to touch': async (world) => {
    const { post, action } = await planned(world)
    await world.ledger.setNeverTouch(post.id, true)
    const ended = expectKind(await world.tryClaim(action), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['cancelled', 'never_touch'])
    await world.unchanged(ended.action)
  },

  'and cancels where the post has recovered': async (world) => {
    const { post, action } = await planned(world)
    world.clock.advance(31 * minuteMs)
    await world.recover(post)
    const ended = expectKind(await world.tryClaim(action), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['cancelled', 'recovered'])
  },

  'and is held where the last reading is too old': async (world) => {
    const { post, action } = await planned(world)
    world.clock.advance(46 * minuteMs)
    const until = { kind: 'event', event: 'next_sample' }
    expectHeld(await world.tryClaim(action), 'insufficient', until)
    await world.stall(post)
    world.clock.advance(5 * minuteMs)
    await world.claim(action)
  },

  'and cancels where the post has grown too old': async (world) => {
    const account = await world.account()
    const post = await world.post(account, { publishedAt: noon - 71 * hourMs })
    const action = await world.plan(post)
    world.clock.advance(hourMs + 1)
    await world.stall(post)
    const ended = expectKind(await world.tryClaim(action), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['cancelled', 'post_age'])
  },

  'and never passes the maximum in the window': async (world) => {
    const { post, action } = await planned(world)
    await ownReply(world, post, 'own-1', noon)
    await ownReply(world, post, 'own-2', noon)
    const until = { kind: 'time', at: noon + 90 * minuteMs + 1 }
    expectHeld(await world.tryClaim(action), 'window_frequency', until)
    await world.stall(post)
    world.clock.advance(90 * minuteMs)
    await world.stall(post)
    expectHeld(await world.tryClaim(action), 'not_due', until)
    world.clock.advance(1)
    await world.claim(action)
  },

  'and waits for the cooldown, to the millisecond': async (world) => {
    const { post, action } = await planned(world)
    await ownReply(world, post, 'own-1', noon + 0.25)
    expectHeld(await world.tryClaim(action), 'action_cooldown', {
      kind: 'time',
      at: noon + 30 * minuteMs + 0.25,
    })
    world.clock.advance(30 * minuteMs)
    await world.stall(post)
    expectHeld(await world.tryClaim(action), 'not_due')
    world.clock.advance(1)
    await world.claim(action)
  },

  'and counts the account’s budget across posts, once for an action': async (world) => {
    world.policy = policyWith(1, { guard: 'account_budget', perHour: 2, perDay: 9 })
    const account = await world.account({ mode: 'approve' })
    const [one, two, three] = [
      await approved(world, await world.post(account)),
      await approved(world, await world.post(account)),
      await approved(world, await world.post(account)),
    ]
    await world.claim(one)
    const { attempt } = { attempt: await world.begin(await world.claim(two)) }
    const until = { kind: 'time', at: noon + hourMs + 1 }
    expectHeld(await world.tryClaim(three), 'account_budget', until)
    const retryAt = noon + minuteMs
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt })
    world.clock.advance(minuteMs)
    await world.claim(two, 'token-2')
    const elsewhere = await world.plan(await world.post(await world.account()))
    await world.claim(elsewhere)
  },

  'and counts the account’s day': async (world) => {
    world.policy = policyWith(1, { guard: 'account_budget', perHour: 1, perDay: 2 })
    const account = await world.account({ mode: 'approve' })
    const posts = [await world.post(account), await world.post(account), await world.post(account)]
    const plans: ActionRow[] = []
    for (const post of posts) plans.push(await approved(world, post))
    const claimAt = async (index: number, at: number) => {
      world.clock.set(at)
      await world.stall(posts[index] as PostRow)
      const action = plans[index]
      assert.ok(action)
      return world.tryClaim(action)
    }
    expectKind(await claimAt(0, noon), 'claimed')
    expectKind(await claimAt(1, noon + hourMs + 1), 'claimed')
    const until = { kind: 'time', at: noon + 24 * hourMs + 1 }
    expectHeld(await claimAt(2, noon + 2 * hourMs + 2), 'account_budget', until)
  },

  'and counts attempts on the platform by all accounts': async (world) => {
    const windowMs = 5 * minuteMs
    world.policy = policyOf(1, { guard: 'platform_budget', windowMs, maximum: 1 })
    const [one, two] = [await world.plan(await world.post()), await world.plan(await world.post())]
    await world.begin(await world.claim(one))
    const until = { kind: 'time', at: noon + windowMs + 1 }
    expectHeld(await world.tryClaim(two), 'platform_budget', until)
  },

  'and cancels once the post has had all that its life allows': async (world) => {
    const one: GuardSettings = { guard: 'lifetime_maximum', maximum: 1 }
    world.policy = policyOf(1)
    const account = await world.account()
    const post = await world.post(account)
    await world.succeeded(post)
    const action = await world.plan(post, edit)
    const stricter = policyOf(2, one)
    await world.ledger.savePolicy(stricter)
    await world.ledger.saveAccount({ ...account, policy: 'conformance-bare@2' })
    const ended = expectKind(await world.tryClaim(action, { policy: stricter }), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['cancelled', 'lifetime_maximum'])
  },

  'and is held in quiet hours until they end': async (world) => {
    world.clock.set(Date.UTC(2026, 2, 2, 22, 59))
    const { post, action } = await planned(world)
    world.clock.advance(minuteMs)
    await world.stall(post)
    const until = { kind: 'time', at: Date.UTC(2026, 2, 3, 7) }
    expectHeld(await world.tryClaim(action), 'quiet_hours', until)
  },

  'and is not stopped by itself': async (world) => {
    const cooldownMs = { comment: hourMs, edit: hourMs, thread: hourMs }
    const counts = 'may_have_landed'
    world.policy = policyOf(
      1,
      { guard: 'open_action' },
      { guard: 'duplicate' },
      { guard: 'window_frequency', windowMs: hourMs, maximum: 1, counts },
      { guard: 'action_cooldown', cooldownMs, counts, last: 'in_time' },
      { guard: 'lifetime_maximum', maximum: 1 },
      { guard: 'account_budget', perHour: 1, perDay: 1 },
    )
    const { attempt } = await world.sending()
    const { actionId: id } = attempt
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
    await world.claim({ id }, 'token-2')
  },

  'but does not judge again what is out in part': async (world) => {
    const post = await world.post()
    const action = await world.running(post, { action: 'thread', tier: 'tier_3' })
    const first = await world.begin(action)
    await world.settle(first, { kind: 'segment_landed', remoteId: 'r-1' })
    world.clock.advance(31 * minuteMs)
    await world.ledger.expire(9, 0)
    await world.recover(post)
    const again = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'claimed')
    assert.equal(again.attempts[0]?.result, 'landed')
  },

  'but does not judge again what may be out and is sent once more': async (world) => {
    const post = await world.post()
    const { action } = await world.unknown(post)
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    world.clock.advance(31 * minuteMs)
    await world.recover(post)
    await world.claim(action, 'token-2')
  },
})
