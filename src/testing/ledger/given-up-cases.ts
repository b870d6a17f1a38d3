/**
 * What must be true of an action that was begun and may not go on: with nothing out it ends, and
 * with something out it is claimed once more, only to be settled by what is (I5, I11).
 */

import assert from 'node:assert/strict'
import { dayMs } from '../../core/duration.ts'
import { policyId } from '../../core/policy.ts'
import type { ActionRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyWith } from './policies.ts'
import { expectHeld, expectKind, expiresAfterMs, refused, success } from './world.ts'
import type { World } from './world.ts'

/** So that days can pass and nothing but the time since the first claim is seen. */
const patient = policyWith(
  7,
  { guard: 'post_age', fromMs: 0, toMs: 400 * dayMs },
  { guard: 'quiet_hours', from: '00:00', to: '00:00' },
)

async function waiting(world: World, post: PostRow): Promise<ActionRow> {
  const { attempt } = await world.sending(post)
  return world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
}

/** A thread of which one segment is out, given back for now. */
async function partlyOut(world: World, post: PostRow): Promise<ActionRow> {
  const { attempt } = await world.sending(post)
  await world.settle(attempt, { kind: 'segment_landed', remoteId: 'r-0' })
  const { actionId, token } = attempt
  const settlement = { kind: 'released', reason: 'paused', retryAt: noon } as const
  return (await world.ledger.settle({ actionId, token, attemptId: null, settlement })).action
}

async function moveOn(world: World, post: PostRow, durationMs: number): Promise<void> {
  world.clock.advance(durationMs)
  await world.stall(post)
}

export const givenUpCases = casesOf('what was begun', {
  'fails where it was not finished within a day': async (world) => {
    world.policy = patient
    const post = await world.post()
    const action = await waiting(world, post)
    await moveOn(world, post, dayMs)
    const ended = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['failed', 'took_too_long'])
    assert.deepEqual([ended.action.mayLandUntil, ended.action.fault], [null, refused])
    await world.unchanged(ended.action)
  },

  'is cancelled after a day where it was never sent': async (world) => {
    world.policy = patient
    const post = await world.post()
    const { id: actionId } = await world.running(post)
    const settlement = { kind: 'released', reason: 'paused', retryAt: noon } as const
    const command = { actionId, token: 'token-1', attemptId: null, settlement }
    const { action } = await world.ledger.settle(command)
    await moveOn(world, post, dayMs)
    const ended = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['cancelled', 'took_too_long'])
  },

  'is spent after a day where a part is out: settled, and not gone on with': async (world) => {
    world.policy = patient
    const post = await world.post()
    const action = await partlyOut(world, post)
    await moveOn(world, post, dayMs)
    const spent = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'spent')
    assert.deepEqual([spent.reason, spent.action.state], ['took_too_long', 'running'])
    assert.equal(spent.attempts[0]?.result, 'landed')
    await world.unchanged(spent.action)
    const next = world.attemptCommand(spent.action, { segment: 1 })
    assert.deepEqual(await world.ledger.beginAttempt(next), { kind: 'lost' })
    const partial = { kind: 'partial', fault: refused, outcome: { segments: 1 } } as const
    const { id: actionId } = action
    const command = { actionId, token: 'token-2', attemptId: null, settlement: partial }
    assert.equal((await world.ledger.settle(command)).action.state, 'success')
  },

  'is spent where the owner does not want it any more and a part is out': async (world) => {
    const post = await world.post()
    const action = await partlyOut(world, post)
    await world.ledger.setNeverTouch(post.id, true)
    const spent = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'spent')
    assert.equal(spent.reason, 'never_touch')
  },

  'may be left unknown where it was sent before and nothing is sent now': async (world) => {
    const post = await world.post()
    const { action } = await world.unknown(post)
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    await world.ledger.setNeverTouch(post.id, true)
    const spent = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'spent')
    const { id: actionId } = spent.action
    const settlement = { kind: 'unknown', fault: refused, reconcileAt: noon } as const
    const command = { actionId, token: 'token-2', attemptId: null, settlement }
    assert.equal((await world.ledger.settle(command)).action.state, 'unknown')
  },

  'is cancelled where the account asks now and nobody approved it': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const action = await waiting(world, post)
    await world.ledger.saveAccount({ ...account, mode: 'approve' })
    const ended = expectKind(await world.tryClaim(action, { token: 'token-2' }), 'ended')
    assert.deepEqual([ended.action.state, ended.reason], ['cancelled', 'approval_needed'])
  },

  'is cancelled where a person changed its text and did not approve it': async (world) => {
    const account = await world.account()
    const planned = await world.plan(await world.post(account))
    const { textHash } = planned
    await world.decide(planned, { kind: 'revise', textHash, text: 'Mine.' })
    const attempt = await world.begin(await world.claim(planned))
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
    await world.ledger.saveAccount({ ...account, mode: 'approve' })
    const ended = expectKind(await world.tryClaim(planned, { token: 'token-2' }), 'ended')
    assert.equal(ended.reason, 'approval_needed')
  },

  'is cancelled where it was approved under another policy': async (world) => {
    const account = await world.account({ mode: 'approve' })
    const asked = await world.plan(await world.post(account))
    const { textHash } = asked
    await world.decide(asked, { kind: 'approve', textHash, graceMs: 0, expiresAfterMs })
    const attempt = await world.begin(await world.claim(asked))
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
    const next = policyWith(8)
    await world.ledger.savePolicy(next)
    await world.ledger.saveAccount({ ...account, policy: policyId(next) })
    const changes = { token: 'token-2', policy: next }
    const ended = expectKind(await world.tryClaim(asked, changes), 'ended')
    assert.equal(ended.reason, 'approval_needed')
  },

  'goes on where it was approved': async (world) => {
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    const { textHash } = asked
    const approve = { kind: 'approve', textHash, graceMs: 0, expiresAfterMs } as const
    await world.decide(asked, approve)
    const attempt = await world.begin(await world.claim(asked))
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
    const again = await world.begin(await world.claim(asked, 'token-2'))
    assert.equal((await world.settle(again, success)).state, 'success')
  },

  'is not sent once the account watches, asks, or the owner forbids it': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const action = await world.running(post)
    const tryBegin = () => world.ledger.beginAttempt(world.attemptCommand(action))
    await world.ledger.saveAccount({ ...account, mode: 'watch' })
    expectHeld(await tryBegin(), 'watch_mode')
    await world.ledger.saveAccount({ ...account, mode: 'approve' })
    expectHeld(await tryBegin(), 'approval_needed')
    await world.ledger.saveAccount(account)
    await world.ledger.setNeverTouch(post.id, true)
    expectHeld(await tryBegin(), 'never_touch', { kind: 'never' })
    await world.ledger.setNeverTouch(post.id, false)
    assert.equal((await tryBegin()).kind, 'begun')
  },

  'is not sent once night has fallen': async (world) => {
    world.clock.set(Date.UTC(2026, 2, 2, 22, 59, 50))
    const action = await world.running()
    world.clock.advance(20_000)
    const held = await world.ledger.beginAttempt(world.attemptCommand(action))
    expectHeld(held, 'quiet_hours', { kind: 'time', at: Date.UTC(2026, 2, 3, 7) })
  },
})
