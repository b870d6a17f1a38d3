/**
 * The port to what happened. Everything the engine knows about the past it asks here, and nothing
 * it does counts before it is written here. Correctness lives in `claim`: two processes never both
 * pass it.
 *
 * Callers make the ids and tokens. A call whose answer was lost is repeated with the same ones and
 * returns the first result.
 */

import type { Action } from '../core/action.ts'
import type { Capabilities } from '../core/capabilities.ts'
import type { DecisionInput } from '../core/decision-input.ts'
import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { Policy } from '../core/policy.ts'
import type { Sample } from '../core/sample.ts'
import type { AccountBaseline } from '../core/signal.ts'
import type { AuditProblem } from './audit.ts'
import type { ClassicRecord } from './classic-history.ts'
import type { Pages } from './pages.ts'
import type {
  AccountRow,
  ActionRow,
  ApprovalRow,
  AttemptRow,
  CurveRow,
  MeasurementRow,
  OwnReplyRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from './rows.ts'
import type { Leases, Shelf } from './shelf.ts'
import type { AccountChange } from './steps/account.ts'
import type { DecideCommand, DecideResult } from './steps/approval.ts'
import type { AttemptCommand, AttemptResult } from './steps/attempt.ts'
import type { ClaimCommand, ClaimResult } from './steps/claim.ts'
import type { RenewCommand } from './steps/lease.ts'
import type { PlanCommand, PlanResult } from './steps/plan.ts'
import type { SeenContent } from './steps/post.ts'
import type { ReconcileCommand, ReconcileResult } from './steps/reconcile.ts'
import type { SettleCommand, SettleResult } from './steps/settle.ts'
import type { UndoCommand, UndoResult } from './steps/undo.ts'
import type { LookCommand, VerdictCommand } from './steps/verdict.ts'
import type {
  ActionFilter,
  Cursor,
  DueKind,
  EventFilter,
  EventPage,
  Page,
  PostFilter,
  PostSample,
} from './store.ts'

/** Policies and accounts. */
export interface Accounts {
  /** Stores a policy under its name and version; the same version with other values is refused. */
  savePolicy(policy: Policy): Promise<void>
  getPolicy(id: string): Promise<Policy | null>
  /** In the order of their ids, `name@version`. */
  listPolicies(): Promise<readonly { readonly id: string }[]>
  /** Adds or replaces an account. Its policy must be stored already. */
  saveAccount(account: AccountRow): Promise<void>
  getAccount(id: AccountId): Promise<AccountRow | null>
  listAccounts(): Promise<readonly AccountRow[]>
  /** Changes what is given of an account and nothing else. Null where it is not there any more. */
  updateAccount(id: AccountId, change: AccountChange): Promise<AccountRow | null>
  /** What a connector learnt about the account. */
  setProfile(id: AccountId, handle: string, profile: Json): Promise<void>
  /** Stops all work on an account until it is activated again: its credentials died. */
  parkAccount(id: AccountId, code: string, reason: string): Promise<void>
  /** Lets work on it go on, with new credentials where some are given. */
  activateAccount(id: AccountId, credentials: string | null): Promise<AccountRow | null>
  /** Stores renewed credentials, unless others than those expected are stored by now. */
  replaceCredentials(id: AccountId, expected: string | null, next: string): Promise<boolean>
  /** When the account's timeline is read next. */
  setDiscoverAt(id: AccountId, at: Instant | null): Promise<void>
}

/** Posts and their readings. */
export interface Posts {
  /** Adds the posts that are new, by account and remote id, and returns all as they are stored. */
  trackPosts(posts: readonly PostRow[]): Promise<readonly PostRow[]>
  getPost(id: PostId): Promise<PostRow | null>
  /** In the order of their ids, null for each that is not there. */
  getPosts(ids: readonly PostId[]): Promise<readonly (PostRow | null)[]>
  /** Puts the next look at these posts off, or ahead. A post that is not watched is left alone. */
  setNextCheckAt(ids: readonly PostId[], at: Instant): Promise<void>
  listPosts(filter: PostFilter, page: Page): Promise<readonly PostRow[]>
  /** The owner's word: never touch this post, or take it back. */
  setNeverTouch(id: PostId, on: boolean): Promise<PostRow | null>
  /**
   * What the post says now, as the network shows it. What is stored stays while an edit is open:
   * that was written for it. Returns the post as it is stored.
   */
  recordContent(id: PostId, seen: SeenContent): Promise<PostRow | null>
  /** Ends the watch: the post is over, or it is gone from the network. */
  closePost(id: PostId, status: 'closed' | 'gone'): Promise<PostRow | null>
  /** A reading at an instant that is known already is kept as it was. Returns how many were new. */
  recordSamples(batch: readonly PostSample[]): Promise<number>
  listSamples(id: PostId): Promise<readonly Sample[]>
  /** Replies of the owner's that the ledger did not make; they count in window and cooldown. */
  recordOwnReplies(replies: readonly OwnReplyRow[]): Promise<void>
}

/** Deciding and acting. */
export interface Actions {
  /** What a decision on this post needs, in one round trip. */
  decisionInput(
    id: PostId,
    policy: Policy,
    capabilities: Capabilities,
    baseline?: AccountBaseline | null,
  ): Promise<DecisionInput | null>
  /** The same for many posts, in their order, in one round trip too. */
  decisionInputs(
    ids: readonly PostId[],
    policy: Policy,
    capabilities: Capabilities,
    baseline?: AccountBaseline | null,
  ): Promise<readonly (DecisionInput | null)[]>
  /** Stores a verdict and when to look again. The same sample under the same policy is one look. */
  recordVerdict(id: PostId, command: VerdictCommand): Promise<VerdictRow | null>
  /** The same for many posts, of which each comes once. */
  recordVerdicts(looks: readonly LookCommand[]): Promise<readonly (VerdictRow | null)[]>
  plan(command: PlanCommand): Promise<PlanResult>
  claim(command: ClaimCommand): Promise<ClaimResult>
  beginAttempt(command: AttemptCommand): Promise<AttemptResult>
  settle(command: SettleCommand): Promise<SettleResult>
  renew(command: RenewCommand): Promise<boolean>
  /** Ends plans whose time is over and frees claims whose owner is gone. Returns what changed. */
  expire(limit: number, settleDelayMs: number): Promise<readonly ActionRow[]>
  reconcile(command: ReconcileCommand): Promise<ReconcileResult>
  /** Approve, reject, revise, snooze, cancel, or attend to what only a person could find out. */
  decide(command: DecideCommand): Promise<DecideResult>
  getAction(id: ActionId): Promise<ActionRow | null>
  listActions(filter: ActionFilter, page: Page): Promise<readonly ActionRow[]>
  /** The texts of the account's latest plans, newest first. */
  listRecentTexts(id: AccountId, limit: number): Promise<readonly string[]>
  listAttempts(id: ActionId): Promise<readonly AttemptRow[]>
  listApprovals(id: ActionId): Promise<readonly ApprovalRow[]>
  /** Newest first. */
  listVerdicts(id: PostId, limit: number): Promise<readonly VerdictRow[]>
  /** Ids of what is due by the ledger's time, the longest due first. */
  due(kind: DueKind, limit: number): Promise<readonly string[]>
  /** The same of several kinds at once, so many of each, in the order of the kinds. */
  dueOfEach(kinds: readonly DueKind[], limit: number): Promise<readonly (readonly string[])[]>
  /** The earliest time at which anything at all is due, or null where nothing ever will be. */
  nextDueAt(): Promise<Instant | null>
  /** Says in an event, once, that an approval runs out. */
  noticeExpiry(id: ActionId): Promise<boolean>
  /** Plans to take back an action that succeeded, as a row of its own. */
  planUndo(command: UndoCommand): Promise<UndoResult>
}

/** What is learnt: measurements in both arms, and how posts that were left alone grow. */
export interface Learning {
  dueMeasurements(limit: number): Promise<readonly MeasurementRow[]>
  listMeasurements(id: PostId): Promise<readonly MeasurementRow[]>
  /** A measurement is taken once; taking it again changes nothing. */
  takeMeasurement(taken: TakenMeasurement): Promise<MeasurementRow | null>
  /** Keeps the newest curves of each account, at most `keep`. */
  saveCurve(curve: CurveRow, keep: number): Promise<void>
  /** The newest first. */
  listCurves(
    filter: { readonly accountId?: AccountId; readonly platform?: string },
    limit: number,
  ): Promise<readonly CurveRow[]>
  setWithoutLift(accountId: AccountId, action: Action, count: number): Promise<void>
}

export interface TakenMeasurement {
  readonly postId: PostId
  readonly horizonMs: number
  readonly gain: number | null
  readonly detail: Json
}

/** Pauses, history from elsewhere, retention, erasure, the audit log. */
export interface Keeping {
  /** When it returns, no attempt begins any more. Lists what is still in flight. */
  pause(pause: NewPause): Promise<readonly ActionRow[]>
  /**
   * A pause that the engine sets by itself. There is one for each scope and target, and it never
   * shortens what someone else has set (I11): false where one that lasts as long is there.
   */
  rest(pause: NewPause): Promise<boolean>
  /** False where there was no such pause. */
  resume(scope: PauseRow['scope'], target: string): Promise<boolean>
  /** Those that have not run out. */
  listPauses(): Promise<readonly PauseRow[]>
  /** Stores the value unless one is there, and returns the one that is there now. */
  settleSetting(name: string, value: string): Promise<string>
  getSetting(name: string): Promise<string | null>

  /** Takes over the history of a classic executor. What was running there is unknown here. */
  importClassic(accountId: AccountId, records: readonly unknown[]): Promise<number>
  exportClassic(accountId: AccountId): Promise<readonly ClassicRecord[]>
  /** Secrets and texts go; keys, hashes and the chain of events stay. */
  eraseAccount(id: AccountId): Promise<void>
  /** Shrinks raw samples older than `keepMs` of closed posts to the ages of the baseline. */
  shrinkSamples(keepMs: number, keepAgesMs: readonly number[], limit: number): Promise<number>
  /** After a restore: every account stays paused until its timeline was matched. */
  markRestored(by: string): Promise<void>

  /** Follows the events in an order in which none is ever missed. */
  readEvents(after: Cursor | null, filter: EventFilter, limit: number): Promise<EventPage>
  /** Chains the events that are settled; call it now and then. Returns how many. */
  seal(limit: number): Promise<number>
  verifyAudit(): Promise<AuditReport>
}

export type NewPause = Omit<PauseRow, 'since'>

export interface AuditReport {
  readonly entries: number
  /** The hash of the last entry: note it elsewhere to detect a chain cut off at the end. */
  readonly head: string
  readonly unsealed: number
  readonly problems: readonly AuditProblem[]
}

/** What happened, durably. */
export interface Ledger
  extends Accounts, Posts, Actions, Learning, Keeping, Pages, Shelf, Leases, AsyncDisposable {
  /** The ledger's time, in which leases, guards and budgets are measured. */
  now(): Promise<Instant>
}
