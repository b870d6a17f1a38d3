/**
 * After a restore: what went out since the backup is found on the network, counted, and not sent
 * again; and the pause is lifted only when everything was read.
 */

import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../src/core/duration.ts'
import { formatInstant } from '../src/core/instant.ts'
import type { ActionRow } from '../src/ledger/index.ts'
import { noFault, onSegment } from '../src/platform/simulated/index.ts'
import type { FaultPlan } from '../src/platform/simulated/index.ts'
import type { AccountMatch } from '../src/server/schema/restore.ts'
import { shown } from './builders/engine.ts'
import { World } from './server/world.ts'
import type { WorldOptions } from './server/world.ts'

type Read = AccountMatch & { readonly kind: 'read' }

/** A world whose server can read the network in Ann's name. */
async function open(options: WorldOptions = {}): Promise<World> {
  const world = await World.open(options)
  const values = { handle: 'ann', password: 'secret' }
  await world.post('/accounts/ann/sign-in', { signIn: 'app-password', values })
  return world
}

async function match(world: World, body: object = {}): Promise<AccountMatch> {
  const answer = await world.post<AccountMatch>('/accounts/ann/match', body)
  expect(answer.status).toBe(200)
  return answer.body
}

async function matchRead(world: World): Promise<Read> {
  const found = await match(world)
  if (found.kind !== 'read') throw new Error(`It was to be read, and is ${found.kind}`)
  return found
}

/** The ledger as a backup brings it back: an action that is approved, and nothing sent yet. */
async function restored(world: World): Promise<ActionRow> {
  const row = await world.awaiting()
  await world.ledger.markRestored('backup')
  await world.post(`/actions/${row.id}/approve`, { textHash: row.textHash })
  await world.stage.clock.advance(10 * minuteMs)
  return row
}

async function reply(world: World, text = 'What do you think?'): Promise<string> {
  const { remoteId } = await world.stage.post()
  return world.stage.network.world.replyByHand(remoteId, text)
}

const pausesOf = async (world: World) =>
  (await world.ledger.listPauses()).filter(({ target }) => target === 'ann')

describe('a reply that went out after the backup', () => {
  test('is listed, and what may have sent it is not sent again', async () => {
    const world = await open()
    const row = await restored(world)
    const replyId = await reply(world, row.text ?? '')
    const found = await matchRead(world)
    expect(found).toMatchObject({
      posts: 1,
      unread: [],
      replies: [{ postId: row.postId, remoteId: replyId }],
      cancelled: [{ id: row.id, state: 'cancelled' }],
      doubtful: [],
      open: [],
      pause: 'lifted',
    })
    expect(await pausesOf(world)).toEqual([])
    await world.pass(12 * hourMs)
    expect((await world.stage.action(row.id)).attempts).toBe(0)
  })

  test('is also found where the engine has read it before', async () => {
    const world = await open()
    const row = await restored(world)
    await reply(world)
    await world.pass(30 * minuteMs)
    expect(await matchRead(world)).toMatchObject({ cancelled: [{ id: row.id }], pause: 'lifted' })
  })

  test('holds the next action back, as one of ours would', async () => {
    const world = await open()
    const row = await restored(world)
    await reply(world)
    await matchRead(world)
    const input = await world.ledger.decisionInput(
      row.postId,
      world.stage.policy,
      world.stage.network.profile.description,
    )
    expect(input?.ownReplies).toHaveLength(1)
  })

  test('on a post that the backup does not know is found with it', async () => {
    const world = await open({ mode: 'watch' })
    await world.ledger.markRestored('backup')
    const remoteId = world.stage.publish('Published since.')
    const replyId = world.stage.network.world.replyByHand(remoteId, 'And answered.')
    const found = await matchRead(world)
    expect(found).toMatchObject({ posts: 1, replies: [{ remoteId: replyId }], pause: 'lifted' })
  })
})

describe('what was not sent', () => {
  test('stays open, is listed, and is sent when the pause is lifted', async () => {
    const world = await open()
    const row = await restored(world)
    const found = await matchRead(world)
    expect(found).toMatchObject({
      replies: [],
      cancelled: [],
      open: [{ id: row.id, state: 'approved' }],
      pause: 'lifted',
    })
    await world.pass(10 * minuteMs)
    expect(world.stage.effects()).toHaveLength(1)
  })

  test('is not cancelled for a reply from before the backup', async () => {
    const world = await open()
    const row = await world.awaiting()
    await reply(world)
    await world.stage.clock.advance(hourMs)
    await world.ledger.markRestored('backup')
    expect(await matchRead(world)).toMatchObject({ replies: [], open: [{ id: row.id }] })
  })
})

describe('the pause stays', () => {
  test('where the network does not answer, and it says why', async () => {
    const world = await open()
    await restored(world)
    world.stage.network.world.setCredentials('ann', 'changed')
    expect(await match(world)).toMatchObject({ kind: 'failed', code: 'credentials' })
    expect(await pausesOf(world)).toHaveLength(1)
  })

  test('where a post could not be read, until it can be', async () => {
    const world = await open()
    const row = await restored(world)
    let isTimelineRead = false
    // The network answers at first, and breaks off when it comes to the posts.
    const breaksOff: FaultPlan = ({ kind }) => {
      isTimelineRead ||= kind === 'timeline'
      return isTimelineRead && kind === 'counters' ? { kind: 'unreachable' } : noFault
    }
    world.stage.faults = breaksOff
    expect(await matchRead(world)).toMatchObject({
      posts: 0,
      unread: [row.postId],
      pause: 'kept',
    })
    expect(await pausesOf(world)).toHaveLength(1)
    world.stage.faults = () => noFault
    expect(await matchRead(world)).toMatchObject({ posts: 1, unread: [], pause: 'lifted' })
  })

  test('for a thread of which nobody knows how far it got', async () => {
    const world = await open({ mode: 'auto', action: 'thread', profile: shown('mastodon') })
    world.stage.faults = onSegment(1, { kind: 'unreachable' })
    world.stage.publish()
    const row = await world.stage.reached('waiting')
    await world.ledger.markRestored('backup')
    const found = await matchRead(world)
    expect(found).toMatchObject({ doubtful: [{ id: row.id }], open: [], pause: 'kept' })
    expect(await pausesOf(world)).toHaveLength(1)
  })

  test('that the owner had set before; the restore’s own is gone', async () => {
    const world = await open()
    const reason = 'restored from a backup; paused before that: holiday'
    const target = 'ann'
    await world.ledger.pause({ scope: 'account', target, reason, until: null, by: 'backup' })
    expect(await matchRead(world)).toMatchObject({ pause: 'paused_before' })
    expect(await pausesOf(world)).toMatchObject([{ reason: 'holiday' }])
    expect(await match(world)).toEqual({ kind: 'not_restored' })
  })
})

describe('an account', () => {
  test('that no restore has paused is left alone', async () => {
    const world = await open()
    await world.ledger.pause({
      scope: 'account',
      target: 'ann',
      reason: 'holiday',
      until: null,
      by: 'ann',
    })
    expect(await match(world)).toEqual({ kind: 'not_restored' })
    expect(await pausesOf(world)).toHaveLength(1)
  })

  test('of a ledger that other tools restored needs the time of the backup', async () => {
    const world = await open()
    await world.ledger.markRestored('command line')
    const refused = await world.post('/accounts/ann/match', {})
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'since' }] })
    const since = formatInstant(world.stage.clock.now() - hourMs)
    expect(await match(world, { since })).toMatchObject({ kind: 'read', pause: 'lifted' })
  })

  test('whose credentials died has to sign in first', async () => {
    const world = await open()
    await world.ledger.markRestored('backup')
    await world.ledger.parkAccount(world.ann, 'credentials', 'They died')
    expect((await world.post('/accounts/ann/match', {})).status).toBe(409)
  })

  test('whose counters are pushed has nothing to match', async () => {
    const world = await open()
    const wish = { kind: 'external', handle: 'pushed' }
    const { body: account } = await world.post<{ id: string }>('/accounts', wish)
    await world.ledger.markRestored('backup')
    const { body } = await world.post(`/accounts/${account.id}/match`, {})
    expect(body).toMatchObject({ kind: 'read', posts: 0, pause: 'lifted' })
  })
})
