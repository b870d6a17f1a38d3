/** Tests what a look leads to in each mode and arm. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import { noFault } from '../platform/simulated/index.ts'
import { once, Stage } from '../../test/builders/engine.ts'

describe('what a stalled post leads to', () => {
  test('watch mode says what it would do, plans nothing and assigns no arm', async () => {
    let written = 0
    const write = () => {
      written += 1
      return { kind: 'nothing', why: 'nobody asked' } as const
    }
    const stage = await Stage.open({ mode: 'watch', holdoutShare: 0.5, write })
    stage.publish()
    await stage.pass(2 * hourMs)
    const kinds = (await stage.verdicts()).map(({ kind }) => kind)
    expect(kinds).toContain('plan')
    expect(written).toBe(0)
    expect(await stage.actions()).toEqual([])
    expect(await stage.post()).toMatchObject({ arm: null, propensity: null })
    expect(await stage.ledger.listMeasurements((await stage.post()).id)).toEqual([])
    expect(stage.count('commit')).toBe(0)
  })

  test('approve mode writes the text and waits for a person', async () => {
    const stage = await Stage.open({ mode: 'approve' })
    stage.publish()
    await stage.planned()
    await stage.pass(2 * hourMs)
    expect(await stage.actions()).toMatchObject([
      { state: 'awaiting_approval', text: 'What do you think? (0)', attempts: 0 },
    ])
    expect(stage.count('claim')).toBe(0)
    expect(await stage.post()).toMatchObject({ arm: 'act', propensity: 1 })
  })

  test('auto mode acts by itself', async () => {
    const stage = await Stage.open({ mode: 'auto' })
    const row = await stage.act('success')
    const { publishedAt } = await stage.post()
    expect(row.plannedAt - publishedAt).toBeGreaterThanOrEqual(30 * minuteMs)
    expect(row.plannedAt - publishedAt).toBeLessThan(41 * minuteMs)
    expect(await stage.ledger.listApprovals(row.id)).toEqual([])
  })

  test('a post that people react to is healthy, and left alone', async () => {
    const stage = await Stage.open()
    const remoteId = stage.publish()
    for (let step = 0; step < 12; step += 1) {
      stage.network.world.react(remoteId, 'likes', 100_000)
      await stage.pass(10 * minuteMs)
    }
    expect((await stage.verdicts())[0]).toMatchObject({ kind: 'healthy' })
    expect(await stage.actions()).toEqual([])
  })

  test('nothing to say is a verdict, and no plan', async () => {
    const stage = await Stage.open({ write: () => ({ kind: 'nothing', why: 'no words' }) })
    stage.publish()
    await stage.pass(2 * hourMs)
    const [newest] = await stage.verdicts()
    expect(newest).toMatchObject({ kind: 'hold', reason: 'nothing_to_say', stalled: true })
    expect(newest?.until).toEqual({ kind: 'event', event: 'next_look' })
    expect(await stage.actions()).toEqual([])
    expect((await stage.post()).arm).toBeNull()
  })

  test('what the writer knows is the post, its numbers and the limits of the network', async () => {
    const seen: unknown[] = []
    const stage = await Stage.open({
      write: (request) => {
        seen.push(request)
        return { kind: 'text', text: 'Well?', source: 'test' }
      },
    })
    await stage.act('success')
    expect(seen).toMatchObject([
      {
        action: 'comment',
        generation: 0,
        handle: 'ann',
        post: { text: 'A post.' },
        numbers: { engagements: 0, score: 1 },
        limits: { maximumLength: 500, threadMaximum: 10 },
        recentTexts: [],
      },
    ])
  })

  test('posts that stall together are each shown what is said to the others', async () => {
    const shown: (readonly string[])[] = []
    const stage = await Stage.open({
      mode: 'approve',
      write: ({ post, recentTexts }) => {
        shown.push(recentTexts)
        return { kind: 'text', text: `About ${post.text}`, source: 'test' }
      },
    })
    for (const name of ['one', 'two', 'three']) stage.publish(name)
    await stage.planned()
    expect(shown.map(({ length }) => length)).toEqual([0, 1, 2])
    const said = (await stage.actions()).map(({ text }) => text)
    expect(new Set(said)).toEqual(new Set(['About one', 'About two', 'About three']))
    expect(shown.at(-1)).toEqual([said[1], said[0]])
  })
})

describe('held-out posts', () => {
  async function manyPosts() {
    const stage = await Stage.open({ holdoutShare: 0.5 })
    for (let count = 0; count < 12; count += 1) stage.publish(`Post ${count}.`)
    await stage.pass(10 * dayMs)
    const posts = await stage.posts()
    const of = (arm: string) => posts.filter((post) => post.arm === arm)
    return { stage, act: of('act'), holdout: of('holdout') }
  }

  test('are never acted on, and measured like the others', async () => {
    const { stage, act, holdout } = await manyPosts()
    expect(holdout.length).toBeGreaterThan(2)
    expect(act.length).toBeGreaterThan(2)
    const held = new Set<string>(holdout.map(({ id }) => id))
    expect((await stage.actions()).filter(({ postId }) => held.has(postId))).toEqual([])
    const heldRemote = new Set(holdout.map(({ remoteId }) => remoteId))
    expect(stage.effects().filter(({ postId }) => heldRemote.has(postId))).toEqual([])
    for (const post of [...act, ...holdout]) {
      const rows = await stage.ledger.listMeasurements(post.id)
      expect(rows.map(({ horizonMs }) => horizonMs)).toEqual([2 * hourMs, dayMs, 7 * dayMs])
      for (const { takenAt } of rows) expect(takenAt).not.toBeNull()
      expect(post).toMatchObject({ status: 'closed', propensity: 0.5 })
    }
  })

  test('stand for their like in what is remembered; those acted on are left out', async () => {
    const { stage, act, holdout } = await manyPosts()
    const curves = await stage.ledger.listCurves({ accountId: stage.accountId }, 100)
    const remembered = new Map(curves.map(({ postId, weight }) => [postId, weight]))
    expect(remembered).toEqual(new Map(holdout.map(({ id }) => [id, 2])))
    expect(act.length).toBeGreaterThan(0)
  })
})

test('a post that nobody helped is remembered with its counts, once, with weight 1', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  const remoteId = stage.publish()
  stage.network.world.react(remoteId, 'likes', 7)
  await stage.pass(3 * dayMs)
  const curves = await stage.ledger.listCurves({ accountId: stage.accountId }, 100)
  expect(curves).toMatchObject([{ weight: 1, postId: (await stage.post()).id }])
  expect(curves[0]?.points).toMatchObject({
    counts: expect.arrayContaining([7]) as unknown,
    publishedAt: (await stage.post()).publishedAt,
  })
})

test.each(['expired', 'rejected', 'failed', 'success'] as const)(
  'a post is remembered as left alone where its plan %s, unless that helped it',
  async (end) => {
    const stage = await Stage.open({ mode: end === 'success' ? 'auto' : 'approve', policy: once })
    stage.faults = (call) => (call.isWrite && end === 'failed' ? { kind: 'spam' } : noFault)
    stage.publish()
    const row = await stage.planned()
    if (end === 'rejected') await stage.decide(row, { kind: 'reject', reason: 'no' })
    if (end === 'failed') await stage.approve(row)
    expect((await stage.reached(end)).state).toBe(end)
    const again = (await stage.actions()).length
    await stage.changeAccount({ mode: 'watch' })
    await stage.pass(3 * dayMs)
    expect(await stage.actions()).toHaveLength(again)
    const curves = await stage.ledger.listCurves({ accountId: stage.accountId }, 100)
    expect(curves).toHaveLength(end === 'success' ? 0 : 1)
  },
)

test('when the watch is over the post closes, and is not read any more', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  stage.publish()
  await stage.pass(73 * hourMs)
  expect(await stage.post()).toMatchObject({ status: 'closed', nextCheckAt: null })
  const reads = stage.count('observe')
  await stage.pass(dayMs)
  expect(stage.count('observe')).toBe(reads)
})
