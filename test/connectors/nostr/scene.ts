/** Owns a stage for tests of the connector to Nostr: an account, its relays, and a still clock. */

import type { Fault } from '../../../src/core/fault.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { actionKey } from '../../../src/core/key.ts'
import { createConnectorTools } from '../../../src/platform/connectors.ts'
import type { ConnectorTools } from '../../../src/platform/connector.ts'
import { sealCredentials } from '../../../src/platform/nostr/credentials.ts'
import type { NostrEvent } from '../../../src/platform/nostr/event.ts'
import { nostr } from '../../../src/platform/nostr/index.ts'
import type {
  CallOptions,
  CommitRequest,
  Observation,
  Platform,
  Preparation,
  WriteRequest,
} from '../../../src/platform/platform.ts'
import { VirtualClock } from '../../../src/testing/platform-conformance.ts'
import { systemRandom } from '../../../src/system.ts'
import type { EventStore } from './event-store.ts'
import { owner, privateKey } from './nostr-suite.ts'

/** A time in seconds; the clock of a scene stands there unless told. */
export const nowSeconds = 1_780_000_000

export class Scene {
  readonly clock: VirtualClock
  readonly tools: ConnectorTools
  readonly platform: Platform
  readonly options: CallOptions

  constructor(urls: readonly string[], profile: Json = null, now = nowSeconds * 1000) {
    this.clock = new VirtualClock(now)
    this.tools = createConnectorTools({
      allowHosts: urls.map((url) => new URL(url).host),
      clock: this.clock,
      random: systemRandom,
    })
    this.platform = nostr.create(this.tools)
    this.options = {
      signal: new AbortController().signal,
      connection: {
        accountId: toAccountId('account-1'),
        handle: 'anna',
        credentials: sealCredentials(privateKey, urls.join(' ')),
        profile,
        renew: null,
      },
    }
  }

  request(post: NostrEvent, part: Partial<WriteRequest> = {}): WriteRequest {
    return {
      key: actionKey(post.id, 'comment', 'tier_1'),
      action: 'comment',
      target: { remoteId: post.id, text: post.content, contentVersion: null },
      texts: ['What do you think?'],
      segment: 0,
      previous: [],
      preparedAt: this.clock.now(),
      ...part,
    }
  }

  prepare(post: NostrEvent, part: Partial<WriteRequest> = {}): Promise<Preparation> {
    return this.platform.prepare({ ...this.options, request: this.request(post, part) })
  }

  async ready(post: NostrEvent): Promise<CommitRequest & { readonly event: NostrEvent }> {
    const preparation = await this.prepare(post)
    if (preparation.kind !== 'ready') throw new Error(`It is ${preparation.kind}`)
    const { token } = preparation
    const { event } = token as unknown as { event: NostrEvent }
    return { ...this.options, key: actionKey(post.id, 'comment', 'tier_1'), token, event }
  }

  observe(...remoteIds: readonly string[]): Promise<readonly Observation[]> {
    return this.platform.observe({ ...this.options, remoteIds })
  }

  /** What a call that fails is taken for. */
  async faultOf(work: Promise<unknown>, call: 'read' | 'write'): Promise<Fault> {
    const error = await work.then(
      () => new Error('It was to fail and did not'),
      (reason: unknown) => reason,
    )
    return this.platform.classify(error, call, this.clock.now())
  }
}

/** The owner publishes by hand, at these relays. */
export function publish(
  stores: readonly EventStore[],
  draft: Partial<Pick<NostrEvent, 'kind' | 'tags' | 'content' | 'created_at'>> = {},
): NostrEvent {
  const base = { kind: 1, tags: [], content: 'A post', created_at: nowSeconds - 3600 }
  const event = owner.sign({ ...base, ...draft })
  for (const store of stores) store.put(event)
  return event
}
