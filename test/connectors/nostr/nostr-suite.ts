/**
 * Nostr as the conformance suite needs it: two relays, each behind a proxy that can make things go
 * wrong. What stands behind the proxies is given, so that the same suite runs on relays of our own
 * and on real ones.
 */

import { hash } from 'node:crypto'
import { toAccountId } from '../../../src/core/ids.ts'
import { createConnectorTools } from '../../../src/platform/connectors.ts'
import { createSigner } from '../../../src/platform/nostr/event.ts'
import type { NostrEvent, Signer } from '../../../src/platform/nostr/event.ts'
import { sealCredentials } from '../../../src/platform/nostr/credentials.ts'
import { nostr } from '../../../src/platform/nostr/index.ts'
import { ancestryOf } from '../../../src/platform/nostr/tags.ts'
import type { Connection, Platform } from '../../../src/platform/platform.ts'
import type {
  HarnessFault,
  PlatformHarness,
  PlatformSuite,
} from '../../../src/testing/platform-conformance.ts'
import { VirtualClock } from '../../../src/testing/platform-conformance.ts'
import { systemRandom } from '../../../src/system.ts'
import type { EventStore } from './event-store.ts'
import { RelayProxy } from './relay-proxy.ts'
import type { RelayFault } from './relay-proxy.ts'

/** A relay, and what it has stored. */
export interface RelayBehind extends AsyncDisposable {
  readonly url: string
  readonly store: EventStore
}

export type StartRelay = () => Promise<RelayBehind>

/** A key of nobody; 64 digits that are easily searched for. */
export const privateKey = hash('sha256', 'the private key of a test', 'hex')
export const owner: Signer = createSigner(Buffer.from(privateKey, 'hex'), systemRandom)

const minuteMs = 60_000
const lateMs = 10 * minuteMs
const retryAfterSeconds = 90

const faults: Readonly<Record<Exclude<HarnessFault, 'unreachable' | 'rate_limited'>, RelayFault>> =
  {
    lost_request: { reaches: 'never', answer: 'drop' },
    lost_answer: { reaches: 'first', answer: 'drop' },
    late_apply: { reaches: 'late', answer: 'drop' },
    stalled: { reaches: 'first', answer: 'stall' },
    server_error_before: { reaches: 'never', answer: { refuse: 'error: no database' } },
    server_error_after: { reaches: 'first', answer: { refuse: 'error: could not tell others' } },
    malformed: { reaches: 'first', answer: 'malformed' },
    spam: { reaches: 'never', answer: { refuse: 'blocked: spam not permitted' } },
  }

export function nostrSuite(startRelay: StartRelay): PlatformSuite {
  const nobody = { accountId: toAccountId('nobody'), handle: '', credentials: null }
  const clock = new VirtualClock()
  const tools = createConnectorTools({ allowHosts: [], clock, random: systemRandom })
  return {
    description: nostr.create(tools).describe({ ...nobody, profile: null, renew: null }),
    faults: [
      ...(Object.keys(faults) as (keyof typeof faults)[]),
      'unreachable',
      // Only a relay that will not even be spoken to names a time.
      'rate_limited',
    ],
    lateMs,
    canRestrict: false,
    canLimit: false,
    asksCredentials: true,
    open: () => NostrHarness.open(startRelay),
  }
}

class NostrHarness implements PlatformHarness {
  readonly platform: Platform
  readonly connection: Connection
  readonly canary = privateKey
  readonly #clock: VirtualClock
  readonly #relays: readonly RelayBehind[]
  readonly #proxies: readonly RelayProxy[]

  private constructor(relays: readonly RelayBehind[], proxies: readonly RelayProxy[]) {
    this.#relays = relays
    this.#proxies = proxies
    // A relay of today takes no login from another year, and shows nothing from the future.
    this.#clock = new VirtualClock(Math.floor(Date.now() / 1000) * 1000)
    const urls = proxies.map(({ url }) => url)
    this.platform = nostr.create(
      createConnectorTools({
        allowHosts: urls.map((url) => new URL(url).host),
        clock: this.#clock,
        random: systemRandom,
      }),
    )
    this.connection = {
      accountId: toAccountId('account-1'),
      handle: 'anna',
      credentials: sealCredentials(privateKey, urls.join(' ')),
      profile: null,
      renew: null,
    }
  }

  static async open(startRelay: StartRelay): Promise<NostrHarness> {
    const relays = [await startRelay(), await startRelay()]
    const proxies: RelayProxy[] = []
    for (const { url } of relays) proxies.push(await RelayProxy.start(url))
    return new NostrHarness(relays, proxies)
  }

  /** In whole seconds, as the network has it. */
  now(): number {
    return Math.floor(this.#clock.now() / 1000) * 1000
  }

  async pass(durationMs: number): Promise<void> {
    await this.#clock.advance(durationMs)
    for (const proxy of this.#proxies) {
      proxy.visit = () => null
      await proxy.comeBack()
      if (durationMs >= lateMs) await proxy.release()
    }
  }

  async publish(text: string): Promise<string> {
    return this.#put({ kind: 1, tags: [['t', 'test']], content: text })
  }

  async editByHand(): Promise<void> {
    throw new Error('Nothing can be edited')
  }

  async restrict(): Promise<void> {
    throw new Error('Nothing can be hidden')
  }

  async removeByHand(remoteId: string): Promise<void> {
    this.#put({ kind: 5, tags: [['e', remoteId]], content: '' })
  }

  async replyByHand(remoteId: string, text: string): Promise<string> {
    return this.#put({ kind: 1, tags: [['e', remoteId, '', 'root']], content: text })
  }

  /** Some at one relay, some at the other, and every third at both. */
  async like(remoteId: string, amount: number): Promise<void> {
    for (let index = 0; index < amount; index += 1) {
      const event = strangersEvent(`${remoteId}:${index}`, {
        kind: 7,
        tags: [['e', remoteId]],
        content: '+',
        created_at: Math.floor(this.now() / 1000) - Math.floor(index / 10),
      })
      for (const [which, { store }] of this.#relays.entries()) {
        if (index % 3 === 2 || index % 3 === which) store.put(event)
      }
    }
  }

  async repliesTo(remoteId: string) {
    return this.#visible()
      .filter((event) => event.pubkey === owner.publicKey && event.kind === 1)
      .filter((event) => ancestryOf(event)?.parent === remoteId)
      .map(({ id, content }) => ({ remoteId: id, text: content, reach: 'everyone' as const }))
  }

  async look(remoteId: string) {
    const event = this.#visible().find(({ id }) => id === remoteId)
    return event === undefined ? null : { text: event.content, rest: event.tags }
  }

  failNextWrite(fault: HarnessFault): { readonly met: Promise<void> } {
    return { met: Promise.all(this.#proxies.map((proxy) => failNext(proxy, fault))).then(nothing) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]()
    for (const relay of this.#relays) await relay[Symbol.asyncDispose]()
  }

  #put(draft: Pick<NostrEvent, 'kind' | 'tags' | 'content'>): string {
    const event = owner.sign({ ...draft, created_at: Math.floor(this.now() / 1000) })
    for (const { store } of this.#relays) store.put(event)
    return event.id
  }

  /** What any relay has, once each, the oldest first. */
  #visible(): readonly NostrEvent[] {
    const events = this.#relays.flatMap(({ store }) => store.all())
    const byId = new Map(events.map((event) => [event.id, event]))
    return [...byId.values()].toSorted((a, b) => a.created_at - b.created_at)
  }
}

const nothing = () => {}

/** An event of someone else, which nobody checks: a relay could make up as many as it likes. */
export function strangersEvent(
  seed: string,
  draft: Pick<NostrEvent, 'kind' | 'tags' | 'content' | 'created_at'>,
): NostrEvent {
  const id = hash('sha256', seed, 'hex')
  return { id, pubkey: hash('sha256', id, 'hex'), ...draft, sig: '0'.repeat(128) }
}

function failNext(proxy: RelayProxy, fault: HarnessFault): Promise<void> {
  if (fault === 'unreachable') return proxy.goAway()
  const { promise, resolve } = Promise.withResolvers<void>()
  if (fault === 'rate_limited') {
    proxy.visit = () => {
      resolve()
      return { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } }
    }
    return promise
  }
  proxy.gate = ({ isWrite }) => {
    if (!isWrite) return null
    proxy.gate = () => null
    return { fault: faults[fault], met: resolve }
  }
  return promise
}
