/**
 * Owns what a connector and a simulated network say to each other: calls and answers, as plain
 * data. The same protocol is spoken in one process and over HTTP.
 */

import type { Action } from '../../core/action.ts'
import type { ActionKey } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Interactions } from '../../core/sample.ts'

/** Who may see a post. A reply must not be seen by more people than the post it answers. */
export const audiences = ['public', 'unlisted', 'followers'] as const
export type Audience = (typeof audiences)[number]

/** What a post holds besides its text. */
export interface Extras {
  readonly media: readonly string[]
  readonly warning: string | null
  readonly language: string | null
}

export const noExtras: Extras = { media: [], warning: null, language: null }

/**
 * Says which action a write belongs to. The network keeps it for its truth alone: no answer ever
 * shows it, so no connector can find its writes by it.
 */
export interface AuditLabel {
  readonly key: ActionKey
  readonly action: Action
  readonly segment: number
}

/** What each call asks. */
export interface CallData {
  readonly timeline: { readonly since: Instant }
  readonly counters: { readonly ids: readonly string[] }
  readonly post: { readonly id: string }
  readonly replies: { readonly parentId: string; readonly since: Instant }
  readonly records: { readonly keys: readonly string[] }
  readonly create: {
    readonly parentId: string
    readonly texts: readonly string[]
    readonly audience: Audience
    readonly createdAt: Instant
    readonly recordKeys: readonly string[] | null
    readonly idempotencyKey: string | null
    readonly audit: AuditLabel
  }
  readonly edit: {
    readonly id: string
    readonly text: string
    readonly extras: Extras
    readonly ifVersion: string | null
    /** Null where an earlier edit is taken back. */
    readonly audit: AuditLabel | null
  }
  readonly remove: { readonly id: string }
}

export interface TimelineItem {
  readonly id: string
  readonly url: string
  readonly text: string
  readonly version: string | null
  readonly at: Instant
}

export type CountersItem =
  | { readonly state: 'deleted' | 'restricted'; readonly id: string }
  | {
      readonly state: 'live'
      readonly id: string
      readonly impressions: number | null
      readonly engagements: number
      readonly interactions: Interactions
      /** Null where the network does not let it be read. */
      readonly text: string | null
      readonly version: string | null
      readonly ownReplies: readonly { readonly remoteId: string; readonly at: Instant }[]
    }

export type PostItem =
  | { readonly state: 'deleted' | 'restricted' }
  | {
      readonly state: 'live'
      /** The id it has now, where an edit gave it another one. */
      readonly currentId: string
      readonly url: string
      readonly text: string | null
      readonly version: string | null
      readonly audience: Audience
      readonly extras: Extras
      readonly at: Instant
    }

export interface ReplyItem {
  readonly id: string
  readonly url: string
  readonly text: string
  readonly at: Instant
}

/** What each call is answered with, if it succeeds. */
export interface AnswerData {
  readonly timeline: readonly TimelineItem[]
  readonly counters: readonly CountersItem[]
  readonly post: PostItem
  readonly replies: readonly ReplyItem[]
  readonly records: readonly ReplyItem[]
  readonly create: { readonly ids: readonly string[]; readonly url: string }
  readonly edit: { readonly id: string; readonly url: string; readonly version: string }
  readonly remove: { readonly removed: boolean }
}

export const callKinds = [
  'timeline',
  'counters',
  'post',
  'replies',
  'records',
  'create',
  'edit',
  'remove',
] as const
export type CallKind = (typeof callKinds)[number]

export type CallOf<Kind extends CallKind> = { readonly kind: Kind } & CallData[Kind]
export type Call = { [Kind in CallKind]: CallOf<Kind> }[CallKind]

export function isWrite(kind: CallKind): boolean {
  return kind === 'create' || kind === 'edit' || kind === 'remove'
}

/** Why a call was turned down, in the network's own words. */
export const refusalCodes = [
  'credentials',
  'forbidden',
  'not_found',
  'too_long',
  'invalid',
  'conflict',
  'rate_limit',
  'spam',
  'server_error',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** How full the fullest rate window is, as networks say in their headers. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: Instant
}

export type Answer<Kind extends CallKind = CallKind> =
  | { readonly kind: 'done'; readonly at: Instant; readonly data: AnswerData[Kind] }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: RefusalCode
      /** The server's own words, which may quote anything that it was sent. */
      readonly message: string
      readonly retryAfterMs: number | null
    }

/** Who calls, as the network can check it. */
export interface Caller {
  readonly handle: string
  readonly bearer: string | null
}

/** Carries one call to the network. Throws where no answer came back that can be understood. */
export interface Wire {
  send<Kind extends CallKind>(
    call: CallOf<Kind>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Answer<Kind>>
}
