/** What must be true of the input of a decision: what the rows say, and no more than is needed. */

import assert from 'node:assert/strict'
import { everythingSupported } from '../../core/capabilities.ts'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import type { DecisionInput } from '../../core/decision-input.ts'
import { toPostId } from '../../core/ids.ts'
import { decide } from '../../core/decide.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyOf, policyWith } from './policies.ts'
import { leaseMs, success } from './world.ts'
import type { World } from './world.ts'

async function inputOf(world: World, post: PostRow): Promise<DecisionInput> {
  const input = await world.ledger.decisionInput(post.id, world.policy, everythingSupported)
  assert.ok(input)
  return input
}

export const decisionInputCases = casesOf('decisionInput', {
  'of a post about which nothing is remembered': async (world) => {
    const account = await world.account({ timeZone: 'Asia/Kolkata' })
    const post = await world.post(account)
    const input = await inputOf(world, post)
    assert.deepEqual(input, {
      post: { id: post.id, publishedAt: post.publishedAt, neverTouch: false },
      timeZone: 'Asia/Kolkata',
      capabilities: everythingSupported,
      samples: await world.ledger.listSamples(post.id),
      looks: [],
      baseline: null,
      history: [],
      foreignKeys: [],
      ownReplies: [],
      tallies: { account: [], platform: [] },
      withoutLift: {},
      pauses: [],
      arm: null,
      policy: world.policy,
      now: noon,
    })
  },

  'holds the post’s rows in the order they were planned': async (world) => {
    const post = await world.post()
    await world.succeeded(post, { tier: 'tier_2' })
    world.clock.advance(1)
    const open = await world.plan(post, { action: 'edit', tier: 'tier_2' })
    const { history, arm } = await inputOf(world, post)
    assert.equal(arm, 'act')
    assert.deepEqual(
      history.map(({ action, tier, state, at, endedAt }) => [action, tier, state, at, endedAt]),
      [
        ['comment', 'tier_2', 'success', noon, noon],
        ['edit', 'tier_2', 'planned', noon + 1, null],
      ],
    )
    assert.equal(history[1]?.key, open.key)
    await world.claim(open)
    const running = (await inputOf(world, post)).history[1]
    assert.deepEqual([running?.state, running?.at], ['running', noon + 1 + leaseMs])
  },

  'takes a failure that landed after all for a success when that was found out': async (world) => {
    const post = await world.post()
    const { action, attempt } = await world.unknown(post)
    world.clock.advance(minuteMs)
    await world.reconcile(action, { kind: 'not_landed_stop' })
    world.clock.advance(minuteMs)
    const { actionId, token, id: attemptId } = attempt
    await world.ledger.settle({ actionId, token, attemptId, settlement: success })
    const [past] = (await inputOf(world, post)).history
    assert.deepEqual([past?.state, past?.at], ['success', noon + 2 * minuteMs])
    assert.equal((await world.row(action)).state, 'failed')
  },

  'holds first claims of the account and attempts on the platform': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    await world.sending(await world.post(account))
    world.clock.advance(1)
    await world.running(await world.post(account))
    await world.sending()
    await world.plan(await world.post(account))
    const { tallies } = await inputOf(world, post)
    const times = (list: readonly { readonly at: number }[]) =>
      list.map(({ at }) => at - noon).toSorted((a, b) => a - b)
    assert.deepEqual(times(tallies.account), [0, 1])
    assert.deepEqual(times(tallies.platform), [0, 1])
  },

  'holds pauses that concern the account, and counts without lift': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const pause = { until: null, reason: 'holiday', by: 'anna' }
    await world.ledger.pause({ scope: 'account', target: account.id, ...pause })
    await world.ledger.pause({ scope: 'account', target: 'another', ...pause })
    await world.ledger.pause({ scope: 'platform', target: 'mastodon', ...pause })
    await world.ledger.setWithoutLift(account.id, 'edit', 4)
    await world.ledger.setWithoutLift((await world.account()).id, 'edit', 9)
    const input = await inputOf(world, post)
    assert.deepEqual(
      input.pauses.map(({ scope, since, reason }) => [scope, since, reason]),
      [['account', noon, 'holiday']],
    )
    assert.deepEqual(input.withoutLift, { edit: 4 })
  },

  'of many posts is what it is of each, in their order': async (world) => {
    const ann = await world.account({ timeZone: 'Asia/Kolkata' })
    const bob = await world.account()
    const posts = [await world.post(ann), await world.post(bob), await world.post(ann)] as const
    const [first, second, third] = posts
    await world.succeeded(first)
    await world.plan(second)
    await world.ledger.recordOwnReplies([{ postId: third.id, remoteId: 'r', at: noon }])
    await world.ledger.setWithoutLift(bob.id, 'comment', 2)
    await world.ledger.pause({
      scope: 'account',
      target: bob.id,
      until: null,
      reason: 'holiday',
      by: 'bob',
    })
    await world.ledger.recordVerdict(third.id, {
      verdict: decide(await inputOf(world, third)),
      nextCheckAt: null,
    })
    const alone = [
      await inputOf(world, third),
      await inputOf(world, first),
      await inputOf(world, second),
    ]
    const together = await world.ledger.decisionInputs(
      [third.id, first.id, toPostId('nowhere'), second.id],
      world.policy,
      everythingSupported,
    )
    const [a, b, nowhere, c] = together
    assert.equal(nowhere, null)
    assert.deepEqual([a, b, c], alone)
    assert.equal(alone[1]?.history.length, 1)
    assert.equal(alone[1]?.tallies.account.length, 1)
    assert.equal(alone[2]?.pauses.length, 1)
    assert.equal(alone[0]?.pauses.length, 0)
    const none = await world.ledger.decisionInputs([], world.policy, everythingSupported)
    assert.deepEqual(none, [])
  },

  'holds looks as looks, the newest first': async (world) => {
    const post = await world.post()
    for (let turn = 0; turn < 2; turn += 1) {
      const verdict = decide(await inputOf(world, post))
      await world.ledger.recordVerdict(post.id, { verdict, nextCheckAt: null })
      world.clock.advance(10 * minuteMs)
      await world.stall(post)
    }
    const look = { policy: 'conformance@1', score: 1, stalled: true }
    assert.deepEqual((await inputOf(world, post)).looks, [
      { at: noon + 10 * minuteMs, ...look },
      { at: noon, ...look },
    ])
  },

  'reaches only as far back as the policy looks': async (world) => {
    const post = await world.post()
    await world.stall(post)
    const verdict = decide(await inputOf(world, post))
    await world.ledger.recordVerdict(post.id, { verdict, nextCheckAt: null })
    await world.succeeded(post)
    world.clock.advance((90 + 45) * minuteMs)
    const near = await inputOf(world, post)
    assert.deepEqual(
      near.samples.map(({ at }) => at),
      [noon],
      'a reading as old as the window before the oldest that is fresh is in it',
    )
    assert.equal(near.looks.length, 1)
    assert.deepEqual([near.tallies.account.length, near.tallies.platform.length], [1, 0])
    world.clock.advance(dayMs)
    const far = await inputOf(world, post)
    assert.deepEqual([far.samples, far.looks, far.tallies.account], [[], [], []])
    assert.equal(far.history.length, 1, 'rows of the post itself are never left out')
  },

  'a busy account gives the newest claims, one more than its budget': async (world) => {
    world.policy = policyWith(1, { guard: 'account_budget', perHour: 3, perDay: 3 })
    const account = await world.account()
    const loose = policyOf(1)
    await world.ledger.savePolicy(loose)
    await world.ledger.saveAccount({ ...account, policy: 'conformance-bare@1' })
    for (let turn = 0; turn < 6; turn += 1) {
      const strict = world.policy
      world.policy = loose
      await world.running(await world.post(account))
      world.policy = strict
      world.clock.advance(1)
    }
    const { tallies } = await inputOf(world, await world.post(account))
    assert.deepEqual(
      tallies.account.map(({ at }) => at - noon).toSorted((a, b) => a - b),
      [2, 3, 4, 5],
    )
  },

  'is read as of the ledger’s time': async (world) => {
    const post = await world.post()
    world.clock.advance(hourMs)
    assert.equal((await inputOf(world, post)).now, noon + hourMs)
  },
})
