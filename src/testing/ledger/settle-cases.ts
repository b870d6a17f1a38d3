/** What must be true of settling: each answer, its repetition, and what may not be claimed. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { toActionId, toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import type { Settlement } from '../../ledger/steps/settle.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { deadlineMs, leaseMs, refused, success, timedOut } from './world.ts'
import type { World } from './world.ts'

const failed: Settlement = { kind: 'failed', fault: refused }
const waiting: Settlement = { kind: 'waiting', fault: refused, retryAt: noon + minuteMs }
const released: Settlement = { kind: 'released', reason: 'paused', retryAt: noon + minuteMs }
const unknown: Settlement = { kind: 'unknown', fault: timedOut, reconcileAt: noon + minuteMs }
const segmentLanded: Settlement = { kind: 'segment_landed', remoteId: 'r-0' }

const ended = { dueAt: null, leaseUntil: null, endedAt: noon + 1 }

/** Settles a send of one millisecond and shows what changed in the row and in the attempt. */
async function settleOnce(world: World, settlement: Settlement) {
  const { action: before, attempt: sent } = await world.sending()
  world.clock.advance(1)
  const action = await world.settle(sent, settlement)
  await world.unchanged(action)
  const attempt = await world.attempt(sent)
  assert.equal(action.version, before.version + 1)
  return { before, action, sent, attempt }
}

export const settleCases = casesOf('settle', {
  'success ends the row with its outcome': async (world) => {
    const { before, action, sent, attempt } = await settleOnce(world, success)
    const outcome = { outcome: { ok: 1 }, mayLandUntil: noon + 1, version: action.version }
    assert.deepEqual(action, { ...before, state: 'success', ...ended, ...outcome })
    const landed = { result: 'landed', endedAt: noon + 1, remoteId: 'remote:done' }
    assert.deepEqual(attempt, { ...sent, ...landed })
  },

  'failed ends the row as one of which nothing is out': async (world) => {
    const { before, action, sent, attempt } = await settleOnce(world, failed)
    const outcome = { fault: refused, mayLandUntil: null, version: action.version }
    assert.deepEqual(action, { ...before, state: 'failed', ...ended, ...outcome })
    assert.deepEqual(attempt, { ...sent, result: 'not_landed', endedAt: noon + 1, fault: refused })
  },

  'waiting gives the claim up until a time': async (world) => {
    const { before, action, attempt } = await settleOnce(world, waiting)
    const due = { dueAt: noon + minuteMs, leaseUntil: null, fault: refused }
    assert.deepEqual(action, { ...before, state: 'waiting', ...due, version: action.version })
    assert.equal(attempt.result, 'not_landed')
  },

  'unknown asks to be read back, and counts from the last moment': async (world) => {
    const { before, action, attempt } = await settleOnce(world, unknown)
    const due = { dueAt: noon + minuteMs, leaseUntil: null, fault: timedOut }
    assert.deepEqual(action, { ...before, state: 'unknown', ...due, version: action.version })
    assert.equal(action.mayLandUntil, noon + deadlineMs)
    assert.equal(attempt.result, 'unknown')
  },

  'a segment that landed leaves the claim where it is': async (world) => {
    const { before, action, attempt } = await settleOnce(world, segmentLanded)
    const may = { mayLandUntil: noon + leaseMs, version: action.version }
    assert.deepEqual(action, { ...before, ...may })
    assert.deepEqual([attempt.result, attempt.remoteId], ['landed', 'r-0'])
  },

  'released gives back a claim with which nothing was sent': async (world) => {
    const claimed = await world.running()
    const { id: actionId } = claimed
    const command = { actionId, token: 'token-1', attemptId: null, settlement: released }
    const first = await world.ledger.settle(command)
    assert.equal(first.action.state, 'waiting')
    assert.deepEqual([first.action.dueAt, first.action.fault], [noon + minuteMs, null])
    assert.deepEqual(await world.ledger.settle(command), first)
    await world.unchanged(first.action)
  },

  'each answer repeated returns the first result and changes nothing': async (world) => {
    for (const settlement of [success, failed, waiting, unknown, segmentLanded]) {
      const { attempt } = await world.sending()
      const { actionId, token, id: attemptId } = attempt
      const command = { actionId, token, attemptId, settlement }
      const first = await world.ledger.settle(command)
      const { cursor } = await world.ledger.readEvents(null, {}, 999)
      await world.harness.reopen()
      assert.deepEqual(await world.ledger.settle(command), first, settlement.kind)
      await world.unchanged(first.action)
      assert.deepEqual((await world.ledger.readEvents(cursor, {}, 9)).events, [])
    }
  },

  'failed and waiting need no attempt where nothing was sent, also repeated': async (world) => {
    for (const settlement of [failed, waiting]) {
      const { id: actionId } = await world.running()
      const command = { actionId, token: 'token-1', attemptId: null, settlement }
      const first = await world.ledger.settle(command)
      assert.equal(first.action.state, settlement.kind)
      assert.deepEqual(await world.ledger.settle(command), first)
    }
  },

  'the last segment may turn out to be the last after it was settled': async (world) => {
    const { attempt } = await world.sending()
    await world.settle(attempt, segmentLanded)
    const before = await world.attempt(attempt)
    assert.equal((await world.settle(attempt, success)).state, 'success')
    assert.deepEqual(await world.attempt(attempt), before)
  },

  'a thread that cannot go on ends as success with what is out': async (world) => {
    const { action, attempt } = await world.sending()
    await world.settle(attempt, segmentLanded)
    const { id: actionId } = action
    const command = { actionId, token: 'token-1', attemptId: null, settlement: success }
    const { action: row } = await world.ledger.settle(command)
    assert.deepEqual([row.state, row.outcome], ['success', { ok: 1 }])
  },

  'partial ends it as success with what is out, its fault kept': async (world) => {
    const { action, attempt } = await world.sending()
    await world.settle(attempt, segmentLanded)
    const partial = { kind: 'partial', fault: refused, outcome: { segments: 1 } } as const
    const second = await world.begin(action, { segment: 1 })
    const row = await world.settle(second, partial)
    assert.deepEqual([row.state, row.outcome, row.fault], ['success', { segments: 1 }, refused])
    assert.deepEqual(await world.settle(second, partial), row)
    const { attempt: only } = await world.sending()
    await assert.rejects(world.settle(only, partial), /nothing has landed/)
  },

  'an edit’s new remote id that is tracked already is its own; the other row is over': async (
    world,
  ) => {
    const account = await world.account()
    const [post, seen] = [
      await world.post(account),
      await world.post(account, { nextCheckAt: noon }),
    ]
    const stranger = await world.post(await world.account(), { remoteId: seen.remoteId })
    const { attempt } = await world.sending(post, { action: 'edit', tier: 'tier_2' })
    world.clock.advance(5)
    const content = { remoteId: seen.remoteId, contentVersion: 'v2', text: 'Better.' }
    const done = await world.settle(attempt, { ...success, postContent: content })
    assert.equal(done.state, 'success')
    await world.harness.reopen()
    const over = { status: 'gone', nextCheckAt: null, closedAt: noon + 5 } as const
    const other = await world.ledger.getPost(seen.id)
    assert.deepEqual(other, { ...seen, ...over, remoteId: `superseded:${seen.id}` })
    const [found] = await world.ledger.trackPosts([{ ...seen, id: toPostId('new') }])
    assert.deepEqual(found, await world.ledger.getPost(post.id))
    assert.deepEqual(found, { ...found, ...content })
    assert.deepEqual(await world.ledger.getPost(stranger.id), stranger)
    const { events } = await world.ledger.readEvents(null, { types: ['post_closed'] }, 9)
    assert.deepEqual(
      events.map(({ at, postId, accountId, data }) => ({ at, postId, accountId, data })),
      [{ at: noon + 5, postId: seen.id, accountId: account.id, data: { status: 'gone' } }],
    )
  },

  'what was planned on the row that is over ends, and nothing is stuck': async (world) => {
    const account = await world.account()
    const [post, seen] = [await world.post(account), await world.post(account)]
    const planned = await world.plan(seen)
    const { attempt } = await world.sending(post, { action: 'edit', tier: 'tier_2' })
    const content = { remoteId: seen.remoteId, contentVersion: null, text: null }
    await world.settle(attempt, { ...success, postContent: content })
    const result = await world.tryClaim(planned)
    assert.deepEqual([result.kind, (await world.row(planned)).state], ['ended', 'cancelled'])
  },

  'an edit’s new content is the post’s from that moment': async (world) => {
    const post = await world.post()
    const { attempt } = await world.sending(post, { action: 'edit', tier: 'tier_2' })
    const content = { remoteId: 'remote:edited', contentVersion: 'v2', text: 'Better.' }
    await world.settle(attempt, { ...success, postContent: content })
    const stored = await world.ledger.getPost(post.id)
    assert.deepEqual(stored, { ...stored, ...content, id: post.id, arm: 'act' })
    const [found] = await world.ledger.trackPosts([
      { ...post, id: world.newPost(await world.account()).id, remoteId: 'remote:edited' },
    ])
    assert.equal(found?.id, post.id, 'found again under its new remote id')
  },

  'throws on failed where something landed, or may have': async (world) => {
    const { attempt } = await world.sending()
    const dishonest = { kind: 'failed', fault: timedOut } as const
    await assert.rejects(world.settle(attempt, dishonest), /may have landed/)
    await world.settle(attempt, segmentLanded)
    const { actionId, token } = attempt
    const command = { actionId, token, attemptId: null, settlement: failed }
    await assert.rejects(world.ledger.settle(command), /part of it has landed/)
  },

  'throws on failed where an earlier send may have landed': async (world) => {
    const { action } = await world.unknown()
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    const resent = await world.begin(await world.claim(action, 'token-2'))
    await assert.rejects(world.settle(resent, failed), /earlier send may have landed/)
    const again = await world.settle(resent, { ...unknown, fault: refused })
    assert.equal(again.state, 'unknown')
    assert.equal((await world.attempt(resent)).result, 'not_landed')
  },

  'throws past a send that is under way, and on one that came to something': async (world) => {
    const { attempt } = await world.sending()
    const { actionId, token, id: attemptId } = attempt
    for (const settlement of [released, waiting, failed]) {
      const past = world.ledger.settle({ actionId, token, attemptId: null, settlement })
      await assert.rejects(past, /under way/)
    }
    const sent = world.ledger.settle({ actionId, token, attemptId, settlement: released })
    await assert.rejects(sent, /something was sent/)
    await world.settle(attempt, segmentLanded)
    await assert.rejects(world.settle(attempt, unknown), /landed already/)
    assert.equal((await world.attempt(attempt)).result, 'landed')
  },

  'throws on an answer without the attempt that it needs': async (world) => {
    const { id: actionId } = await world.running()
    for (const settlement of [success, unknown, segmentLanded]) {
      const command = { actionId, token: 'token-1', attemptId: null, settlement }
      await assert.rejects(world.ledger.settle(command), /needs the attempt/)
    }
  },

  'throws on an attempt that is not of the claim, or not there': async (world) => {
    const { attempt } = await world.sending()
    const { actionId, id } = attempt
    for (const [token, attemptId] of [
      ['token-2', id],
      ['token-1', 'attempt-nowhere'],
    ] as const) {
      const command = { actionId, token, attemptId, settlement: success }
      await assert.rejects(world.ledger.settle(command), /no attempt/)
    }
    assert.deepEqual(await world.attempt(attempt), attempt)
  },

  'an action that is not in the ledger is refused by name': async (world) => {
    const actionId = toActionId('nothing')
    const command = { actionId, token: 'token-1', attemptId: null, settlement: failed }
    await assert.rejects(world.ledger.settle(command), InputError)
  },

  'keeps an outcome as it is, whatever its shape': async (world) => {
    const outcome = {
      uri: 'at://did:plc:1/app.bsky.feed.post/3k',
      numbers: [0, -1.5, 1e21, 9_007_199_254_740_991],
      text: 'line\nbreak “quoted” \\ 👋🏽',
      empty: {},
      list: [null, true, []],
    }
    const { attempt } = await world.sending()
    await world.settle(attempt, { ...success, outcome })
    await world.harness.reopen()
    assert.deepEqual((await world.row({ id: attempt.actionId })).outcome, outcome)
  },
})
