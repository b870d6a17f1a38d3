/** Owns what the ledger remembers, as rows. The same shapes come out of every store. */

import type { Action, Tier } from '../core/action.ts'
import type { Arm, Pause } from '../core/decision-input.ts'
import type { Fault } from '../core/fault.ts'
import type { AccountId, ActionId, ActionKey, PostId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { State } from '../core/states.ts'
import type { Until } from '../core/until.ts'

/** `watch` only says what it would do, `approve` asks a person, `auto` acts by itself. */
export const modes = ['watch', 'approve', 'auto'] as const
export type Mode = (typeof modes)[number]

/** One identity on one platform. */
export interface AccountRow {
  readonly id: AccountId
  readonly platform: string
  readonly handle: string
  readonly mode: Mode
  /** IANA name, for quiet hours. */
  readonly timeZone: string
  /** The policy in force, as `name@version`. */
  readonly policy: string
  /** The share of eligible posts that is left alone, 0…1. */
  readonly holdoutShare: number
  /** Sealed by the vault; the ledger never sees them open. */
  readonly credentials: string | null
  readonly status: 'active' | 'parked' | 'erased'
  /** Why it is parked, for people. */
  readonly statusReason: string | null
  readonly createdAt: Instant
  /** When its timeline is read next for new posts; null where it is not. */
  readonly discoverAt: Instant | null
  /** Public facts that its connector learnt; null until then. */
  readonly profile: Json
}

/** A tracked publication. */
export interface PostRow {
  readonly id: PostId
  readonly accountId: AccountId
  readonly platform: string
  /** The network's id; some networks change it on an edit. */
  readonly remoteId: string
  readonly url: string | null
  /** Null after its account was erased. */
  readonly text: string | null
  readonly contentVersion: string | null
  readonly publishedAt: Instant
  readonly status: 'watched' | 'closed' | 'gone'
  readonly neverTouch: boolean
  /** Assigned once, when the post first passed every guard. */
  readonly arm: Arm | null
  readonly propensity: number | null
  readonly nextCheckAt: Instant | null
  readonly trackedAt: Instant
  readonly closedAt: Instant | null
}

/** A planned action and what became of it. */
export interface ActionRow {
  readonly id: ActionId
  readonly key: ActionKey
  readonly postId: PostId
  readonly accountId: AccountId
  readonly platform: string
  readonly action: Action
  readonly tier: Tier
  readonly generation: number
  readonly state: State
  /** The policy it was planned under; an approval is bound to it. */
  readonly policy: string
  readonly score: number
  /** Null after its account was erased. Frozen at the first claim. */
  readonly text: string | null
  readonly textHash: string
  readonly revision: number
  readonly plannedAt: Instant
  /** After this it is not begun any more. */
  readonly expiresAt: Instant
  /** When a person has to be told that the approval runs out; null once told. */
  readonly noticeAt: Instant | null
  /** When its next step is due: send, expire, reconcile. Null once it has ended. */
  readonly dueAt: Instant | null
  /** Who holds the claim. Kept after the claim ended, so that a repeated call is recognised. */
  readonly token: string | null
  readonly leaseUntil: Instant | null
  readonly firstClaimedAt: Instant | null
  /** Sends begun, all segments together. */
  readonly attempts: number
  /** The last moment at which something of it could have landed. */
  readonly mayLandUntil: Instant | null
  readonly endedAt: Instant | null
  readonly outcome: Json
  readonly fault: Fault | null
  /** The action that this row takes back, or null where it is an action of its own. */
  readonly undoes: ActionId | null
  /** Counts changes of the row. */
  readonly version: number
}

/** One send. Appended; its result is filled in once, and refined only from `unknown`. */
export interface AttemptRow {
  readonly id: string
  readonly actionId: ActionId
  readonly platform: string
  readonly number: number
  readonly segment: number
  readonly token: string
  readonly startedAt: Instant
  readonly deadlineAt: Instant
  readonly endedAt: Instant | null
  readonly result: 'pending' | 'landed' | 'not_landed' | 'unknown'
  readonly fault: Fault | null
  /** What the connector prepared, stored before sending so that a repeat is the same bytes. */
  readonly prepared: Json
  readonly remoteId: string | null
}

/** The verdict of one look, or of an evaluation that could not tell. */
export interface VerdictRow {
  readonly postId: PostId
  readonly policy: string
  /** The time of the newest sample it saw, or of the evaluation where it saw none. */
  readonly at: Instant
  readonly evaluatedAt: Instant
  readonly kind: 'plan' | 'hold' | 'healthy' | 'insufficient'
  readonly reason: string | null
  /** Null where it could not tell, and then it is no look. */
  readonly score: number | null
  readonly stalled: boolean
  readonly tier: Tier | null
  readonly until: Until | null
  readonly trace: Json
}

/** What a person decided about an action. */
export interface ApprovalRow {
  readonly actionId: ActionId
  readonly at: Instant
  readonly decision: 'approved' | 'rejected' | 'revised' | 'snoozed' | 'cancelled' | 'attended'
  readonly by: string
  readonly reason: string | null
  /** The very text that was decided on. */
  readonly textHash: string
  readonly policy: string
}

/** A reading that is due, or was taken, some time after a post got its arm. */
export interface MeasurementRow {
  readonly postId: PostId
  readonly horizonMs: number
  readonly dueAt: Instant
  readonly takenAt: Instant | null
  /** Engagements gained since the arm was assigned, the action's own artefacts excluded. */
  readonly gain: number | null
  readonly detail: Json
}

/** How a post that was left alone grew, as part of its account's baseline. */
export interface CurveRow {
  readonly postId: PostId
  readonly accountId: AccountId
  readonly platform: string
  readonly maturedAt: Instant
  readonly weight: number
  readonly points: Json
}

export interface PauseRow extends Pause {
  /** The account or platform; empty for everything. */
  readonly target: string
  /** When it ends by itself, or null where someone has to lift it. */
  readonly until: Instant | null
  readonly by: string
}

/** A reply of the owner's that the ledger did not make. */
export interface OwnReplyRow {
  readonly postId: PostId
  readonly remoteId: string
  readonly at: Instant
}

/** Evidence that came after a row had ended and contradicts it. The row itself never changes. */
export interface IncidentRow {
  readonly actionId: ActionId
  readonly at: Instant
  readonly kind: 'landed_after_failure'
  readonly detail: Json
}
