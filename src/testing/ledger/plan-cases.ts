/** What must be true of planning: replays, arms, modes, keys and the one open place of a post. */

import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import { toActionId, toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { actionKey } from '../../core/key.ts'
import { policyId } from '../../core/policy.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import { hashText } from '../../ledger/steps/plan.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyOf, policyWith } from './policies.ts'
import { expectHeld, expectKind, expiresAfterMs } from './world.ts'

export const planCases = casesOf('plan', {
  'writes the keyed row with its text, due at once': async (world) => {
    const post = await world.post()
    const command = world.planCommand(post, { action: 'edit', tier: 'tier_2', text: 'Better.' })
    const { action } = expectKind(await world.ledger.plan(command), 'planned')
    const now = world.clock.now()
    assert.deepEqual(action, {
      id: command.actionId,
      key: actionKey(post.id, 'edit', 'tier_2', 0),
      postId: post.id,
      accountId: post.accountId,
      platform: 'bluesky',
      action: 'edit',
      tier: 'tier_2',
      generation: 0,
      state: 'planned',
      policy: policyId(world.policy),
      score: 0.9,
      text: 'Better.',
      textHash: hashText('Better.'),
      revision: 1,
      plannedAt: now,
      expiresAt: now + expiresAfterMs,
      noticeAt: null,
      dueAt: now,
      token: null,
      leaseUntil: null,
      firstClaimedAt: null,
      attempts: 0,
      mayLandUntil: null,
      endedAt: null,
      outcome: null,
      fault: null,
      undoes: null,
      version: 1,
    })
    await world.unchanged(action)
  },

  'repeated with the same id, it returns the row that is there and adds none': async (world) => {
    const post = await world.post()
    const command = world.planCommand(post)
    const first = expectKind(await world.ledger.plan(command), 'planned')
    const claimed = await world.claim(first.action)
    world.clock.advance(minuteMs)
    const again = expectKind(await world.ledger.plan(command), 'planned')
    assert.deepEqual(again.action, claimed)
    const rows = await world.ledger.listActions({ postId: post.id }, { after: null, limit: 9 })
    assert.equal(rows.length, 1)
  },

  'asks a person where the account approves, and tells before that runs out': async (world) => {
    const action = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    assert.equal(action.state, 'awaiting_approval')
    assert.equal(action.dueAt, action.expiresAt)
    assert.equal(action.noticeAt, action.expiresAt - hourMs)
  },

  'an account that only watches plans nothing and gives no arm': async (world) => {
    const post = await world.post(await world.account({ mode: 'watch' }))
    expectKind(await world.tryPlan(post), 'stale')
    assert.equal((await world.ledger.getPost(post.id))?.arm, null)
  },

  'gives a post its arm once, however the draw falls later': async (world) => {
    const post = await world.post()
    const draw = { arm: 'act', propensity: 0.75 } as const
    await world.decide(await world.plan(post, { draw }), { kind: 'cancel', reason: 'no' })
    const other = { arm: 'holdout', propensity: 0.5 } as const
    await world.plan(post, { draw: other, generation: 1 })
    const stored = await world.ledger.getPost(post.id)
    assert.deepEqual([stored?.arm, stored?.propensity], ['act', 0.75])
    assert.equal((await world.ledger.listMeasurements(post.id)).length, 3)
  },

  'a post that is held out gets its measurements and no row': async (world) => {
    const post = await world.post()
    const command = world.planCommand(post, { draw: { arm: 'holdout', propensity: 0.2 } })
    const first = expectKind(await world.ledger.plan(command), 'held_out')
    assert.equal(first.post.arm, 'holdout')
    assert.deepEqual(await world.ledger.getPost(post.id), first.post)
    assert.equal(await world.ledger.getAction(command.actionId), null)
    const due = await world.ledger.listMeasurements(post.id)
    const start = world.clock.now()
    assert.deepEqual(
      due.map(({ horizonMs, dueAt }) => [horizonMs, dueAt - start]),
      [2 * hourMs, dayMs, 7 * dayMs].map((horizonMs) => [horizonMs, horizonMs]),
    )
    assert.deepEqual(await world.ledger.plan(command), first, 'the same answer when repeated')
  },

  'keeps what was known when the arm was drawn, alike in both arms': async (world) => {
    const account = await world.account()
    for (const arm of ['act', 'holdout'] as const) {
      const post = world.newPost(account)
      await world.ledger.trackPosts([post])
      const readings = [
        [91, 1, 10],
        [90, 2, 1000],
        [30, 3, 2000],
        [0, 7, 3000],
      ] as const
      const batch = readings.map(([ageMinutes, engagements, impressions]) => {
        const at = noon - ageMinutes * minuteMs
        return { postId: post.id, sample: { at, engagements, impressions } }
      })
      await world.ledger.recordSamples(batch)
      await world.tryPlan(post, { draw: { arm, propensity: 0.5 } })
      const [first] = await world.ledger.listMeasurements(post.id)
      assert.deepEqual(first?.detail, {
        drawn: {
          action: 'comment',
          tier: 'tier_1',
          score: 0.9,
          policy: policyId(world.policy),
          ageMs: 2 * hourMs,
          engagements: 7,
          impressions: 3000,
          recentGain: 5,
        },
      })
    }
  },

  'a post that is held out stays so under a policy without that guard': async (world) => {
    world.policy = policyOf(1)
    const post = await world.post()
    await world.tryPlan(post, { draw: { arm: 'holdout', propensity: 0.2 } })
    expectKind(await world.tryPlan(post), 'held_out')
  },

  'is stale where the account, the post or the policy is not what it was': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    await world.ledger.saveAccount({ ...account, status: 'parked', statusReason: 'logged out' })
    expectKind(await world.tryPlan(post), 'stale')
    const next = policyWith(2)
    await world.ledger.savePolicy(next)
    await world.ledger.saveAccount({ ...account, policy: policyId(next) })
    expectKind(await world.tryPlan(post), 'stale')
    await world.ledger.saveAccount(account)
    await world.ledger.closePost(post.id, 'closed')
    expectKind(await world.tryPlan(post), 'stale')
  },

  'is stale once the post has recovered': async (world) => {
    const post = await world.post(await world.account(), { text: null })
    world.clock.advance(31 * minuteMs)
    await world.recover(post)
    expectKind(await world.tryPlan(post), 'stale')
  },

  'is stale in a generation that is not the next': async (world) => {
    const post = await world.post()
    expectKind(await world.tryPlan(post, { generation: 1 }), 'stale')
    await world.decide(await world.plan(post), { kind: 'cancel', reason: 'no' })
    expectKind(await world.tryPlan(post, { generation: 0 }), 'stale')
    const second = await world.plan(post, { generation: 1 })
    assert.equal(second.key, actionKey(post.id, 'comment', 'tier_1', 1))
  },

  'holds while another action is open on the post': async (world) => {
    const post = await world.post()
    await world.plan(post)
    const result = await world.tryPlan(post, { action: 'edit', tier: 'tier_2' })
    expectHeld(result, 'open_action', { kind: 'event', event: 'action_ended' })
  },

  'holds on an open action and on a used key also without those guards': async (world) => {
    world.policy = { ...policyOf(1), generations: false }
    const post = await world.post()
    const first = await world.plan(post)
    expectHeld(await world.tryPlan(post, { tier: 'tier_2' }), 'open_action')
    await world.decide(first, { kind: 'cancel', reason: 'no' })
    expectHeld(await world.tryPlan(post), 'duplicate', { kind: 'never' })
  },

  'an id that stands for another action is refused and changes nothing': async (world) => {
    const account = await world.account()
    const [one, other] = [await world.post(account), await world.post(account)]
    const action = await world.plan(one)
    await assert.rejects(
      world.tryPlan(other, { actionId: action.id }),
      (error) => error instanceof LedgerError && error.kind === 'conflict',
    )
    await world.unchanged(action)
    assert.equal((await world.ledger.getPost(other.id))?.arm, null)
  },

  'a post that is not in the ledger is refused by name': async (world) => {
    const post = world.newPost(await world.account(), { id: toPostId('nowhere') })
    await assert.rejects(world.tryPlan(post), (error) => {
      return error instanceof InputError && error.message.includes('nowhere')
    })
  },

  'keeps every character of a text': async (world) => {
    const text = 'Zoë said “hi” 👋🏽\n\ttab \\ quote \' " % $1 ?1 -- €'
    const action = await world.plan(await world.post(), { text })
    await world.harness.reopen()
    const stored = await world.row(action)
    assert.equal(stored.text, text)
    assert.equal(stored.textHash, hashText(text))
  },

  'rows that differ in their ids only by letter case are two': async (world) => {
    const account = await world.account()
    const upper = toActionId('Action-A')
    await world.plan(await world.post(account), { actionId: toActionId('action-a') })
    await world.plan(await world.post(account), { actionId: upper })
    assert.equal((await world.ledger.getAction(upper))?.id, upper)
  },
})
