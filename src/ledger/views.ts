/** Owns what a step is shown: the rows it may look at, and which of them are locked for it. */

import type { Action } from '../core/action.ts'
import type { TallyEntry } from '../core/history.ts'
import type { ActionId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Look } from '../core/look.ts'
import type { Sample } from '../core/sample.ts'
import type {
  AccountRow,
  ActionRow,
  ApprovalRow,
  AttemptRow,
  IncidentRow,
  MeasurementRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from './rows.ts'

/** An account by itself. Its row is locked. */
export interface AccountView {
  readonly now: Instant
  readonly account: AccountRow
}

/** A measurement that is due or was taken. Its post is locked. */
export interface MeasurementView {
  readonly now: Instant
  readonly post: PostRow
  readonly measurement: MeasurementRow
}

/** One action with what belongs to it. Its row is locked. */
export interface ActionView {
  readonly now: Instant
  readonly account: AccountRow
  readonly post: PostRow
  readonly action: ActionRow
  /** In the order of their numbers. */
  readonly attempts: readonly AttemptRow[]
  /** Those that concern this account and have not run out. */
  readonly pauses: readonly PauseRow[]
  /** What people decided about it. Sure to be there only where the account asks them first. */
  readonly approvals: readonly ApprovalRow[]
}

/** Everything a decision on one post needs. */
export interface DecisionView {
  readonly now: Instant
  readonly account: AccountRow
  readonly post: PostRow
  /** In the order they were planned. */
  readonly actions: readonly ActionRow[]
  /** Ended rows that landed after all, each with when that was found out. */
  readonly incidents: readonly Pick<IncidentRow, 'actionId' | 'at'>[]
  readonly ownReplies: readonly Instant[]
  readonly samples: readonly Sample[]
  /** Newest first. */
  readonly looks: readonly Look[]
  /** First claims of the account's actions, this post's included. */
  readonly accountTally: readonly (TallyEntry & { readonly actionId: ActionId })[]
  readonly platformTally: readonly TallyEntry[]
  readonly withoutLift: Readonly<Partial<Record<Action, number>>>
  readonly pauses: readonly PauseRow[]
}

/** A post for which something may be planned. The account and then the post are locked. */
export interface PostView extends DecisionView {
  /**
   * When the account's actions are due that may be claimed and never were, the soonest first: as
   * many as `reservedLimit` says.
   */
  readonly accountReserved: readonly Instant[]
}

/** A post that was looked at, with what was said of it last. It is locked. */
export interface LookView {
  readonly now: Instant
  readonly post: PostRow
  readonly latestVerdict: Pick<VerdictRow, 'kind' | 'reason'> | null
}

/** A post with one of its actions, all of which is locked, and that action's attempts. */
export interface ClaimView extends DecisionView {
  readonly action: ActionRow
  readonly attempts: readonly AttemptRow[]
  /** As in `ActionView`. */
  readonly approvals: readonly ApprovalRow[]
}
