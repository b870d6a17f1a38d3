/** Tests what exactly is written: records, references, facets, and where nothing may be. */

import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/json.ts'
import { contentId } from '../../src/platform/bluesky/content-id.ts'
import { anna } from './bluesky/fake-pds.ts'
import type { FakeRecord } from './bluesky/fake-repo.ts'
import { Scene } from './bluesky/scene.ts'

const reference = ({ uri, cid }: FakeRecord): Json => ({ uri, cid })

function standing(scene: Scene, uri: string): FakeRecord {
  const record = scene.pds.repo.find(uri)
  if (record === null) throw new Error(`${uri} is gone`)
  return record
}

describe('a comment', () => {
  it('is the whole record, fixed when it was prepared', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const preparedAt = scene.clock.now()
    const write = await scene.ready('comment', post, 'What do you think?')
    await scene.clock.advance(3_600_000)
    const { remoteId, url } = await scene.platform.commit(write)
    const here = reference(standing(scene, post))
    expect(standing(scene, remoteId).value).toEqual({
      $type: 'app.bsky.feed.post',
      text: 'What do you think?',
      langs: ['en'],
      reply: { root: here, parent: here },
      createdAt: new Date(preparedAt).toISOString(),
    })
    expect(url).toBe(`https://bsky.app/profile/${anna.did}/post/${remoteId.split('/').at(-1)}`)
  })

  it.each(['comment', 'thread'] as const)(
    'a %s prepared again is the same bytes',
    async (action) => {
      await using scene = await Scene.start()
      const texts = action === 'thread' ? ['One', 'Two #tag'] : ['One']
      const request = scene.request(action, await scene.owner.publish('A post'), ...texts)
      const first = await scene.prepare(request)
      await scene.clock.advance(3_600_000)
      expect(await scene.prepare(request)).toEqual(first)
      expect(first.kind).toBe('ready')
    },
  )

  it('is one call, and reading', async () => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    scene.pds.calls.length = 0
    await scene.platform.commit(write)
    expect(scene.pds.calls).toEqual(['com.atproto.repo.getRecord', 'com.atproto.repo.putRecord'])
  })

  it('below a reply names the first post of the thread as its root', async () => {
    await using scene = await Scene.start()
    const root = await scene.owner.publish('A post')
    const parent = await scene.owner.replyByHand(root, 'A reply')
    const [record] = await scene.send('comment', parent)
    expect(record?.value['reply']).toEqual({
      root: reference(standing(scene, root)),
      parent: reference(standing(scene, parent)),
    })
  })

  it('marks links, tags, and mentions of those who exist', async () => {
    await using scene = await Scene.start()
    scene.pds.handles.set('eve.test', 'did:plc:eve')
    const text = 'Grüße @Eve.test, @nobody.test #tag https://example.com.'
    const [record] = await scene.send('comment', await scene.owner.publish('A post'), text)
    const facets = record?.value['facets'] as readonly {
      readonly index: { readonly byteStart: number; readonly byteEnd: number }
      readonly features: Json
    }[]
    const bytes = Buffer.from(text)
    const shown = facets.map(({ index, features }) => [
      bytes.subarray(index.byteStart, index.byteEnd).toString(),
      features,
    ])
    expect(shown).toEqual([
      ['@Eve.test', [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:eve' }]],
      ['#tag', [{ $type: 'app.bsky.richtext.facet#tag', tag: 'tag' }]],
      [
        'https://example.com',
        [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com' }],
      ],
    ])
  })

  it('is not prepared while a mention cannot be looked up', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const isLookup = ({ path }: { readonly path: string }) => path.includes('.resolveHandle')
    scene.proxy.arm({ fault: 'error_before', matches: isLookup })
    const fault = await scene.faultOf(scene.ready('comment', post, 'Hello @eve.test'), 'read')
    expect(fault.code).toBe('service_unavailable')
  })

  it('is refused below a post of someone else', async () => {
    await using scene = await Scene.start()
    const request = scene.request('comment', 'at://did:plc:eve/app.bsky.feed.post/3kabc')
    expect(await scene.prepare(request)).toMatchObject({
      kind: 'refused',
      fault: { code: 'invalid' },
    })
  })

  it('is refused where it has few graphemes and too many bytes', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const text = '👨‍👩‍👧‍👦'.repeat(121)
    const preparation = await scene.prepare(scene.request('comment', post, text))
    expect(preparation).toMatchObject({ kind: 'refused', fault: { code: 'invalid' } })
  })

  it('never takes the place of another record under its key', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('comment', post)
    const { posts } = write.token as unknown as { posts: readonly { rkey: string }[] }
    const rkey = posts[0]?.rkey ?? ''
    const createdAt = '2026-01-01T00:00:00.000Z'
    await scene.owner.put('app.bsky.feed.post', rkey, { text: 'The owner’s', createdAt })
    const fault = await scene.faultOf(scene.platform.commit(write), 'write')
    expect([fault.landed, fault.code]).toEqual(['no', 'conflict'])
    expect(scene.pds.repo.get('app.bsky.feed.post', rkey)?.value['text']).toBe('The owner’s')
  })
})

describe('a thread', () => {
  it('is one call, and each post names the one before by its true id', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('thread', post, 'One', 'Two #tag', 'Three')
    scene.pds.calls.length = 0
    const { remoteIds } = await scene.platform.commit(write)
    expect(scene.pds.calls.filter((call) => !call.endsWith('.getRecord'))).toEqual([
      'com.atproto.repo.applyWrites',
    ])
    const root = standing(scene, post)
    let parent = root
    for (const uri of remoteIds) {
      const record = standing(scene, uri)
      expect(record.value['reply']).toEqual({ root: reference(root), parent: reference(parent) })
      expect(contentId(record.value)).toBe(record.cid)
      parent = record
    }
  })

  it('is written in the order of its times and keys', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const records = await scene.send('thread', post, 'One', 'Two', 'Three')
    const times = records.map(({ value }) => JSON.stringify(value['createdAt']))
    expect(new Set(times).size).toBe(3)
    expect(times.toSorted()).toEqual(times)
    const uris = records.map(({ uri }) => uri)
    expect(uris.toSorted()).toEqual(uris)
  })

  it('that is out already is found before it is sent again', async () => {
    await using scene = await Scene.start()
    const write = await scene.ready('thread', await scene.owner.publish('A post'), 'One', 'Two')
    const first = await scene.platform.commit(write)
    scene.pds.calls.length = 0
    expect(await scene.platform.commit(write)).toEqual(first)
    expect(scene.pds.calls).not.toContain('com.atproto.repo.applyWrites')
  })

  it('is found by any of its posts, and taken back as far as it stands', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('thread', post, 'One', 'Two', 'Three')
    const landed = await scene.platform.commit(write)
    await scene.owner.removeByHand(landed.remoteId)
    expect(await scene.platform.locate(write)).toEqual({ kind: 'found', landed })
    await scene.platform.undo({ ...write, landed })
    expect((await scene.platform.locate(write)).kind).toBe('not_found')
    expect(scene.pds.repo.find(post)).not.toBeNull()
    scene.pds.calls.length = 0
    await scene.platform.undo({ ...write, landed })
    expect(scene.pds.calls).not.toContain('com.atproto.repo.applyWrites')
  })

  it('of one post is written like a comment', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    await scene.send('thread', post, 'One')
    expect(scene.pds.calls).toContain('com.atproto.repo.putRecord')
    expect(scene.repliesTo(post)).toHaveLength(1)
  })
})

describe('where replies are switched off', () => {
  const createdAt = '2026-01-01T00:00:00.000Z'

  async function gated(scene: Scene, part: Readonly<Record<string, Json>>): Promise<string> {
    const post = await scene.owner.publish('A post')
    const rkey = post.split('/').at(-1) ?? ''
    const gate = { post, createdAt, ...part }
    await scene.owner.put('app.bsky.feed.threadgate', rkey, gate)
    return post
  }

  it.each(['comment', 'thread'] as const)('no %s is made', async (action) => {
    await using scene = await Scene.start()
    const post = await gated(scene, { allow: [] })
    expect(await scene.prepare(scene.request(action, post))).toMatchObject({
      kind: 'refused',
      fault: { code: 'forbidden', scope: 'post', landed: 'no' },
    })
  })

  it('none is made further down the thread either', async () => {
    await using scene = await Scene.start()
    const post = await gated(scene, { allow: [] })
    const reply = await scene.owner.replyByHand(post, 'A reply')
    expect((await scene.prepare(scene.request('comment', reply))).kind).toBe('refused')
  })

  it.each<[string, Readonly<Record<string, Json>>]>([
    ['for some', { allow: [{ $type: 'app.bsky.feed.threadgate#mentionRule' }] }],
    ['for nobody', {}],
  ])('%s only, the owner may', async (_, part) => {
    await using scene = await Scene.start()
    const post = await gated(scene, part)
    expect((await scene.prepare(scene.request('comment', post))).kind).toBe('ready')
  })

  describe('by someone else, in whose thread our post stands', () => {
    const root = { uri: 'at://did:plc:eve/app.bsky.feed.post/3kroot', cid: 'bafyroot' }

    it.each<[string, Json, string]>([
      ['is open', { uri: root.uri }, 'ready'],
      ['is closed', { uri: root.uri, threadgate: { record: { allow: [] } } }, 'refused'],
      ['is closed to us', { uri: root.uri, viewer: { replyDisabled: true } }, 'refused'],
      ['cannot be read', null, 'refused'],
    ])('%s', async (_, view, kind) => {
      await using scene = await Scene.start()
      const record = { text: 'Ours', createdAt, reply: { root, parent: root } }
      await scene.owner.put('app.bsky.feed.post', '3kours', record)
      if (view !== null) scene.pds.index.show(root.uri, view)
      const ours = `at://${anna.did}/app.bsky.feed.post/3kours`
      expect((await scene.prepare(scene.request('comment', ours))).kind).toBe(kind)
    })
  })
})

describe('an edit', () => {
  it('sent again after the owner changed the post is refused as changed', async () => {
    await using scene = await Scene.start({ edits: true })
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('edit', post, 'A better post')
    await scene.platform.commit(write)
    await scene.owner.editByHand(post, 'The owner’s')
    const fault = await scene.faultOf(scene.platform.commit(write), 'write')
    expect([fault.landed, fault.code]).toEqual(['no', 'changed'])
    expect((await scene.owner.look(post))?.text).toBe('The owner’s')
  })

  it.each([
    ['the same text, in another version', { contentVersion: 'bafyother' }, 'changed'],
    ['another text', { text: 'Another', contentVersion: null }, 'changed'],
    ['the same text, in an unknown version', { contentVersion: null }, 'ready'],
    ['the same version, with an unknown text', { text: null }, 'ready'],
    ['nothing at all', { text: null, contentVersion: null }, 'refused'],
  ])('that was written for %s', async (_, known, kind) => {
    await using scene = await Scene.start({ edits: true })
    const post = await scene.owner.publish('A post')
    const request = scene.request('edit', post, 'A better post')
    const target = { ...request.target, ...known }
    expect((await scene.prepare({ ...request, target })).kind).toBe(kind)
  })

  it('marks the links of the new text, and forgets those of the old', async () => {
    await using scene = await Scene.start({ edits: true })
    const post = await scene.owner.publish('See https://example.com')
    const [first] = await scene.send('edit', post, 'See https://example.org/ now')
    expect(first?.value['facets']).toMatchObject([{ index: { byteStart: 4, byteEnd: 24 } }])
    const [second] = await scene.send('edit', post, 'Nothing to see')
    expect(second?.value).not.toHaveProperty('facets')
  })

  it('taken back leaves the record as it was, byte for byte', async () => {
    await using scene = await Scene.start({ edits: true })
    const post = await scene.owner.publish('A post')
    const before = standing(scene, post)
    const write = await scene.ready('edit', post, 'A better post')
    const landed = await scene.platform.commit(write)
    await scene.platform.undo({ ...write, landed })
    expect(standing(scene, post)).toEqual(before)
  })
})
