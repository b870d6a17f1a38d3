/** Tests what is read of an account: counters, deletions, what is hidden, and odd records. */

import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/json.ts'
import { anna } from './bluesky/fake-pds.ts'
import { keyAt } from './bluesky/owner.ts'
import { Scene } from './bluesky/scene.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('counters', () => {
  it('are kept by name, and summed', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    scene.pds.index.show(uri, {
      uri,
      likeCount: 5,
      repostCount: 4,
      replyCount: 3,
      quoteCount: 2,
      bookmarkCount: 1,
    })
    const [seen] = await scene.observe(uri)
    expect(seen).toMatchObject({
      sample: {
        at: scene.clock.now(),
        impressions: null,
        engagements: 15,
        interactions: { likes: 5, reposts: 4, replies: 3, quotes: 2, bookmarks: 1 },
      },
    })
  })

  it('that were not given stay absent', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    scene.pds.index.show(uri, { uri, likeCount: 5 })
    const [seen] = await scene.observe(uri)
    expect(seen?.kind === 'live' && seen.sample.interactions).toEqual({ likes: 5 })
  })

  it.each([-1, 1.5, 'many', null])('of %j are not believed', async (likeCount) => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    scene.pds.index.show(uri, { uri, likeCount })
    expect((await scene.faultOf(scene.observe(uri), 'read')).code).toBe('bad_answer')
  })

  it('of 25 posts are read with one call, beside those for the account’s own posts', async () => {
    await using scene = await Scene.start()
    const uris: string[] = []
    for (let number = 0; number < 25; number += 1) uris.push(await scene.owner.publish('A post'))
    expect(await scene.observe(...uris)).toHaveLength(25)
    const listing = 'com.atproto.repo.listRecords'
    // Only an empty page says that there are no more.
    expect(scene.pds.calls).toEqual(['app.bsky.feed.getPosts', listing, listing])
  })
})

describe('a post that the app does not show', () => {
  it('is not read while it may not have been indexed yet', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    scene.pds.index.hide(uri)
    await scene.clock.advance(5 * hourMs)
    expect(await scene.observe(uri)).toEqual([])
  })

  it('is restricted once it must have been', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    scene.pds.index.hide(uri)
    await scene.clock.advance(6 * hourMs + 1)
    expect(await scene.observe(uri)).toEqual([{ kind: 'restricted', remoteId: uri }])
  })

  it('is deleted where the account’s own server does not have it', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    // The index lags: it still shows what is gone.
    scene.pds.index.show(uri, { uri, likeCount: 5 })
    await scene.owner.removeByHand(uri)
    expect(await scene.observe(uri)).toEqual([{ kind: 'deleted', remoteId: uri }])
  })
})

describe('a label', () => {
  it.each<[string, Json, string]>([
    ['that hides', [{ src: 'did:plc:mod', val: '!hide' }], 'restricted'],
    ['that takes down', [{ src: 'did:plc:mod', val: '!takedown' }], 'restricted'],
    ['that was taken back', [{ src: 'did:plc:mod', val: '!hide', neg: true }], 'live'],
    ['that only warns', [{ src: 'did:plc:mod', val: '!warn' }], 'live'],
    ['of the owner’s own', [{ src: anna.did, val: '!hide' }], 'live'],
  ])('%s', async (_, labels, kind) => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    scene.pds.index.label(uri, labels)
    expect((await scene.observe(uri))[0]?.kind).toBe(kind)
  })
})

describe('the account’s own posts', () => {
  /** So many other posts, a minute apart. */
  async function chatter(scene: Scene, amount: number): Promise<void> {
    for (let number = 0; number < amount; number += 1) {
      await scene.clock.advance(minuteMs)
      await scene.owner.publish(`Chatter ${number}`)
    }
  }

  const pagesOf = ({ pds }: Scene) => pds.calls.filter((call) => call.endsWith('.listRecords'))

  it('are read as far back as the post, and its replies are found among many', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    const reply = await scene.owner.replyByHand(uri, 'A reply')
    await chatter(scene, 250)
    const [seen] = await scene.observe(uri)
    expect(seen?.kind === 'live' && seen.ownReplies.map(({ remoteId }) => remoteId)).toEqual([
      reply,
    ])
    expect(pagesOf(scene).length).toBeLessThanOrEqual(4)
  })

  it('are read no further back than need be', async () => {
    await using scene = await Scene.start()
    await chatter(scene, 450)
    const uri = await scene.owner.publish('A post')
    expect((await scene.observe(uri))[0]?.kind).toBe('live')
    expect(pagesOf(scene)).toHaveLength(1)
  })

  it('are looked up one by one where there are too many to list', async () => {
    await using scene = await Scene.start()
    const old = await scene.owner.publish('A post')
    const gone = await scene.owner.publish('Another')
    await scene.owner.removeByHand(gone)
    await chatter(scene, 1050)
    const seen = await scene.observe(old, gone)
    expect(seen.map(({ kind }) => kind)).toEqual(['live', 'deleted'])
    expect(pagesOf(scene)).toHaveLength(10)
  })
})

describe('discovering', () => {
  const discover = (scene: Scene, sinceMs = hourMs) =>
    scene.platform.discover({ ...scene.options, since: scene.clock.now() - sinceMs })

  it('gives what a post says and where it can be seen', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    const [found] = await discover(scene)
    const rkey = uri.split('/').at(-1)
    expect(found).toEqual({
      remoteId: uri,
      url: `https://bsky.app/profile/${anna.did}/post/${rkey}`,
      text: 'A post',
      contentVersion: scene.pds.repo.find(uri)?.cid,
      publishedAt: scene.clock.now(),
    })
  })

  it('leaves out what was imported with an old date', async () => {
    await using scene = await Scene.start()
    const rkey = keyAt(scene.clock.now(), 1)
    const createdAt = '2020-01-01T00:00:00.000Z'
    await scene.owner.put('app.bsky.feed.post', rkey, { text: 'Long ago', createdAt })
    expect(await discover(scene)).toEqual([])
  })

  it('does not believe in a date in the future', async () => {
    await using scene = await Scene.start()
    const rkey = keyAt(scene.clock.now(), 1)
    const createdAt = '2099-01-01T00:00:00.000Z'
    await scene.owner.put('app.bsky.feed.post', rkey, { text: 'Soon', createdAt })
    expect((await discover(scene))[0]?.publishedAt).toBe(scene.clock.now())
  })

  it('takes the time of the key where the date is nonsense', async () => {
    await using scene = await Scene.start()
    const rkey = keyAt(scene.clock.now(), 1)
    const createdAt = '2026-99-99T00:00:00.000Z'
    await scene.owner.put('app.bsky.feed.post', rkey, { text: 'When?', createdAt })
    expect((await discover(scene))[0]?.publishedAt).toBe(scene.clock.now())
  })

  it('goes on over a record that is no post', async () => {
    await using scene = await Scene.start()
    const uri = await scene.owner.publish('A post')
    const odd = { uri: `${uri}x`, cid: 'bafyodd', value: { $type: 'app.bsky.feed.post' } }
    const records = [odd, scene.pds.repo.find(uri)]
    const body = JSON.stringify({ records })
    scene.proxy.arm({ fault: { status: 200, body } })
    expect((await discover(scene)).map(({ remoteId }) => remoteId)).toEqual([uri])
  })
})

it('an id that is none of a post is named', async () => {
  await using scene = await Scene.start()
  const error = await scene.errorOf(scene.observe('https://bsky.app/profile/x/post/y'))
  expect(String(error)).toContain('remoteIds: ')
})
