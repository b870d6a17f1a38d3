/** Tests that new posts are found once, and only those. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import type { Json } from '../core/json.ts'
import { noFault } from '../platform/simulated/index.ts'
import { Stage } from '../../test/builders/engine.ts'

test('a new post is tracked once, however often the timeline is read', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  const remoteId = stage.publish('The first.')
  await stage.pass(2 * hourMs)
  expect(stage.count('discover')).toBeGreaterThan(4)
  const [post, ...others] = await stage.posts()
  expect(others).toEqual([])
  expect(post).toMatchObject({
    remoteId,
    text: 'The first.',
    status: 'watched',
    arm: null,
    publishedAt: stage.network.truth.post(remoteId)?.publishedAt,
  })
  expect(await stage.events('post_tracked')).toHaveLength(1)
})

test('a post is found soon after it was published, and not one from before the watch', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  stage.publish('Too old.', { at: stage.clock.now() - 73 * hourMs })
  await stage.pass(hourMs)
  const remoteId = stage.publish('New.')
  await stage.pass(15 * minuteMs)
  expect((await stage.posts()).map((post) => post.remoteId)).toEqual([remoteId])
})

test('our own replies and those of the owner are no posts of their own', async () => {
  const stage = await Stage.open()
  const remoteId = stage.publish()
  await stage.reached('success')
  stage.network.world.replyByHand(remoteId, 'By hand.')
  await stage.pass(hourMs)
  expect(await stage.posts()).toHaveLength(1)
})

test('a timeline that cannot be read is read again when it is next due', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  stage.publish()
  stage.faults = (call) => (call.kind === 'timeline' ? { kind: 'unreachable' } : noFault)
  await stage.pass(hourMs)
  expect(await stage.posts()).toEqual([])
  expect(stage.count('discover')).toBe(5)
  stage.faults = () => noFault
  await stage.pass(15 * minuteMs)
  expect(await stage.posts()).toHaveLength(1)
  expect(stage.problems).toEqual([])
})

test('a timeline that never answers is given up in time', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  stage.publish()
  const before = stage.clock.now()
  stage.faults = (call) =>
    call.kind === 'timeline' ? { kind: 'stalled', applied: false } : noFault
  await stage.turn()
  expect(stage.clock.now() - before).toBe(20_000)
})

test('one account whose network fails does not keep another from being read', async () => {
  const stage = await Stage.open({ mode: 'watch' })
  await stage.addAccount('bob')
  stage.publish('By Ann.')
  stage.publish('By Bob.', {}, 'bob')
  stage.faults = (call) => (call.handle === 'ann' ? { kind: 'unreachable' } : noFault)
  await stage.pass(dayMs / 24)
  expect(await stage.posts()).toMatchObject([{ text: 'By Bob.', accountId: 'bob' }])
})

describe('what an account and its server can do', () => {
  test('is asked before its first timeline is read, and once a day from then on', async () => {
    const stage = await Stage.open()
    await stage.turn()
    expect(stage.calls.filter((call) => call === 'probe' || call === 'discover')).toEqual([
      'probe',
      'discover',
    ])
    const { profile } = await stage.account()
    expect(profile).toEqual({ probedAt: stage.clock.now() })
    await stage.pass(dayMs - minuteMs)
    expect(stage.count('probe')).toBe(1)
    await stage.pass(30 * minuteMs)
    expect(stage.count('probe')).toBe(2)
    expect((await stage.account()).profile).not.toEqual(profile)
  })

  test('is asked with the next timeline where it cannot be read now', async () => {
    const stage = await Stage.open()
    stage.faults = () => ({ kind: 'unreachable' })
    await stage.pass(10 * minuteMs)
    expect(stage.count('probe')).toBe(1)
    expect((await stage.account()).profile).toBeNull()
    stage.faults = () => noFault
    await stage.pass(10 * minuteMs)
    expect((await stage.account()).profile).not.toBeNull()
  })

  test('is handed to the connector from then on', async () => {
    const seen: Json[] = []
    const stage = await Stage.open()
    const { platform } = stage.network
    const describePlatform = platform.describe.bind(platform)
    platform.describe = (connection) => {
      seen.push(connection.profile)
      return describePlatform(connection)
    }
    stage.publish()
    await stage.pass(10 * minuteMs)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).not.toContain(null)
  })
})
