/** Plays what only Nostr has: several relays that agree or do not, logins, forgeries, deletions. */

import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/core/fault.ts'
import type { Landed } from '../../src/platform/platform.ts'
import { FakeRelay } from './nostr/fake-relay.ts'
import type { FakeRelayOptions } from './nostr/fake-relay.ts'
import { owner, privateKey, strangersEvent } from './nostr/nostr-suite.ts'
import { RelayProxy } from './nostr/relay-proxy.ts'
import type { RelayFault } from './nostr/relay-proxy.ts'
import { nowSeconds, publish, Scene } from './nostr/scene.ts'

async function startTwo(first: FakeRelayOptions = {}, second: FakeRelayOptions = {}) {
  const one = await FakeRelay.start(first)
  const two = await FakeRelay.start(second)
  const scene = new Scene([one.url, two.url])
  const stores = [one.store, two.store]
  return {
    one,
    two,
    scene,
    stores,
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
    },
  }
}

const sentTo = (relay: FakeRelay) => relay.received.filter(([type]) => type === 'EVENT')

describe('a write to two relays', () => {
  /** What one of them does with it. */
  const behaviours = {
    accepts: {},
    'has it already': 'stored',
    'calls it a duplicate': { refusesWith: 'duplicate: have it' },
    'refuses it': { refusesWith: 'blocked: not you' },
    'is too busy': { refusesWith: 'rate-limited: slow down' },
    'fails at it': { refusesWith: 'error: no database' },
    'talks nonsense': { reaches: 'first', answer: 'malformed' },
    'loses it': { reaches: 'never', answer: 'drop' },
    'loses its answer': { reaches: 'first', answer: 'drop' },
  } as const satisfies Readonly<Record<string, FakeRelayOptions | RelayFault | 'stored'>>
  type Behaviour = keyof typeof behaviours

  const taking = new Set<Behaviour>(['accepts', 'has it already', 'calls it a duplicate'])
  const refusing: Partial<Record<Behaviour, Fault['code']>> = {
    'refuses it': 'forbidden',
    'is too busy': 'rate_limit',
  }
  const names = Object.keys(behaviours) as Behaviour[]

  /** By the rule: taken by one is taken; else in doubt with one is in doubt; else refused. */
  function expected(pair: readonly [Behaviour, Behaviour]): string {
    if (pair.some((each) => taking.has(each))) return 'landed'
    return pair.every((each) => each in refusing) ? 'no' : 'unknown'
  }

  const pairs = names.flatMap((first, index) =>
    names.slice(index).map((second) => [first, second] as const),
  )

  test.each(pairs)('one %s, the other %s', async (...pair) => {
    const behaving = pair.map((name) => behaviours[name])
    const options = behaving.map((each) => {
      return each === 'stored' || 'reaches' in each ? {} : each
    })
    await using stage = await startTwo(...options)
    await using first = await RelayProxy.start(stage.one.url)
    await using second = await RelayProxy.start(stage.two.url)
    const scene = new Scene([first.url, second.url])
    const write = await scene.ready(publish(stage.stores))
    for (const [index, proxy] of [first, second].entries()) {
      const behaviour = behaving[index]
      if (behaviour === 'stored') stage.stores[index]?.put(write.event)
      else if (behaviour !== undefined && 'reaches' in behaviour) {
        const met = { fault: behaviour, met: () => {} }
        proxy.gate = ({ isWrite }) => (isWrite ? met : null)
      }
    }
    const outcome = await scene.platform.commit(write).then(
      ({ remoteId }: Landed) => (remoteId === write.event.id ? 'landed' : 'something else'),
      (error: unknown) => scene.platform.classify(error, 'write', scene.clock.now()).landed,
    )
    expect(outcome).toBe(expected(pair))
    // Exactly one send to each, whatever came of it.
    const counts = [sentTo(stage.one).length, sentTo(stage.two).length]
    const lost = pair.map((name) => (name === 'loses it' ? 0 : 1))
    expect(counts).toEqual(lost)
  })

  test('is taken where the other is down', async () => {
    await using stage = await startTwo()
    const post = publish(stage.stores)
    const write = await stage.scene.ready(post)
    await stage.two[Symbol.asyncDispose]()
    await using scope = stage.one
    const { remoteId } = await stage.scene.platform.commit(write)
    expect(scope.store.has(remoteId)).toBe(true)
  })

  test('is taken where the other never answers, after its time', async () => {
    await using stage = await startTwo()
    await using stalling = await RelayProxy.start(stage.two.url)
    const scene = new Scene([stage.one.url, stalling.url])
    const write = await scene.ready(publish(stage.stores))
    const stalled = Promise.withResolvers<void>()
    const fault = { reaches: 'first', answer: 'stall' } as const
    stalling.gate = ({ isWrite }) => (isWrite ? { fault, met: stalled.resolve } : null)
    const landed = scene.platform.commit(write)
    await stalled.promise
    await scene.clock.advance(10_000)
    expect((await landed).remoteId).toBe(write.event.id)
  })

  test('is in doubt where neither answers in time', async () => {
    await using stage = await startTwo()
    await using stalling = await RelayProxy.start(stage.one.url)
    const scene = new Scene([stalling.url])
    const write = await scene.ready(publish(stage.stores))
    const stalled = Promise.withResolvers<void>()
    const fault = { reaches: 'never', answer: 'stall' } as const
    stalling.gate = ({ isWrite }) => (isWrite ? { fault, met: stalled.resolve } : null)
    const said = scene.faultOf(scene.platform.commit(write), 'write')
    await stalled.promise
    await scene.clock.advance(10_000)
    expect(await said).toMatchObject({ landed: 'unknown', code: 'timeout' })
  })

  test('holds the same event at both, signed by the account, and never the key', async () => {
    await using stage = await startTwo()
    const post = publish(stage.stores, { tags: [['p', 'f'.repeat(64)]] })
    const write = await stage.scene.ready(post)
    await stage.scene.platform.commit(write)
    const [first, second] = [sentTo(stage.one), sentTo(stage.two)]
    expect(first).toEqual(second)
    expect(first[0]?.[1]).toMatchObject({
      pubkey: owner.publicKey,
      kind: 1,
      created_at: nowSeconds,
      content: 'What do you think?',
      tags: [
        ['e', post.id, stage.one.url, 'root', owner.publicKey],
        ['p', owner.publicKey],
        ['p', 'f'.repeat(64)],
      ],
    })
    const said = JSON.stringify([stage.one.received, stage.two.received, write.token])
    expect(said).not.toContain(privateKey)
  })
})

describe('looking for a write', () => {
  test('finds it where one relay has it', async () => {
    await using stage = await startTwo()
    const write = await stage.scene.ready(publish(stage.stores))
    stage.two.store.put(write.event)
    const location = await stage.scene.platform.locate(write)
    expect(location).toMatchObject({ kind: 'found', landed: { remoteId: write.event.id } })
  })

  test('does not say that it is missing while a relay does not answer', async () => {
    await using one = await FakeRelay.start()
    const two = await FakeRelay.start()
    const scene = new Scene([one.url, two.url])
    const write = await scene.ready(publish([one.store, two.store]))
    expect((await scene.platform.locate(write)).kind).toBe('not_found')
    await two[Symbol.asyncDispose]()
    expect((await scene.platform.locate(write)).kind).toBe('cannot_tell')
  })

  test('knows that what was deleted since had landed', async () => {
    await using stage = await startTwo()
    const write = await stage.scene.ready(publish(stage.stores))
    await stage.scene.platform.commit(write)
    publish(stage.stores, { kind: 5, tags: [['e', write.event.id]] })
    expect((await stage.scene.platform.locate(write)).kind).toBe('found')
  })
})

describe('reading', () => {
  test('takes what one relay has where the other is down, and leaves out the rest', async () => {
    await using one = await FakeRelay.start()
    const two = await FakeRelay.start()
    const scene = new Scene([one.url, two.url])
    const here = publish([one.store])
    const there = publish([two.store], { content: 'Elsewhere' })
    expect(await scene.observe(here.id, there.id)).toHaveLength(2)
    await two[Symbol.asyncDispose]()
    expect(await scene.observe(here.id, there.id)).toMatchObject([
      { kind: 'live', remoteId: here.id },
    ])
  })

  test('calls a post deleted when no relay has it any more', async () => {
    await using stage = await startTwo()
    const remoteId = 'a'.repeat(64)
    expect(await stage.scene.observe(remoteId)).toEqual([{ kind: 'deleted', remoteId }])
  })

  test('believes a deletion wherever it was published, and its author only', async () => {
    await using stage = await startTwo()
    const mine = publish(stage.stores)
    const other = publish(stage.stores, { content: 'Another' })
    // The relay that knows of the deletion is not the one that has the post.
    stage.one.store.put(owner.sign({ ...deletionOf(mine.id), created_at: nowSeconds }))
    const foreign = { ...deletionOf(other.id), created_at: nowSeconds }
    stage.one.store.put(strangersEvent('foreign', foreign))
    stage.one.store.put({ ...strangersEvent('forged', foreign), pubkey: owner.publicKey })
    const observed = await stage.scene.observe(mine.id, other.id)
    expect(observed.map(({ kind }) => kind)).toEqual(['deleted', 'live'])
  })

  test('leaves out an own reply whose deletion only another relay knows of', async () => {
    await using stage = await startTwo()
    const post = publish(stage.stores)
    const reply = publish([stage.two.store], { tags: [['e', post.id, '', 'root']] })
    const [before] = await stage.scene.observe(post.id)
    expect(before).toMatchObject({ ownReplies: [{ remoteId: reply.id }] })
    stage.one.store.put(owner.sign({ ...deletionOf(reply.id), created_at: nowSeconds }))
    const [after] = await stage.scene.observe(post.id)
    expect(after).toMatchObject({ ownReplies: [] })
  })

  test('does not take a forged note for the account’s own', async () => {
    await using stage = await startTwo()
    const draft = { kind: 1, tags: [], content: 'Forged', created_at: nowSeconds }
    stage.one.store.put({ ...strangersEvent('forged', draft), pubkey: owner.publicKey })
    const since = (nowSeconds - 10) * 1000
    expect(await stage.scene.platform.discover({ ...stage.scene.options, since })).toEqual([])
  })

  test('finds posts of all relays once, without replies, reposts and future posts', async () => {
    await using stage = await startTwo()
    const first = publish([stage.one.store], { content: 'First', created_at: nowSeconds - 20 })
    const second = publish(stage.stores, { content: 'Second', created_at: nowSeconds - 10 })
    publish(stage.stores, { tags: [['e', first.id, '', 'root']] })
    publish(stage.stores, { kind: 6, tags: [['e', first.id]] })
    publish(stage.stores, { created_at: nowSeconds + 600 })
    publish(stage.stores, { created_at: nowSeconds - 5000 })
    const since = (nowSeconds - 100) * 1000
    const posts = await stage.scene.platform.discover({ ...stage.scene.options, since })
    expect(posts.map(({ remoteId }) => remoteId)).toEqual([second.id, first.id])
    expect(posts[0]).toMatchObject({
      text: 'Second',
      publishedAt: second.created_at * 1000,
      url: expect.stringMatching(/^https:\/\/njump\.me\/nevent1/) as string,
    })
  })

  test('asks no relay about an id that is none', async () => {
    await using stage = await startTwo()
    expect(await stage.scene.observe('at://did:plc:x/app.bsky.feed.post/y')).toEqual([])
    expect(stage.one.received).toEqual([])
  })
})

const deletionOf = (id: string) => ({ kind: 5, tags: [['e', id]], content: '' })

describe('a post that is meant for few', () => {
  test.each([['-'], ['h', 'a-group']])(
    'with %j is not answered before everyone',
    async (...tag) => {
      await using stage = await startTwo()
      const preparation = await stage.scene.prepare(publish(stage.stores, { tags: [tag] }))
      expect(preparation).toMatchObject({ kind: 'refused', fault: { code: 'unsupported' } })
    },
  )
})

describe('a login', () => {
  const ways = (['reads', 'writes'] as const).flatMap((what) =>
    (['first', 'late'] as const).map((challenges) => [what, challenges] as const),
  )

  test.each(ways)(
    'for %s is given where it is asked for, challenge %s',
    async (what, challenges) => {
      await using relay = await FakeRelay.start({ login: { for: what, challenges } })
      const scene = new Scene([relay.url])
      const post = publish([relay.store])
      const write = await scene.ready(post)
      const { remoteId } = await scene.platform.commit(write)
      expect(relay.store.has(remoteId)).toBe(true)
      // The event is sent again in the one case in which it was plainly refused.
      expect(sentTo(relay)).toHaveLength(what === 'writes' ? 2 : 1)
      const logins = relay.received.filter(([type]) => type === 'AUTH')
      expect(logins.length).toBeGreaterThan(0)
      expect(JSON.stringify(logins)).not.toContain(privateKey)
    },
  )

  test('is not given to a relay that only offers one', async () => {
    await using relay = await FakeRelay.start({ login: { for: 'writes', challenges: 'first' } })
    const scene = new Scene([relay.url])
    await scene.observe(publish([relay.store]).id)
    expect(relay.received.filter(([type]) => type === 'AUTH')).toEqual([])
  })

  test('that is not taken says that nothing landed, and does not end the account', async () => {
    const login = { for: 'writes', challenges: 'first' } as const
    await using relay = await FakeRelay.start({ login, admits: false })
    const scene = new Scene([relay.url])
    const write = await scene.ready(publish([relay.store]))
    const fault = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(fault).toMatchObject({ landed: 'no', code: 'forbidden' })
  })
})

describe('an answer without sense', () => {
  test.each(['', '<html>', 'null', '{}', '[]', '["OK"]', '["EOSE"]', '["CLOSED",1]'])(
    '%j fails a reading',
    async (saysInstead) => {
      await using relay = await FakeRelay.start({ saysInstead })
      const scene = new Scene([relay.url])
      const fault = await scene.faultOf(scene.observe('a'.repeat(64)), 'read')
      expect(fault).toMatchObject({ landed: 'no', code: 'bad_answer' })
    },
  )
})

describe('what a relay says to others', () => {
  const stranger = strangersEvent('x', {
    kind: 1,
    tags: [],
    content: 'Not asked for',
    created_at: 1,
  })
  const saysBefore = [
    ['NOTICE', 'Welcome'],
    ['OK', 'f'.repeat(64), true, ''],
    ['OK', 'e'.repeat(64), false, 'error: x'],
    ['EVENT', 'another', stranger],
    ['EVENT', 'sw1', stranger],
    ['EOSE', 'another'],
    ['CLOSED', 'another', 'error: x'],
    ['COUNT', 'another', { count: 99 }],
    ['SOMETHING', 'new'],
  ]

  test('is not taken for an answer to a reading', async () => {
    await using relay = await FakeRelay.start({ saysBefore })
    const scene = new Scene([relay.url])
    const post = publish([relay.store])
    const [observed] = await scene.observe(post.id)
    expect(observed).toMatchObject({ kind: 'live', text: 'A post', sample: { engagements: 0 } })
  })

  test('is not taken for an answer to a write', async () => {
    await using relay = await FakeRelay.start({ saysBefore, refusesWith: 'blocked: not you' })
    const scene = new Scene([relay.url])
    const write = await scene.ready(publish([relay.store]))
    const fault = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(fault).toMatchObject({ landed: 'no', code: 'forbidden' })
  })
})

describe('taking a reply back', () => {
  test('asks with the same request each time', async () => {
    await using stage = await startTwo()
    const write = await stage.scene.ready(publish(stage.stores))
    const landed = await stage.scene.platform.commit(write)
    const undo = { ...stage.scene.options, token: write.token, landed }
    await stage.scene.platform.undo(undo)
    await stage.scene.platform.undo(undo)
    const ids = sentTo(stage.one).map(([, event]) => (event as { id: string }).id)
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(2)
    expect(stage.one.store.has(landed.remoteId)).toBe(false)
  })

  test('is not done where a relay keeps it', async () => {
    await using stage = await startTwo({}, { keepsDeleted: true })
    const write = await stage.scene.ready(publish(stage.stores))
    const landed = await stage.scene.platform.commit(write)
    const undo = { ...stage.scene.options, token: write.token, landed }
    const fault = await stage.scene.faultOf(stage.scene.platform.undo(undo), 'write')
    expect(fault).toMatchObject({ landed: 'unknown', scope: 'post' })
    expect(fault.detail).toContain('keeps it')
  })

  test('is not done where a relay cannot be asked', async () => {
    await using one = await FakeRelay.start()
    const two = await FakeRelay.start()
    const scene = new Scene([one.url, two.url])
    const write = await scene.ready(publish([one.store, two.store]))
    const landed = await scene.platform.commit(write)
    await two[Symbol.asyncDispose]()
    const undo = { ...scene.options, token: write.token, landed }
    const fault = await scene.faultOf(scene.platform.undo(undo), 'write')
    expect(fault.landed).toBe('unknown')
  })
})
