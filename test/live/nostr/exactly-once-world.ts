/** Nostr as the proof of one effect needs it: real relays, each behind a proxy that can fail. */

import { join } from 'node:path'
import { sealCredentials } from '../../../src/platform/nostr/credentials.ts'
import { ancestryOf } from '../../../src/platform/nostr/tags.ts'
import { owner, privateKey } from '../../connectors/nostr/nostr-suite.ts'
import { RelayProxy } from '../../connectors/nostr/relay-proxy.ts'
import type { RelayFault } from '../../connectors/nostr/relay-proxy.ts'
import type { ExactlyOnceWorld, LiveFault, LiveFaultPoint } from '../exactly-once.ts'
import { RealRelay } from './real-relay.ts'

const faults: Readonly<Record<LiveFault, RelayFault>> = {
  refuse: { reaches: 'never', answer: 'drop' },
  stall: { reaches: 'never', answer: 'stall' },
  error_before: { reaches: 'never', answer: { refuse: 'error: no database' } },
  rate_limited: { reaches: 'never', answer: { refuse: 'rate-limited: slow down' } },
  commit_then_drop: { reaches: 'first', answer: 'drop' },
  commit_then_stall: { reaches: 'first', answer: 'stall' },
  commit_then_5xx: { reaches: 'first', answer: { refuse: 'error: could not tell others' } },
  commit_then_malformed: { reaches: 'first', answer: 'malformed' },
}

export async function openExactlyOnce(relayCount: number): Promise<ExactlyOnceWorld> {
  const relays: RealRelay[] = []
  const proxies: RelayProxy[] = []
  for (let count = 0; count < relayCount; count += 1) {
    const relay = await RealRelay.start()
    relays.push(relay)
    proxies.push(await RelayProxy.start(relay.url))
  }
  const urls = proxies.map(({ url }) => url)
  return {
    account: {
      module: join(import.meta.dirname, '../../../src/platform/nostr/index.ts'),
      exported: 'nostr',
      allowHosts: urls.map((url) => new URL(url).host),
      handle: 'anna',
      credentials: sealCredentials(privateKey, urls.join(' ')).reveal(),
      profile: null,
    },
    publish: async (content) => {
      const created_at = Math.floor(Date.now() / 1000)
      const event = owner.sign({ kind: 1, created_at, tags: [], content })
      for (const { store } of relays) store.put(event)
      return event.id
    },
    countVisible: async (_action, remoteId, text) => {
      const notes = relays.flatMap(({ store }) => store.all()).filter(({ kind }) => kind === 1)
      const replies = notes.filter((event) => ancestryOf(event)?.root === remoteId)
      // The same event at two relays is one reply; another event with its text would be a second.
      return new Set(replies.filter(({ content }) => content === text).map(({ id }) => id)).size
    },
    arm: (fault, nth) => armAll(proxies, faults[fault], nth),
    async [Symbol.asyncDispose]() {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
      for (const relay of relays) await relay[Symbol.asyncDispose]()
    },
  }
}

/** The requests to all relays are counted together; one of them meets the fault. */
function armAll(proxies: readonly RelayProxy[], fault: RelayFault, nth: number): LiveFaultPoint {
  const { promise, resolve } = Promise.withResolvers<void>()
  let requests = 0
  let isMet = false
  let wasWrite = false
  const met = () => {
    isMet = true
    resolve()
  }
  for (const proxy of proxies) {
    proxy.gate = ({ isWrite }) => {
      requests += 1
      if (requests !== nth) return null
      wasWrite = isWrite
      return { fault, met }
    }
  }
  return {
    met: promise,
    get isMet() {
      return isMet
    },
    isWrite: () => wasWrite,
    disarm: () => {
      for (const proxy of proxies) proxy.gate = () => null
    },
  }
}
