/** Tests that every reading is stored, and that a failed one blocks nothing. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { noFault } from '../platform/simulated/index.ts'
import type { FaultPlan } from '../platform/simulated/index.ts'
import { shown, Stage } from '../../test/builders/engine.ts'

const noCounters: FaultPlan = (call) =>
  call.kind === 'counters' ? { kind: 'unreachable' } : noFault

test('unchanged readings are stored too', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  stage.publish('A post.', { total: 0 })
  await stage.pass(61 * minuteMs)
  const samples = await stage.ledger.listSamples((await stage.post()).id)
  expect(samples).toHaveLength(7)
  for (const { impressions, engagements } of samples) {
    expect([impressions, engagements]).toEqual([0, 0])
  }
})

test('a read that fails puts the posts off until it works again', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  stage.publish()
  await stage.turn()
  stage.faults = noCounters
  await stage.pass(hourMs)
  // Each quarter of an hour at the most, each second never.
  expect(stage.count('observe')).toBeLessThan(15)
  const post = await stage.post()
  const before = await stage.ledger.listSamples(post.id)
  stage.faults = () => noFault
  await stage.pass(5 * minuteMs)
  expect((await stage.ledger.listSamples(post.id)).length).toBeGreaterThan(before.length)
  expect(stage.problems).toEqual([])
})

test('a batch that fails does not lose the ones before it', async () => {
  const stage = await Stage.open({ mode: 'watch', profile: shown('mastodon') })
  for (let count = 0; count < 25; count += 1) stage.publish(`Post ${count}.`)
  let reads = 0
  stage.faults = (call) => {
    if (call.kind === 'counters') reads += 1
    return call.kind === 'counters' && reads % 2 === 0 ? { kind: 'unreachable' } : noFault
  }
  await stage.turn()
  await stage.turn()
  const counts = await Promise.all(
    (await stage.posts()).map(async ({ id }) => (await stage.ledger.listSamples(id)).length),
  )
  expect(counts.filter((count) => count === 1)).toHaveLength(20)
})

test('posts of one account are read together, as many as the network takes', async () => {
  const stage = await Stage.open({ mode: 'watch', profile: shown('mastodon') })
  for (let count = 0; count < 45; count += 1) stage.publish(`Post ${count}.`)
  await stage.turn()
  await stage.turn()
  expect(stage.count('observe')).toBe(3)
  expect(stage.problems).toEqual([])
})

test.each(['deleted', 'restricted'] as const)('a %s post closes as gone', async (how) => {
  const stage = await Stage.open({ mode: 'watch' })
  const remoteId = stage.publish()
  stage.publish('Another.')
  await stage.pass(21 * minuteMs)
  if (how === 'deleted') stage.network.world.remove(remoteId)
  else stage.network.world.restrict(remoteId, true)
  await stage.pass(hourMs)
  expect(await stage.post(remoteId)).toMatchObject({ status: 'gone', nextCheckAt: null })
  const samples = await stage.ledger.listSamples((await stage.post(remoteId)).id)
  expect(samples).toHaveLength(3)
  const others = (await stage.posts()).filter((post) => post.remoteId !== remoteId)
  expect(others).toMatchObject([{ status: 'watched' }])
})

test('a reply of the owner counts in window and cooldown, one of ours does not twice', async () => {
  const stage = await Stage.open()
  const remoteId = stage.publish()
  await stage.pass(20 * minuteMs)
  stage.network.world.replyByHand(remoteId, 'By hand.')
  await stage.pass(25 * minuteMs)
  expect(await stage.actions()).toEqual([])
  expect((await stage.verdicts())[0]).toMatchObject({ kind: 'hold', reason: 'action_cooldown' })
  await stage.reached('success')
  await stage.pass(20 * minuteMs)
  const { id } = await stage.post()
  const input = await stage.ledger.decisionInput(
    id,
    stage.policy,
    stage.network.profile.description,
  )
  expect(input?.ownReplies).toHaveLength(1)
})
