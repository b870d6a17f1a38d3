/**
 * Owns the view of a simulated network that nobody in it has: everything that ever became visible,
 * why, and how posts would have done without it. Tests and auditors get it; connectors never do.
 */

import type { Action } from '../../core/action.ts'
import type { ActionKey } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { CurveKind } from './curve.ts'
import type { Delivery } from './delivery.ts'
import type { FaultKind } from './fault-plan.ts'
import type { Counts } from './growth.ts'
import type { Audience, Extras } from './protocol.ts'
import { newestVersion } from './records.ts'
import type { Effect, StoredPost } from './records.ts'
import type { Store, TrueEffect } from './store.ts'

export type VisibleEffect = Readonly<Effect>

/** A post as it really is. */
export interface TruePost {
  /** The id it was born with, which effects name. */
  readonly id: string
  /** The id it has now. */
  readonly currentId: string
  readonly handle: string
  readonly publishedAt: Instant
  readonly deletedAt: Instant | null
  readonly isRestricted: boolean
  readonly kind: CurveKind
  /** How many engagements were to be expected in all without any action. */
  readonly total: number
  readonly text: string
  readonly extras: Extras
  readonly audience: Audience
}

export interface Truth {
  /** Everything that ever became visible to people, in the order in which it was applied. */
  effects(): readonly VisibleEffect[]
  effectsOf(key: ActionKey): readonly VisibleEffect[]
  /** Replies that can be seen now, or will be once their delay is over. */
  repliesTo(remoteId: string): readonly VisibleReply[]
  posts(): readonly TruePost[]
  post(remoteId: string): TruePost | null
  deletions(): readonly { readonly remoteId: string; readonly at: Instant }[]
  /** The mean factor of each action, which lift is to find. */
  readonly trueEffects: Readonly<Record<Action, TrueEffect>>
  counters(remoteId: string, at: Instant): Counts
  /** What the counters would show had no action been taken, by the same chance. */
  countersWithoutActions(remoteId: string, at: Instant): Counts
  /** Writes that were sent and have not arrived yet. */
  underway(): number
  calls(): number
  /** How often each fault was injected. */
  faults(): ReadonlyMap<FaultKind, number>
}

export interface VisibleReply {
  readonly remoteId: string
  readonly text: string
  readonly audience: Audience
  readonly effect: VisibleEffect
}

/** Every look first lets arrive what should have arrived by now. */
export function truthOf(store: Store, delivery: Delivery, now: () => Instant): Truth {
  const settled = () => {
    delivery.settle(now())
    return store
  }
  const require = (remoteId: string) => settled().requirePost(remoteId, Infinity)
  return {
    trueEffects: store.settings.effects,
    effects: () => settled().effects,
    effectsOf: (key) => settled().effectsOf(key),
    repliesTo: (remoteId) => repliesTo(settled(), remoteId),
    posts: () => settled().posts.map(toTruePost),
    post: (remoteId) => {
      const post = settled().findPost(remoteId, Infinity)
      return post === undefined ? null : toTruePost(post)
    },
    deletions: () => settled().deletions,
    counters: (remoteId, at) => require(remoteId).growth.read(at),
    countersWithoutActions: (remoteId, at) => require(remoteId).growth.readUntouched(at),
    underway: () => {
      settled()
      return delivery.underway
    },
    calls: () => delivery.callCount,
    faults: () => delivery.faultCounts,
  }
}

function repliesTo(store: Store, remoteId: string): readonly VisibleReply[] {
  const parent = store.findPost(remoteId, Infinity) ?? store.findReply(remoteId)
  const replies = parent?.replies.filter(({ effect }) => effect.removedAt === null) ?? []
  return replies.map(({ id, text, audience, effect }) => ({ remoteId: id, text, audience, effect }))
}

function toTruePost(post: StoredPost): TruePost {
  const { id: currentId, text, extras } = newestVersion(post)
  const { id, handle, publishedAt, deletedAt, isRestricted, audience, form } = post
  const { kind } = form.curve
  const state = { handle, publishedAt, deletedAt, isRestricted, audience }
  return { id, currentId, ...state, kind, total: form.total, text, extras }
}
