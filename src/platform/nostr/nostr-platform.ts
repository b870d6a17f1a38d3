/**
 * The connector to Nostr. An account is a key and a list of relays; everything is an event whose id
 * is a hash of what it says, so a write that is sent again is the same write (class A).
 */

import { z } from 'zod'
import type { Fault } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { ConnectorTools } from '../connector.ts'
import type {
  CallOptions,
  CommitRequest,
  Connection,
  Description,
  Landed,
  Location,
  Observation,
  Platform,
  Preparation,
  Probed,
  RemotePost,
  WriteRequest,
} from '../platform.ts'
import { encodeBech32 } from './bech32.ts'
import { openCredentials } from './credentials.ts'
import { isGenuine, kinds } from './event.ts'
import type { NostrEvent } from './event.ts'
import { classifyError } from './fault.ts'
import { describeAccount, parseProfile, readRelayFacts } from './profile.ts'
import { discoverPosts, observePosts } from './reading.ts'
import { Relays } from './relays.ts'
import { commitReply, locateReply, prepareReply, undoReply } from './writing.ts'

export class NostrPlatform implements Platform {
  readonly name = 'nostr'
  readonly #tools: ConnectorTools

  constructor(tools: ConnectorTools) {
    this.#tools = tools
  }

  describe({ profile }: Connection): Description {
    return describeAccount(parseProfile(profile))
  }

  /** Who it is (kind 0), and what its relays say of themselves. */
  async probe(options: CallOptions): Promise<Probed> {
    const relays = this.#relaysFor(options)
    const { publicKey } = relays.credentials.signer
    const filter = { kinds: [kinds.profile], authors: [publicKey], limit: 1 }
    const { answers } = await relays.ask((session) => session.query([filter]))
    const facts = await Promise.all(
      relays.credentials.relays.map((url) =>
        readRelayFacts(this.#tools.fetch, url, options.signal),
      ),
    )
    const found = answers.flatMap(({ result }) => result).filter((event) => isGenuine(event))
    const newest = found.toSorted((a, b) => b.created_at - a.created_at)[0]
    return { handle: handleOf(publicKey, newest), profile: { relays: facts } }
  }

  async discover(
    options: CallOptions & { readonly since: Instant },
  ): Promise<readonly RemotePost[]> {
    return discoverPosts(this.#relaysFor(options), options.since, this.#tools.clock.now())
  }

  async observe(
    options: CallOptions & { readonly remoteIds: readonly string[] },
  ): Promise<readonly Observation[]> {
    const profile = parseProfile(options.connection.profile)
    const now = this.#tools.clock.now()
    return observePosts(this.#relaysFor(options), profile, options.remoteIds, now)
  }

  async prepare(options: CallOptions & { readonly request: WriteRequest }): Promise<Preparation> {
    const description = this.describe(options.connection)
    return prepareReply(this.#relaysFor(options), options.request, description)
  }

  async commit(request: CommitRequest): Promise<Landed> {
    return commitReply(this.#relaysFor(request), request.token)
  }

  async locate(request: CommitRequest): Promise<Location> {
    return locateReply(this.#relaysFor(request), request.token)
  }

  async undo(options: CallOptions & { readonly token: Json }): Promise<void> {
    return undoReply(this.#relaysFor(options), options.token)
  }

  classify(error: unknown, call: 'read' | 'write', now: Instant): Fault {
    return classifyError(error, call, now)
  }

  #relaysFor({ connection, signal }: CallOptions): Relays {
    const credentials = openCredentials(connection.credentials, this.#tools.random)
    return new Relays(this.#tools, credentials, signal)
  }
}

const profileContent = z.object({ name: z.string().trim().min(1).max(100) })

/** The name that the account gave itself; without one, its public key as people copy it. */
function handleOf(publicKey: string, profile: NostrEvent | undefined): string {
  const parsed = profileContent.safeParse(parseJson(profile?.content ?? ''))
  return parsed.success ? parsed.data.name : encodeBech32('npub', Buffer.from(publicKey, 'hex'))
}

/** Null where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
