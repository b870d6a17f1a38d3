/** Counts on relays that have different events, give few at once, or count by themselves. */

import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/json.ts'
import type { NostrEvent } from '../../src/platform/nostr/event.ts'
import type { EventStore } from './nostr/event-store.ts'
import { FakeRelay } from './nostr/fake-relay.ts'
import { strangersEvent } from './nostr/nostr-suite.ts'
import { nowSeconds, publish, Scene } from './nostr/scene.ts'

/** So many events on a post, one a second. */
function fill(
  store: EventStore,
  amount: number,
  draft: Pick<NostrEvent, 'kind' | 'tags'>,
  spread = 1,
): void {
  for (let index = 0; index < amount; index += 1) {
    const created_at = nowSeconds - Math.floor(index / spread)
    store.put(strangersEvent(JSON.stringify([draft, index]), { ...draft, content: '', created_at }))
  }
}

const asked = (relay: FakeRelay, what: string) => relay.received.filter(([type]) => type === what)

describe('the counters', () => {
  test('tell the kinds apart, and have each event of all relays once', async () => {
    await using one = await FakeRelay.start()
    await using two = await FakeRelay.start()
    const scene = new Scene([one.url, two.url])
    const post = publish([one.store, two.store])
    const e = [['e', post.id]]
    for (const [store, likes] of [
      [one.store, 30],
      [two.store, 40],
    ] as const) {
      fill(store, likes, { kind: 7, tags: e })
      fill(store, 5, { kind: 6, tags: e })
      fill(store, 3, { kind: 9735, tags: e })
      fill(store, 2, { kind: 1, tags: [['q', post.id]] })
      fill(store, 4, { kind: 1, tags: [['e', post.id, '', 'root']] })
    }
    const [observed] = await scene.observe(post.id)
    const interactions = { likes: 40, replies: 4, reposts: 5, quotes: 2, zaps: 3 }
    expect(observed).toMatchObject({
      kind: 'live',
      sample: { at: scene.clock.now(), impressions: null, engagements: 54, interactions },
    })
  })

  test('are complete where a relay gives few at once, and does not say so', async () => {
    await using relay = await FakeRelay.start({ maximumEvents: 100 })
    const scene = new Scene([relay.url])
    const post = publish([relay.store])
    fill(relay.store, 730, { kind: 7, tags: [['e', post.id]] })
    const [observed] = await scene.observe(post.id)
    expect(observed).toMatchObject({ sample: { engagements: 730 } })
  })

  test('step over a second with more events than the relay gives', async () => {
    await using relay = await FakeRelay.start({ maximumEvents: 100 })
    const scene = new Scene([relay.url])
    const post = publish([relay.store])
    fill(relay.store, 300, { kind: 7, tags: [['e', post.id]] }, 150)
    const [observed] = await scene.observe(post.id)
    // 100 of each second: never more than there are, and no going round in circles.
    expect(observed).toMatchObject({ sample: { engagements: 200 } })
  })

  const facts = ({ url }: FakeRelay, known: Readonly<Record<string, Json>> = {}) => ({
    relays: [{ ...countingRelay, url, ...known }],
  })
  const countingRelay = {
    canCount: true,
    maximumMessageBytes: null,
    maximumCharacters: null,
    maximumEvents: 100,
    wantsWork: false,
    wantsLogin: false,
    wantsPayment: false,
    oldestSeconds: null,
    newestSeconds: null,
  }

  test('are complete where a relay gives very few at once, and says so', async () => {
    await using relay = await FakeRelay.start({ maximumEvents: 30 })
    const scene = new Scene([relay.url], facts(relay, { canCount: false, maximumEvents: 30 }))
    const post = publish([relay.store])
    fill(relay.store, 100, { kind: 7, tags: [['e', post.id]] })
    const [observed] = await scene.observe(post.id)
    expect(observed).toMatchObject({ sample: { engagements: 100 } })
  })

  test('are asked for at a relay that counts, where there is more than it gives', async () => {
    await using relay = await FakeRelay.start({ maximumEvents: 100, counts: true })
    const scene = new Scene([relay.url], facts(relay))
    const [big, small] = [publish([relay.store]), publish([relay.store], { content: 'Small' })]
    fill(relay.store, 5000, { kind: 7, tags: [['e', big.id]] })
    fill(relay.store, 7, { kind: 7, tags: [['e', small.id]] })
    const observed = await scene.observe(big.id, small.id)
    expect(observed).toMatchObject([
      { sample: { interactions: { likes: 5000 } } },
      { sample: { interactions: { likes: 7 } } },
    ])
    expect(asked(relay, 'COUNT')).toHaveLength(6)
  })

  test('have the replies to the post itself only, even where the relay counts', async () => {
    await using relay = await FakeRelay.start({ maximumEvents: 100, counts: true })
    const scene = new Scene([relay.url], facts(relay))
    const post = publish([relay.store])
    const root = ['e', post.id, '', 'root']
    fill(relay.store, 250, { kind: 1, tags: [root] })
    fill(relay.store, 80, { kind: 1, tags: [root, ['e', 'd'.repeat(64), '', 'reply']] })
    const [observed] = await scene.observe(post.id)
    expect(observed).toMatchObject({ sample: { interactions: { replies: 250 } } })
  })

  test('are read where that is enough, without counting', async () => {
    await using relay = await FakeRelay.start({ counts: true })
    const scene = new Scene([relay.url], facts(relay))
    const post = publish([relay.store])
    fill(relay.store, 20, { kind: 7, tags: [['e', post.id]] })
    const [observed] = await scene.observe(post.id)
    expect(observed).toMatchObject({ sample: { engagements: 20 } })
    expect(asked(relay, 'COUNT')).toEqual([])
  })

  test('fall back to what was read where the relay will not count', async () => {
    await using relay = await FakeRelay.start({ maximumEvents: 100, counts: false })
    const scene = new Scene([relay.url], facts(relay))
    const post = publish([relay.store])
    fill(relay.store, 300, { kind: 7, tags: [['e', post.id]] })
    const [observed] = await scene.observe(post.id)
    expect(observed).toMatchObject({ sample: { engagements: 100 } })
  })
})
