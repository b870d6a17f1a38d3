/**
 * Owns what the author of a connector provides, so that the cases can be run on it: the connector,
 * a network behind it that is real or behaves like it, and eyes and hands on that network which do
 * not go through the connector.
 */

import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { Connection, Description, Platform } from '../../platform/platform.ts'

/** What can be made to happen to the next write. */
export const harnessFaults = [
  /** No connection comes about. */
  'unreachable',
  /** The connection breaks before the network has the write. */
  'lost_request',
  /** The network carries the write out; then the connection breaks. */
  'lost_answer',
  /** The connection breaks, and the network carries the write out some time later. */
  'late_apply',
  /** The network carries the write out and never answers. */
  'stalled',
  'server_error_before',
  /** The network carries the write out and answers with a server error. */
  'server_error_after',
  /** The network carries the write out and answers something without sense. */
  'malformed',
  /** Too many requests, with a time to come back. */
  'rate_limited',
  'spam',
] as const
export type HarnessFault = (typeof harnessFaults)[number]

/** A connector and what its cases may rely on. */
export interface PlatformSuite {
  /** What the connector says of the account. Cases are chosen by it. */
  readonly description: Description
  /** The faults that the harness can make happen. */
  readonly faults: readonly HarnessFault[]
  /** After this long a write that is applied late has been applied. */
  readonly lateMs: number
  /** Whether posts can be hidden, and whether some can be published for few people only. */
  readonly canRestrict: boolean
  readonly canLimit: boolean
  /** Whether the network asks for credentials at all. */
  readonly asksCredentials: boolean
  /** Fresh for every case. */
  open(): Promise<PlatformHarness>
}

export interface PlatformHarness extends AsyncDisposable {
  readonly platform: Platform
  readonly connection: Connection
  /** The secret inside the connection's credentials; it must never be seen anywhere else. */
  readonly canary: string | null
  /** The network's time. */
  now(): Instant
  /** Lets so much of the network's time go by; on a real one, until all that was done shows. */
  pass(durationMs: number): Promise<void>
  /** The owner publishes a post by hand, with more in it than text where the network has that. */
  publish(text: string, reach: 'everyone' | 'few'): Promise<string>
  /** The owner edits by hand; called only where the connector supports edits. */
  editByHand(remoteId: string, text: string): Promise<void>
  /** The owner deletes a post or reply by hand. */
  removeByHand(remoteId: string): Promise<void>
  /** The owner replies by hand; the reply's id is given. */
  replyByHand(remoteId: string, text: string): Promise<string>
  /** So many people like the post. */
  like(remoteId: string, amount: number): Promise<void>
  /** The network hides the post from the account; called only where `canRestrict`. */
  restrict(remoteId: string): Promise<void>
  /** The account's own replies to a post or reply that exist now, oldest first. */
  repliesTo(remoteId: string): Promise<readonly SeenReply[]>
  /** The post as it is, by any id it ever had; null where it is gone. */
  look(remoteId: string): Promise<SeenPost | null>
  /** The next write meets this fault. The promise inside resolves when it has. */
  failNextWrite(fault: HarnessFault): { readonly met: Promise<void> }
}

export interface SeenReply {
  readonly remoteId: string
  readonly text: string
  readonly reach: 'everyone' | 'few'
}

export interface SeenPost {
  readonly text: string
  /** All else that an edit must leave alone: media, warning, language, poll. */
  readonly rest: Json
}
