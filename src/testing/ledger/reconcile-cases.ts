/** What must be true of resolving an unknown: by what was found, or by a person, never guessed. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { toActionId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import type { Finding } from '../../ledger/steps/reconcile.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { refused } from './world.ts'
import type { World } from './world.ts'

/** Resolves an unknown a minute later and shows what changed. */
async function resolve(world: World, finding: Finding) {
  const { action: before, attempt: open } = await world.unknown()
  world.clock.advance(minuteMs)
  const action = await world.reconcile(before, finding)
  await world.unchanged(action)
  assert.equal(action.version, before.version + 1)
  return { before, action, open, attempt: await world.attempt(open) }
}

const at = noon + minuteMs

export const reconcileCases = casesOf('reconcile', {
  'found: success, and the attempt landed': async (world) => {
    const outcome = { uri: 'at://found' }
    const found = await resolve(world, { kind: 'landed', remoteId: 'r-1', outcome })
    const { before, action, open, attempt } = found
    const ended = { outcome, dueAt: null, endedAt: at, mayLandUntil: at, version: action.version }
    assert.deepEqual(action, { ...before, state: 'success', ...ended })
    assert.deepEqual(attempt, { ...open, result: 'landed', endedAt: at, remoteId: 'r-1' })
    const { events } = await world.ledger.readEvents(null, {}, 99)
    assert.deepEqual(
      events.slice(-2).map(({ type, at: when, data }) => [type, when, data]),
      [
        ['attempt_ended', at, { number: 1, result: 'landed', code: 'timeout' }],
        ['action_changed', at, { from: 'unknown', to: 'success', reason: 'landed', by: null }],
      ],
    )
  },

  'an edit found: its new content is the post’s from that moment': async (world) => {
    const post = await world.post()
    const { action } = await world.unknown(post, { action: 'edit', tier: 'tier_2' })
    const postContent = { remoteId: 'remote:edited', contentVersion: 'v2', text: 'Better.' }
    await world.reconcile(action, { kind: 'landed', remoteId: null, outcome: null, postContent })
    const stored = await world.ledger.getPost(post.id)
    assert.deepEqual(stored, { ...stored, ...postContent })
  },

  'of a segment that was sent twice and is out by one send, the other stays open': async (
    world,
  ) => {
    const { action, attempt: first } = await world.unknown()
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    const second = await world.begin(await world.claim(action, 'token-2'))
    await world.settle(second, { kind: 'segment_landed', remoteId: 'r-0' })
    const third = await world.begin(await world.row(action), { segment: 1 })
    world.clock.advance(minuteMs)
    const [unknown] = await world.ledger.expire(9, 0)
    assert.ok(unknown)
    await world.reconcile(unknown, { kind: 'segment_landed', remoteId: 'r-1', resumeAt: at })
    assert.equal((await world.attempt(first)).result, 'unknown')
    assert.equal((await world.attempt(third)).result, 'landed')
  },

  'what was found is the send that was not known, not one that was': async (world) => {
    const { action, attempt: first } = await world.unknown()
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    const second = await world.begin(await world.claim(action, 'token-2'))
    const refusal = { kind: 'unknown', fault: refused, reconcileAt: noon } as const
    const again = await world.settle(second, refusal)
    await world.reconcile(again, { kind: 'landed', remoteId: 'r-0', outcome: null })
    assert.equal((await world.attempt(first)).result, 'landed')
    assert.equal((await world.attempt(second)).result, 'not_landed')
  },

  'a segment found: waits to go on with the next': async (world) => {
    const finding = { kind: 'segment_landed', remoteId: 'r-1', resumeAt: at + 5 } as const
    const { action, attempt } = await resolve(world, finding)
    assert.deepEqual([action.state, action.dueAt], ['waiting', at + 5])
    assert.equal(attempt.result, 'landed')
    world.clock.advance(5)
    await world.begin(await world.claim(action, 'token-2'), { segment: 1 })
  },

  'provably not there: waits to be sent again': async (world) => {
    const finding = { kind: 'not_landed_retry', retryAt: at + 5 } as const
    const { action, attempt } = await resolve(world, finding)
    assert.deepEqual([action.state, action.dueAt], ['waiting', at + 5])
    assert.equal(attempt.result, 'not_landed')
    world.clock.advance(5)
    await world.begin(await world.claim(action, 'token-2'))
  },

  'provably not there and given up: failed, and nothing of it counts': async (world) => {
    const { action, attempt } = await resolve(world, { kind: 'not_landed_stop' })
    assert.deepEqual([action.state, action.mayLandUntil], ['failed', null])
    assert.deepEqual([action.endedAt, action.dueAt], [at, null])
    assert.equal(attempt.result, 'not_landed')
  },

  'given up with a part out: a person has to look': async (world) => {
    const { action, attempt } = await world.sending()
    await world.settle(attempt, { kind: 'segment_landed', remoteId: 'r-0' })
    await world.begin(action, { segment: 1 })
    world.clock.advance(minuteMs)
    const [unknown] = await world.ledger.expire(9, 0)
    assert.equal(unknown?.state, 'unknown')
    const handed = await world.reconcile(unknown, { kind: 'not_landed_stop' })
    assert.deepEqual([handed.state, handed.dueAt], ['needs_attention', null])
  },

  'where the network deduplicates it is sent again, still unknown': async (world) => {
    const { action, open, attempt } = await resolve(world, { kind: 'resend', retryAt: at })
    assert.deepEqual([action.state, action.dueAt], ['waiting', at])
    assert.deepEqual(attempt, open)
    await world.begin(await world.claim(action, 'token-2'))
  },

  'cannot tell yet: looks again later': async (world) => {
    const finding = { kind: 'cannot_tell_yet', lookAgainAt: at + 5 } as const
    const { before, action, open, attempt } = await resolve(world, finding)
    assert.deepEqual(action, { ...before, dueAt: at + 5, version: action.version })
    assert.deepEqual(attempt, open)
    assert.deepEqual(await world.ledger.due('reconcile', 9), [])
    world.clock.advance(5)
    assert.deepEqual(await world.ledger.due('reconcile', 9), [action.id])
  },

  'nobody can tell: hands it to a person': async (world) => {
    const { action, open, attempt } = await resolve(world, {
      kind: 'needs_attention',
      reason: 'the network cannot be read',
    })
    assert.deepEqual([action.state, action.dueAt], ['needs_attention', null])
    assert.deepEqual(attempt, open)
  },

  'a row that moved on since it was looked at is left alone': async (world) => {
    const { action } = await world.unknown()
    const finding = { kind: 'landed', remoteId: null, outcome: null } as const
    const command = { actionId: action.id, version: action.version, finding }
    const done = await world.reconcile(action, finding)
    assert.deepEqual(await world.ledger.reconcile(command), { kind: 'stale', action: done })
    const running = await world.running()
    const { id: actionId, version } = running
    const early = await world.ledger.reconcile({ actionId, version, finding })
    assert.deepEqual(early, { kind: 'stale', action: running })
    await world.unchanged(running)
  },

  'an action that is not in the ledger is refused by name': async (world) => {
    const finding = { kind: 'not_landed_stop' } as const
    const command = { actionId: toActionId('nothing'), version: 1, finding }
    await assert.rejects(world.ledger.reconcile(command), InputError)
  },
})
