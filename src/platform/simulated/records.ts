/** Owns what the simulated network stores: accounts, posts with their versions, and replies. */

import type { Action } from '../../core/action.ts'
import type { ActionKey } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Form } from './form.ts'
import type { Growth } from './growth.ts'
import type { Audience, Extras } from './protocol.ts'

/** A text that a post has, or had. */
export interface Version {
  readonly number: number
  readonly id: string
  readonly text: string
  readonly extras: Extras
  /** Readers see it from here on. */
  readonly visibleAt: Instant
}

/** Something that people can see and that somebody did to a post. */
export interface Effect {
  /** Null where the owner did it by hand. */
  readonly key: ActionKey | null
  readonly action: Action
  readonly segment: number
  readonly by: 'connector' | 'owner'
  readonly handle: string
  /** The first id of the post that it was done to. */
  readonly postId: string
  /** The reply that was made; of an edit, the post's id after it. */
  readonly remoteId: string
  readonly text: string
  readonly at: Instant
  readonly visibleAt: Instant
  /** Arrivals were multiplied by this; 1 where nothing changed. */
  readonly factor: number
  /** When it was taken away again, or overwritten by a later edit. */
  removedAt: Instant | null
}

export interface StoredReply {
  readonly kind: 'reply'
  readonly id: string
  readonly handle: string
  readonly parentId: string
  /** The post at the top. */
  readonly post: StoredPost
  readonly text: string
  readonly audience: Audience
  readonly at: Instant
  readonly visibleAt: Instant
  readonly replies: StoredReply[]
  readonly effect: Effect
}

export interface StoredPost {
  readonly kind: 'post'
  /** From 1, in the order of making; its chance hangs on it. */
  readonly ordinal: number
  /** The id it was born with. */
  readonly id: string
  readonly handle: string
  readonly publishedAt: Instant
  readonly audience: Audience
  readonly form: Form
  readonly growth: Growth
  /** The newest last. */
  readonly versions: Version[]
  readonly replies: StoredReply[]
  /** The edit that readers see now, if any. */
  lastEdit: Effect | null
  /** How many actions multiplied its arrivals so far. */
  boosts: number
  deletedAt: Instant | null
  isRestricted: boolean
}

export interface StoredAccount {
  readonly handle: string
  /** Null where the network asks for none. */
  credentials: string | null
  /** How many engagements its posts usually get. */
  readonly usualTotal: number
  /** When its readers are most active, in milliseconds after midnight UTC. */
  readonly peakMs: number
  /** The oldest first. */
  readonly posts: StoredPost[]
  readonly records: Map<string, StoredReply>
  readonly remembered: Map<string, { readonly replies: readonly StoredReply[]; until: Instant }>
}

export function newestVersion(post: StoredPost): Version {
  return post.versions.at(-1) as Version
}

/** The version that readers see; the first one is seen from the start. */
export function visibleVersion(post: StoredPost, now: Instant): Version {
  let index = post.versions.length - 1
  while (index > 0 && (post.versions[index] as Version).visibleAt > now) index -= 1
  return post.versions[index] as Version
}

export function isVisible({ visibleAt, effect }: StoredReply, now: Instant): boolean {
  return visibleAt <= now && effect.removedAt === null
}

export function versionName({ number }: Version): string {
  return `v${number}`
}
