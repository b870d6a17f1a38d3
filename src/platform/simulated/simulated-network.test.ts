/** What sets the simulated networks apart from each other, beyond what all connectors promise. */

import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../../core/duration.ts'
import { Scene } from '../../testing/platform/scene.ts'
import type { Landed } from '../platform.ts'
import { noFault } from './fault-plan.ts'

describe('a write that is sent again', () => {
  it('is recognised by its idempotency key for an hour, and not after it', async () => {
    const scene = new Scene('mastodon')
    const write = await scene.ready('comment', scene.publish())
    const first = await scene.commit(write)
    await scene.clock.advance(hourMs - 1)
    expect(await scene.commit(write)).toEqual(first)
    await scene.clock.advance(1)
    const second = await scene.commit(write)
    expect(second.remoteId).not.toBe(first.remoteId)
    expect(scene.truth.effectsOf(write.key).length).toBe(2)
  })

  it('is made again where keys are ignored', async () => {
    const scene = new Scene('gotosocial')
    const write = await scene.ready('comment', scene.publish())
    await scene.commit(write)
    await scene.commit(write)
    expect(scene.truth.effectsOf(write.key).length).toBe(2)
  })

  it('may be answered by a server error though all of it is there', async () => {
    const scene = new Scene('bluesky')
    const write = await scene.ready('thread', scene.publish(), ['One', 'Two', 'Three'])
    await scene.commit(write)
    const fault = await scene.faultOf(scene.commit(write))
    expect(fault).toMatchObject({ landed: 'unknown', code: 'service_unavailable' })
    const effects = scene.truth.effectsOf(write.key)
    expect(effects.map(({ segment, text }) => [segment, text])).toEqual([
      [0, 'One'],
      [1, 'Two'],
      [2, 'Three'],
    ])
  })

  it('under the key of another content is a conflict', async () => {
    const scene = new Scene('bluesky')
    const write = await scene.ready('comment', scene.publish(), ['One'])
    await scene.commit(write)
    const token = { ...(write.token as object), texts: ['Another'] }
    const fault = await scene.faultOf(scene.commit({ ...write, token }))
    expect(fault).toMatchObject({ landed: 'no', code: 'conflict' })
    expect(scene.truth.effectsOf(write.key).length).toBe(1)
  })

  it.each([
    { profile: 'bluesky', visible: 1, ever: 2 },
    { profile: 'nostr', visible: 0, ever: 1 },
    { profile: 'gotosocial', visible: 1, ever: 2 },
  ] as const)('after the owner deleted it: $profile', async ({ profile, visible, ever }) => {
    const scene = new Scene(profile)
    const post = scene.publish()
    const write = await scene.ready('comment', post)
    const landed = await scene.commit(write)
    scene.world.remove(landed.remoteId)
    await scene.commit(write)
    expect(scene.truth.repliesTo(post).length).toBe(visible)
    expect(scene.truth.effectsOf(write.key).length).toBe(ever)
  })

  it('is not made again by a key whose post is gone', async () => {
    const scene = new Scene('mastodon')
    const post = scene.publish()
    const write = await scene.ready('comment', post)
    scene.world.remove((await scene.commit(write)).remoteId)
    const fault = await scene.faultOf(scene.commit(write))
    expect(fault).toMatchObject({ landed: 'no', code: 'not_found' })
    expect(scene.truth.repliesTo(post)).toEqual([])
  })
})

describe('an edit', () => {
  it('gives another id where the network does so, and the old one leads to it', async () => {
    const scene = new Scene('x')
    const post = scene.publish()
    const landed = await scene.commit(await scene.ready('edit', post, ['Changed']))
    await scene.clock.advance(minuteMs)
    expect(landed.postRemoteId).not.toBeNull()
    expect(landed.postRemoteId).not.toBe(post)
    for (const id of [post, landed.postRemoteId as string]) {
      expect(await scene.observe(id)).toMatchObject({ kind: 'live', text: 'Changed' })
      expect(scene.truth.post(id)?.id).toBe(post)
    }
    const [listed] = await scene.platform.discover({ ...scene.options, since: 0 })
    expect(listed?.remoteId).toBe(landed.postRemoteId)
  })

  it('is refused after its time', async () => {
    const scene = new Scene('x')
    const post = scene.publish()
    const request = await scene.request('edit', post, ['Changed'])
    await scene.clock.advance(hourMs + 1)
    const preparation = await scene.platform.prepare({ ...scene.options, request })
    expect(preparation).toMatchObject({ kind: 'refused', fault: { code: 'forbidden' } })
  })

  it('that would change nothing is refused', async () => {
    const scene = new Scene('full')
    const post = scene.publish('The same')
    const request = await scene.request('edit', post, ['The same'])
    const preparation = await scene.platform.prepare({ ...scene.options, request })
    expect(preparation).toMatchObject({ kind: 'refused', fault: { code: 'invalid' } })
  })

  it('that the owner overtakes between the last look and the write is refused', async () => {
    const scene = new Scene('full', {
      faults: (call) => (call.kind === 'edit' ? { kind: 'slow', delayMs: minuteMs } : noFault),
    })
    const post = scene.publish()
    const write = await scene.ready('edit', post, ['Ours'])
    const sending = scene.faultOf(scene.commit(write))
    await scene.clock.advance(0)
    scene.world.editByHand(post, 'The owner’s')
    await scene.clock.advance(minuteMs)
    expect(await sending).toMatchObject({ landed: 'no', code: 'conflict' })
    expect(scene.truth.post(post)?.text).toBe('The owner’s')
  })

  it('ends to count as visible once it is overwritten', async () => {
    const scene = new Scene('full')
    const post = scene.publish()
    const write = await scene.ready('edit', post, ['Ours'])
    await scene.commit(write)
    await scene.clock.advance(minuteMs)
    scene.world.editByHand(post, 'The owner’s')
    expect(scene.truth.effectsOf(write.key)).toMatchObject([{ removedAt: scene.clock.now() }])
  })
})

describe('visibility', () => {
  it('comes late for some writes, but within the declared time', async () => {
    const scene = new Scene('full', { lateShare: 1 })
    const delays: number[] = []
    for (let count = 0; count < 50; count += 1) {
      const write = await scene.ready('comment', scene.publish())
      await scene.commit(write)
      const [effect] = scene.truth.effectsOf(write.key)
      delays.push((effect?.visibleAt ?? Infinity) - (effect?.at ?? 0))
      expect((await scene.locate(write)).kind).toBe('not_found')
      await scene.clock.advance(30 * secondMs)
      expect((await scene.locate(write)).kind).toBe('found')
    }
    expect(Math.max(...delays)).toBeLessThan(30 * secondMs)
    expect(new Set(delays).size).toBeGreaterThan(40)
  })

  it('counts our own reply from when it is seen until it is taken back', async () => {
    const scene = new Scene('full', { lateShare: 1, effects: { comment: { mean: 1, spread: 0 } } })
    const post = scene.publish('A post', { total: 0 })
    const write = await scene.ready('comment', post)
    const landed = await scene.commit(write)
    const replies = async () => {
      const seen = await scene.observe(post)
      return seen.kind === 'live' ? seen.sample.interactions?.['replies'] : null
    }
    expect(await replies()).toBe(0)
    await scene.clock.advance(30 * secondMs)
    expect(await replies()).toBe(1)
    await scene.platform.undo({ ...scene.options, token: write.token, landed })
    expect(await replies()).toBe(0)
  })
})

describe('rate limits', () => {
  it('hold per account, say when to come back, and let calls through again then', async () => {
    const scene = new Scene('full')
    scene.world.addAccount({ handle: 'bert', credentials: 'b' })
    const post = scene.publish()
    for (let call = 0; call < 300; call += 1) await scene.observe(post)
    const fault = await scene.faultOf(scene.observe(post), 'read')
    expect(fault).toMatchObject({ code: 'rate_limit', scope: 'account', landed: 'no' })
    expect(fault.retryAt).toBe(scene.clock.now() + 5 * minuteMs)
    await expect(scene.observe(post, 'bert')).resolves.toMatchObject({ kind: 'live' })
    await scene.clock.advance(5 * minuteMs)
    await expect(scene.observe(post)).resolves.toMatchObject({ kind: 'live' })
  })
})

describe('the world', () => {
  it('publishes in the past and in the future, and shows each post in its time', async () => {
    const scene = new Scene('full')
    const now = scene.clock.now()
    const later = scene.publish('Later', { at: now + hourMs })
    const earlier = scene.publish('Earlier', { at: now - hourMs })
    const listed = async () => {
      const posts = await scene.platform.discover({ ...scene.options, since: 0 })
      return posts.map(({ remoteId }) => remoteId)
    }
    expect(await listed()).toEqual([earlier])
    expect(await scene.observe(later)).toEqual({ kind: 'deleted', remoteId: later })
    await scene.clock.advance(hourMs)
    expect(await listed()).toEqual([later, earlier])
  })

  it('refuses what it does not know', () => {
    const { world } = new Scene('full')
    expect(() => world.publish('nobody', { text: 'Hi' })).toThrow('"nobody" has no account')
    expect(() => world.addAccount({ handle: 'anna' })).toThrow('"anna" is taken')
    expect(() => world.remove('nothing')).toThrow('"nothing" is no post here')
  })

  it('asks for the credentials that are in force', async () => {
    const scene = new Scene('full')
    const post = scene.publish()
    scene.world.setCredentials('anna', 'other')
    const fault = await scene.faultOf(scene.observe(post), 'read')
    expect(fault).toMatchObject({ code: 'credentials', scope: 'account' })
  })

  it('refuses writes on a restricted post', async () => {
    const scene = new Scene('full')
    const post = scene.publish()
    const write = await scene.ready('comment', post)
    scene.world.restrict(post, true)
    expect(await scene.faultOf(scene.commit(write))).toMatchObject({
      landed: 'no',
      code: 'forbidden',
    })
    scene.world.restrict(post, false)
    await expect(scene.commit(write)).resolves.toMatchObject<Partial<Landed>>({
      postRemoteId: null,
    })
  })
})
