/** What must be true when two clients want the same at once: exactly one gets it (I1, I2). */

import assert from 'node:assert/strict'
import { hourMs } from '../../core/duration.ts'
import type { ActionRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import type { Client } from './harness.ts'
import { policyWith } from './policies.ts'
import { leaseMs, refused, success } from './world.ts'
import type { World } from './world.ts'

/** Four clients on the same data. */
async function crowd(world: World): Promise<readonly Client[]> {
  const { ledger, store } = world.harness
  const clients: Client[] = [{ ledger, store }]
  while (clients.length < 4) clients.push(await world.harness.second())
  return clients
}

function count(results: readonly { readonly kind: string }[], kind: string): number {
  return results.filter((result) => result.kind === kind).length
}

/** Every client claims every action with tokens of its own, all at once. */
async function claimAll(world: World, actions: readonly ActionRow[]) {
  const clients = await crowd(world)
  return Promise.all(
    clients.flatMap(({ ledger }, index) =>
      actions.map((action) =>
        ledger.claim(world.claimCommand(action, { token: `token-${index}` })),
      ),
    ),
  )
}

export const raceCases = casesOf('at once', {
  'one of several claims with tokens of their own wins': async (world) => {
    const action = await world.plan(await world.post())
    const results = await claimAll(world, [action])
    assert.equal(count(results, 'claimed'), 1)
    assert.equal(count(results, 'taken'), 3)
    const winner = results.find((result) => result.kind === 'claimed')
    assert.deepEqual(await world.row(action), winner?.action)
  },

  'a claim that is repeated while it is under way is one claim': async (world) => {
    const action = await world.plan(await world.post())
    const clients = await crowd(world)
    const command = world.claimCommand(action)
    const results = await Promise.all(clients.map(({ ledger }) => ledger.claim(command)))
    assert.equal(count(results, 'claimed'), 4)
    assert.equal((await world.row(action)).version, action.version + 1)
  },

  'one of several plans for a post wins': async (world) => {
    const post = await world.post()
    const clients = await crowd(world)
    const kinds = [{}, {}, { action: 'edit', tier: 'tier_2' }, { action: 'thread', tier: 'tier_3' }]
    const results = await Promise.all(
      clients.map(({ ledger }, index) =>
        ledger.plan(world.planCommand(post, kinds[index] as { action?: 'edit'; tier?: 'tier_2' })),
      ),
    )
    assert.equal(count(results, 'planned'), 1)
    assert.equal(count(results, 'held'), 3)
    const filter = { postId: post.id }
    assert.equal((await world.ledger.listActions(filter, { after: null, limit: 9 })).length, 1)
    assert.equal((await world.ledger.listMeasurements(post.id)).length, 3)
  },

  'a post gets one arm from several draws': async (world) => {
    const post = await world.post()
    const clients = await crowd(world)
    const arms = ['act', 'holdout', 'act', 'holdout'] as const
    await Promise.all(
      clients.map(({ ledger }, index) => {
        const draw = { arm: arms[index] ?? 'act', propensity: (index + 1) / 10 }
        return ledger.plan(world.planCommand(post, { draw }))
      }),
    )
    const { events } = await world.ledger.readEvents(null, { types: ['arm_assigned'] }, 9)
    assert.equal(events.length, 1)
    const stored = await world.ledger.getPost(post.id)
    assert.deepEqual(events[0]?.data, { arm: stored?.arm, propensity: stored?.propensity })
  },

  'an account’s budget is never passed by claims on many posts': async (world) => {
    world.policy = policyWith(1, { guard: 'account_budget', perHour: 3, perDay: 9 })
    const account = await world.account()
    const plans = []
    for (let turn = 0; turn < 6; turn += 1) plans.push(await world.plan(await world.post(account)))
    const results = await claimAll(world, plans)
    assert.equal(count(results, 'claimed'), 3)
    const page = { after: null, limit: 9 }
    assert.equal((await world.ledger.listActions({ states: ['running'] }, page)).length, 3)
  },

  'a platform’s budget is never passed by attempts of many accounts': async (world) => {
    const windowMs = hourMs
    world.policy = policyWith(1, { guard: 'platform_budget', windowMs, maximum: 3 })
    const actions: ActionRow[] = []
    for (let turn = 0; turn < 6; turn += 1) actions.push(await world.running())
    const clients = await crowd(world)
    const results = await Promise.all(
      actions.map((action, index) => {
        const client = clients[index % clients.length] as Client
        return client.ledger.beginAttempt(world.attemptCommand(action))
      }),
    )
    assert.deepEqual([count(results, 'begun'), count(results, 'held')], [3, 3])
  },

  'nothing begins once a pause is acknowledged': async (world) => {
    const actions: ActionRow[] = []
    for (let turn = 0; turn < 6; turn += 1) actions.push(await world.running())
    const clients = await crowd(world)
    const begun: Promise<unknown>[] = []
    for (const [index, action] of actions.entries()) {
      const client = clients[index % clients.length] as Client
      begun.push(client.ledger.beginAttempt(world.attemptCommand(action)))
    }
    await world.ledger.pause({
      scope: 'everything',
      target: '',
      until: null,
      reason: 'stop',
      by: 'anna',
    })
    const { events: before } = await world.ledger.readEvents(null, { types: ['paused'] }, 9)
    await Promise.all(begun)
    const { events } = await world.ledger.readEvents(null, {}, 999)
    const paused = events.findIndex(({ type }) => type === 'paused')
    assert.equal(before.length, 1)
    assert.ok(!events.slice(paused).some(({ type }) => type === 'attempt_begun'))
  },

  'a settle and an expiry leave one of the two, and no answer is lost': async (world) => {
    const { action, attempt } = await world.sending()
    const other = await world.harness.second()
    world.clock.advance(leaseMs)
    const { actionId, token, id: attemptId } = attempt
    const command = { actionId, token, attemptId, settlement: success }
    const [settled] = await Promise.all([
      world.ledger.settle(command),
      other.ledger.expire(9, hourMs),
    ])
    const row = await world.row(action)
    assert.equal(row.state, settled.kind === 'settled' ? 'success' : 'unknown')
    assert.equal((await world.attempt(attempt)).result, 'landed')
  },

  'the same settlement from two is one change': async (world) => {
    const { action, attempt } = await world.sending()
    const clients = await crowd(world)
    const { actionId, token, id: attemptId } = attempt
    const settlement = { kind: 'failed', fault: refused } as const
    const results = await Promise.all(
      clients.map(({ ledger }) => ledger.settle({ actionId, token, attemptId, settlement })),
    )
    assert.equal(count(results, 'settled'), 4)
    assert.equal((await world.row(action)).version, action.version + 1)
  },

  'two people decide, and one of them is too late': async (world) => {
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    const other = await world.harness.second()
    const { id: actionId, textHash } = asked
    const approve = { kind: 'approve', textHash, graceMs: 0, expiresAfterMs: hourMs } as const
    const revise = { kind: 'revise', textHash, text: 'Mine.' } as const
    const results = await Promise.all([
      world.ledger.decide({ actionId, by: 'anna', decision: approve }),
      other.ledger.decide({ actionId, by: 'ben', decision: revise }),
    ])
    assert.equal(count(results, 'done'), 1)
    assert.equal((await world.ledger.listApprovals(actionId)).length, 1)
  },

  'a post tracked by two is one post, and a reading one reading': async (world) => {
    const account = await world.account()
    const post = world.newPost(account)
    const clients = await crowd(world)
    const tracked = await Promise.all(
      clients.map(({ ledger }, index) =>
        ledger.trackPosts([{ ...post, id: `${post.id}-${index}` as PostRow['id'] }]),
      ),
    )
    const ids = new Set(tracked.map(([row]) => row?.id))
    assert.equal(ids.size, 1)
    const [postId] = ids
    assert.ok(postId)
    const sample = { at: noon, impressions: 1, engagements: 1 }
    const added = await Promise.all(
      clients.map(({ ledger }) => ledger.recordSamples([{ postId, sample }])),
    )
    assert.equal(
      added.reduce((sum, one) => sum + one, 0),
      1,
    )
  },

  'a setting that two settle is one': async (world) => {
    const clients = await crowd(world)
    const values = await Promise.all(
      clients.map(({ ledger }, index) => ledger.settleSetting('salt', `value-${index}`)),
    )
    assert.equal(new Set(values).size, 1)
    assert.equal(await world.ledger.getSetting('salt'), values[0])
  },

  'two that reconcile the same unknown resolve it once': async (world) => {
    const { action } = await world.unknown()
    const other = await world.harness.second()
    const { id: actionId, version } = action
    const landed = { kind: 'landed', remoteId: null, outcome: null } as const
    const stop = { kind: 'not_landed_stop' } as const
    const results = await Promise.all([
      world.ledger.reconcile({ actionId, version, finding: landed }),
      other.ledger.reconcile({ actionId, version, finding: stop }),
    ])
    assert.deepEqual([count(results, 'resolved'), count(results, 'stale')], [1, 1])
  },
})
