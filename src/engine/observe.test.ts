/** Tests that every reading is stored, and that a failed one blocks nothing. */

import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { noFault } from '../platform/simulated/index.ts'
import type { FaultPlan } from '../platform/simulated/index.ts'
import { once, shown, Stage } from '../../test/builders/engine.ts'

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
  await stage.turn()
  let reads = 0
  stage.faults = (call) => {
    if (call.kind === 'counters') reads += 1
    return call.kind === 'counters' && reads % 2 === 0 ? { kind: 'unreachable' } : noFault
  }
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

test('a reply that may be ours is not the owner’s own while nobody knows', async () => {
  const stage = await Stage.open({ policy: once })
  const remoteId = stage.publish()
  const blind: FaultPlan = ({ kind }) => (kind === 'replies' ? { kind: 'unreachable' } : noFault)
  stage.faults = (call) => (call.isWrite ? { kind: 'lost_answer' } : blind(call))
  await stage.reached('unknown')
  stage.network.world.replyByHand(remoteId, 'By hand.')
  await stage.pass(20 * minuteMs)
  const ownReplies = async () => {
    const { id } = await stage.post()
    const { description } = stage.network.profile
    return (await stage.ledger.decisionInput(id, stage.policy, description))?.ownReplies
  }
  expect(await ownReplies()).toEqual([])
  // Once it is known which one is ours, the other one counts.
  stage.faults = () => noFault
  await stage.reached('success')
  await stage.pass(20 * minuteMs)
  expect(await ownReplies()).toHaveLength(1)
})

describe('what the owner makes of a post', () => {
  const edited = 'The owner knows better.'

  test('is taken over, and the next text is written for it', async () => {
    const stage = await Stage.open({ action: 'edit', policy: once })
    const remoteId = stage.publish()
    await stage.pass(15 * minuteMs)
    stage.network.world.editByHand(remoteId, edited)
    const row = await stage.reached('success')
    expect(row.text).toBe(`${edited} Read on.`)
    expect(stage.network.truth.post(remoteId)?.text).toBe(row.text)
  })

  test('stops an edit that was written for what stood there before', async () => {
    const stage = await Stage.open({ action: 'edit', mode: 'approve', policy: once })
    const remoteId = stage.publish()
    const row = await stage.planned()
    stage.network.world.editByHand(remoteId, edited)
    await stage.pass(hourMs)
    expect((await stage.post()).text).toBe('A post.')
    await stage.approve(row)
    const failed = await stage.reached('failed', 'success')
    expect(failed).toMatchObject({ state: 'failed', fault: { code: 'changed', landed: 'no' } })
    expect(stage.network.truth.post(remoteId)?.text).toBe(edited)
    await stage.pass(hourMs)
    expect(await stage.post()).toMatchObject({ text: edited, contentVersion: 'v2' })
  })

  test('while an edit is being written makes it not be planned', async () => {
    let isFirst = true
    const stage = await Stage.open({
      action: 'edit',
      policy: once,
      write: ({ post }) => {
        // Another process reads the post while this one waits for the words.
        if (isFirst) void takeOver()
        isFirst = false
        return { kind: 'text', text: `${post.text} Read on.`, source: 'test' }
      },
    })
    const takeOver = async () => {
      const [post] = stage.store.rows.posts.values()
      if (post === undefined) return
      stage.network.world.editByHand(post.remoteId, edited)
      await stage.ledger.recordContent(post.id, { text: edited, contentVersion: 'v2' })
    }
    const remoteId = stage.publish()
    const row = await stage.reached('success', 'failed')
    expect(row).toMatchObject({ state: 'success', text: `${edited} Read on.` })
    expect(await stage.actions()).toHaveLength(1)
    expect(stage.network.truth.post(remoteId)?.text).toBe(row.text)
  })
})
