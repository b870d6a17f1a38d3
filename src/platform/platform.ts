/**
 * The port to a network. A connector reads counters, prepares a write, carries it out with exactly
 * one irreversible call, and can say afterwards whether it landed. It never retries by itself,
 * never decides, and keeps no memory: what must survive a crash is in the token that the ledger
 * stores.
 */

import type { Action } from '../core/action.ts'
import type { Capabilities } from '../core/capabilities.ts'
import type { Fault } from '../core/fault.ts'
import type { AccountId, ActionKey } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { Sample } from '../core/sample.ts'
import type { Secret } from '../core/secret.ts'
import type { RateLimit } from './fetch/rate-limit.ts'

/** An account as a connector needs it. */
export interface Connection {
  readonly accountId: AccountId
  readonly handle: string
  /** Opened by the vault for this call; null where the network needs none. */
  readonly credentials: Secret | null
  /** What `probe` last read of the account and its server; null before the first time. */
  readonly profile: Json
  /** Null where there is nowhere to store new credentials. */
  readonly renew: Renew | null
  /** Told what an answer says of the network's limits, so that they are never run into. */
  readonly note?: (limit: RateLimit) => void
}

/**
 * Replaces credentials that have run out. The exchange runs once at a time for an account, over all
 * processes, and its result is sealed and stored before anyone gets it. Where another has replaced
 * them since this connection was opened, that one's result is given and nothing is exchanged.
 */
export type Renew = (exchange: (current: Secret) => Promise<Secret>) => Promise<Secret>

/** Every call can be given up. An aborted write may still be applied: that is `unknown`. */
export interface CallOptions {
  readonly connection: Connection
  readonly signal: AbortSignal
}

/** How a network counts length, and how much it takes. */
export interface LengthLimit {
  readonly maximum: number
  /** Counts a text as the network does. */
  readonly measure: (text: string) => number
}

/** So many requests in so long, shared by all requests of one scope. */
export interface RateScope {
  readonly name: string
  readonly windowMs: number
  readonly maximum: number
}

/** All that the engine has to know about a network, or about one account on it. */
export interface Description extends Capabilities {
  readonly length: LengthLimit
  /** How many posts a thread may have; 1 call where `threadIsAtomic`. */
  readonly threadMaximum: number
  /** All of a thread is written by one call, or nothing of it. */
  readonly threadIsAtomic: boolean
  /** The named counters the network gives; an absent one stays absent. */
  readonly counters: readonly string[]
  readonly hasImpressions: boolean
  /** How far counters lag behind. */
  readonly counterLagMs: number
  /** The longest time after which a write that was accepted can be read back. */
  readonly visibleWithinMs: number
  /**
   * How long a write of class A is recognised when it is sent again; it is class B from then on.
   * Null where there is no end to it. As the network has it: who relies on it leaves a margin.
   */
  readonly deduplicatesForMs: number | null
  /** How many posts one read may ask for. */
  readonly observeBatch: number
  readonly rates: readonly RateScope[]
  readonly canUndo: Readonly<Record<Action, boolean>>
}

/** What a probe found. */
export interface Probed {
  readonly handle: string
  /** Facts of the connector's own, without a secret in them. */
  readonly profile: Json
}

/** A post of the account's own timeline. */
export interface RemotePost {
  readonly remoteId: string
  readonly url: string | null
  readonly text: string
  readonly contentVersion: string | null
  readonly publishedAt: Instant
}

/** What one read of one post showed. */
export type Observation =
  | {
      readonly kind: 'live'
      readonly remoteId: string
      readonly sample: Sample
      readonly text: string | null
      readonly contentVersion: string | null
      /** Replies by the account itself, ours included; the engine knows which are. */
      readonly ownReplies: readonly OwnReply[]
    }
  /** Deleted, or hidden from us; no counters then. */
  | { readonly kind: 'deleted' | 'restricted'; readonly remoteId: string }

export interface OwnReply {
  readonly remoteId: string
  readonly at: Instant
}

/** A write that is about to be made. */
export interface WriteRequest {
  readonly key: ActionKey
  readonly action: Action
  /** The post that is helped. */
  readonly target: {
    readonly remoteId: string
    readonly text: string | null
    readonly contentVersion: string | null
  }
  /** The text of this segment; of all segments where a thread is atomic. */
  readonly texts: readonly string[]
  /** From 0; where each segment is sent by itself. */
  readonly segment: number
  /** What the segments before came to. */
  readonly previous: readonly Landed[]
  /** Fixed once and stored, so that a repeat is the same bytes. */
  readonly preparedAt: Instant
}

export type Preparation =
  /** The token is stored before anything is sent, and handed to commit and locate as it is. */
  | { readonly kind: 'ready'; readonly token: Json }
  /** The network's rules forbid it. Nothing was sent. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /** The owner changed or removed the post meanwhile: the action has lost its ground. */
  | { readonly kind: 'changed'; readonly why: string }

/** What is visible now. */
export interface Landed {
  readonly remoteId: string
  readonly url: string | null
  /** All posts that one call made, in order: several where a thread is atomic. */
  readonly remoteIds: readonly string[]
  /** Set where an edit gave the post another id. */
  readonly postRemoteId: string | null
  readonly contentVersion: string | null
}

export type Location =
  | { readonly kind: 'found'; readonly landed: Landed }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'cannot_tell'; readonly why: string }

export interface CommitRequest extends CallOptions {
  readonly key: ActionKey
  readonly token: Json
}

/** A network. */
export interface Platform {
  readonly name: string
  /** Pure: what can be done there, as far as is known of the account. */
  describe(connection: Connection): Description
  /**
   * Reads who the account is and what it and its server can do. Reads only, so it is also the test
   * of fresh credentials. What it returns is stored and handed to `describe`.
   */
  probe(options: CallOptions): Promise<Probed>
  /** The account's own posts since a time, newest first. */
  discover(options: CallOptions & { readonly since: Instant }): Promise<readonly RemotePost[]>
  /** Reads several posts; one that is missing from the answer was not read. */
  observe(
    options: CallOptions & { readonly remoteIds: readonly string[] },
  ): Promise<readonly Observation[]>
  /** Checks against the network's rules and fixes the bytes. Reversible: makes nothing visible. */
  prepare(options: CallOptions & { readonly request: WriteRequest }): Promise<Preparation>
  /** Exactly one irreversible call, without a retry. Throws where it did not succeed. */
  commit(request: CommitRequest): Promise<Landed>
  /** Did this write land? Reads only. */
  locate(request: CommitRequest): Promise<Location>
  /** Takes back what landed, where the network can. */
  undo(options: CallOptions & { readonly token: Json; readonly landed: Landed }): Promise<void>
  /** Anything that a call threw, as a fault. A write that may have been applied is `unknown`. */
  classify(error: unknown, call: 'read' | 'write', now: Instant): Fault
}
