/**
 * Owns the seam between what the ledger means and where it is kept. The meaning is in the steps:
 * pure functions from a view of the rows to a result and the changes to write. A store only reads a
 * view under its locks, runs the step and writes the changes, all in one transaction.
 */

import type { TallyEntry } from '../core/history.ts'
import type { EventType, LedgerEvent, NewEvent } from '../core/events.ts'
import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { Action } from '../core/action.ts'
import type { Policy } from '../core/policy.ts'
import type { Sample } from '../core/sample.ts'
import type { State } from '../core/states.ts'
import type { AuditEntry } from './audit.ts'
import type {
  AccountRow,
  ActionRow,
  ApprovalRow,
  AttemptRow,
  CurveRow,
  IncidentRow,
  MeasurementRow,
  OwnReplyRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from './rows.ts'
import type { ShelfItem } from './shelf.ts'
import type { Overview, PostNews } from './pages.ts'
import type { LookCommand } from './steps/verdict.ts'
import type {
  AccountView,
  ActionView,
  ClaimView,
  DecisionView,
  MeasurementView,
  PostView,
} from './views.ts'

/** How far back a decision looks, so that a store reads that and no more. */
export interface Reach {
  readonly samplesMs: number
  readonly looksMs: number
  readonly accountMs: number
  readonly accountLimit: number
  readonly platformMs: number
}

/** What a step wants written. Rows are written whole; an updated row's version must be one more. */
export interface Changes {
  readonly account?: AccountRow
  readonly post?: PostRow
  /**
   * What an edit changed; the rest of the post's row is left alone, as it is not locked. Another
   * post of the account that was tracked under the new remote id is the same publication, seen
   * before the edit was settled: it is gone from then on, and gives the id up.
   */
  readonly postContent?: PostContent
  readonly insertAction?: ActionRow
  readonly updateAction?: ActionRow
  readonly insertAttempt?: AttemptRow
  readonly updateAttempt?: AttemptRow
  readonly approval?: ApprovalRow
  readonly incident?: IncidentRow
  readonly verdict?: VerdictRow
  /**
   * Of this post's verdicts those stay that said something new, and the latest. A post is looked at
   * some two hundred times, and nearly every time the answer is the one before.
   */
  readonly thinVerdicts?: PostId
  readonly measurements?: readonly MeasurementRow[]
  readonly events?: readonly NewEvent[]
}

export interface PostContent {
  readonly postId: PostId
  readonly remoteId: string
  readonly contentVersion: string | null
  readonly text: string | null
}

export interface Step<Result> {
  readonly result: Result
  readonly changes: Changes
}

export const noChanges: Changes = {}

/** Which rows are due at a time. */
export type DueKind =
  /** Accounts whose timeline is to be read for new posts. */
  | 'discover'
  /** Posts whose next check has come. */
  | 'check'
  /** Actions that are planned, approved or waiting, and due. */
  | 'send'
  /** Plans whose time is over before they were begun. */
  | 'expire'
  /** Approvals that run out soon, of which nobody was told yet. */
  | 'notice'
  /** Unknown actions that are due to be read back. */
  | 'reconcile'
  /** Running actions whose lease is over. */
  | 'lease'

export const dueKinds: readonly DueKind[] = [
  'discover',
  'check',
  'send',
  'expire',
  'notice',
  'reconcile',
  'lease',
]

export type ActionDueKind = Exclude<DueKind, 'discover' | 'check'>

/** In which states an action can be due in each way. */
export const dueStates: Readonly<Record<ActionDueKind, readonly State[]>> = {
  send: ['planned', 'approved', 'waiting'],
  expire: ['planned', 'awaiting_approval', 'approved'],
  notice: ['awaiting_approval'],
  reconcile: ['unknown'],
  lease: ['running'],
}

/** A position in the event table; give it back to go on from there. */
export type Cursor = string

export interface EventPage {
  readonly events: readonly LedgerEvent[]
  readonly cursor: Cursor
}

/** Whose rows; where both are given, both must hold. */
export interface AccountScope {
  readonly accountId?: AccountId
  readonly accountIds?: readonly AccountId[]
}

/** Narrows what a reader follows. */
export interface EventFilter extends AccountScope {
  readonly types?: readonly EventType[]
}

export interface PostFilter {
  readonly accountId?: AccountId
  readonly status?: PostRow['status']
}

export interface ActionFilter {
  readonly accountId?: AccountId
  readonly postId?: PostId
  readonly states?: readonly State[]
}

/** A page of rows in the order of their ids. */
export interface Page {
  readonly after: string | null
  readonly limit: number
}

/** The shelf's items. Each call is a transaction of its own. */
export interface ItemStore {
  get(collection: string, id: string): Promise<ShelfItem | null>
  /** Only where the item that is there has the expected version; null expects none. */
  put(
    collection: string,
    id: string,
    value: Json,
    expected: number | null,
    expiresAt: Instant | null,
  ): Promise<boolean>
  /** With null, whatever its version. */
  delete(collection: string, id: string, expected: number | null): Promise<boolean>
  list(collection: string, page: Page): Promise<readonly ShelfItem[]>
  sweep(limit: number): Promise<number>
}

/** Which index a list is read by, newest first. */
export type PostOrder =
  | { readonly kind: 'all' | 'never_touch' }
  | { readonly kind: 'accounts'; readonly ids: readonly AccountId[] }
  | { readonly kind: 'latest'; readonly latest: VerdictRow['kind'] }
  | { readonly kind: 'status'; readonly status: PostRow['status'] }

export type ActionOrder =
  | { readonly kind: 'all' }
  | { readonly kind: 'accounts'; readonly ids: readonly AccountId[] }
  | { readonly kind: 'post'; readonly postId: PostId }
  /** Open actions are few; all of them are read and put in order. */
  | { readonly kind: 'open'; readonly states: readonly State[] }

export type EventOrder =
  | { readonly kind: 'all' }
  | { readonly kind: 'accounts'; readonly ids: readonly AccountId[] }
  | { readonly kind: 'post'; readonly postId: PostId }

/** A row's place in the order of time. */
export interface Place {
  readonly at: Instant
  readonly id: string
}

export interface ListedPost {
  readonly post: PostRow
  /** What its latest verdict is. */
  readonly latest: VerdictRow['kind'] | null
}

/** An event with its place among all; it means something to its store only. */
export interface PlacedEvent {
  readonly event: LedgerEvent
  readonly place: string
}

/** Lists for people, newest first, each from a place on or from the newest. */
export interface PageStore {
  posts(by: PostOrder, before: Place | null, limit: number): Promise<readonly ListedPost[]>
  /** For each of the posts, in their order. */
  news(ids: readonly PostId[]): Promise<readonly PostNews[]>
  actions(by: ActionOrder, before: Place | null, limit: number): Promise<readonly ActionRow[]>
  events(by: EventOrder, before: string | null, limit: number): Promise<readonly PlacedEvent[]>
  /** Null stands for all accounts. */
  overview(accountIds: readonly AccountId[] | null): Promise<Overview>
}

/** Where the ledger is kept. Three of them pass one conformance suite. */
export interface Store extends AsyncDisposable {
  /** The ledger's time: what leases, guards and budgets are measured in. */
  now(): Promise<Instant>
  readonly items: ItemStore
  readonly pages: PageStore

  /** Locks the account alone. Null where there is no such account. */
  withAccount<R>(id: AccountId, step: (view: AccountView) => Step<R>): Promise<R | null>
  /** Locks account and post. Null where there is no such post. */
  withPost<R>(postId: PostId, reach: Reach, step: (view: PostView) => Step<R>): Promise<R | null>
  /** Locks the post. Null where nobody planned to measure it so. */
  withMeasurement<R>(
    postId: PostId,
    horizonMs: number,
    step: (view: MeasurementView) => Step<R>,
  ): Promise<R | null>
  /** Locks account, post and action. Null where there is no such action. */
  withClaim<R>(id: ActionId, reach: Reach, step: (view: ClaimView) => Step<R>): Promise<R | null>
  /**
   * Locks the action alone. With `platformMs` also the platform's attempts of that long, and pauses
   * are kept from changing until the transaction ends: no attempt may begin after a pause.
   */
  withAction<R>(
    id: ActionId,
    step: (view: ActionView, platformTally: readonly TallyEntry[]) => Step<R>,
    platformMs?: number,
  ): Promise<R | null>
  /** What decisions on these posts need, in their order, without a lock and in one round trip. */
  readPosts(ids: readonly PostId[], reach: Reach): Promise<readonly (DecisionView | null)[]>
  /** Takes `verdictStep` on each post; null where there is no such post. Each post comes once. */
  recordLooks(looks: readonly LookCommand[]): Promise<readonly (VerdictRow | null)[]>

  savePolicy(policy: Policy): Promise<'saved' | 'known' | 'differs'>
  getPolicy(id: string): Promise<Policy | null>
  /** In the order of their ids. */
  listPolicies(): Promise<readonly string[]>
  saveAccount(account: AccountRow, events: readonly NewEvent[]): Promise<void>
  getAccount(id: AccountId): Promise<AccountRow | null>
  listAccounts(): Promise<readonly AccountRow[]>
  setDiscoverAt(id: AccountId, at: Instant | null): Promise<void>
  /** Inserts the posts that are new; (account, remote id) is unique. Returns all as stored. */
  trackPosts(posts: readonly PostRow[]): Promise<readonly PostRow[]>
  getPosts(ids: readonly PostId[]): Promise<readonly (PostRow | null)[]>
  /** Puts the next look at these posts off, or ahead. A post that is not watched is left alone. */
  setNextCheckAt(ids: readonly PostId[], at: Instant): Promise<void>
  listPosts(filter: PostFilter, page: Page): Promise<readonly PostRow[]>
  /** A reading at an instant that is known already is kept as it was. Returns how many were new. */
  recordSamples(batch: readonly PostSample[]): Promise<number>
  listSamples(postId: PostId): Promise<readonly Sample[]>
  recordOwnReplies(replies: readonly OwnReplyRow[]): Promise<void>
  getAction(id: ActionId): Promise<ActionRow | null>
  listActions(filter: ActionFilter, page: Page): Promise<readonly ActionRow[]>
  /** The texts of the account's latest plans, newest first. */
  listRecentTexts(id: AccountId, limit: number): Promise<readonly string[]>
  listAttempts(id: ActionId): Promise<readonly AttemptRow[]>
  listApprovals(id: ActionId): Promise<readonly ApprovalRow[]>
  listVerdicts(postId: PostId, limit: number): Promise<readonly VerdictRow[]>
  listMeasurements(postId: PostId): Promise<readonly MeasurementRow[]>
  /** Ids of what is due by the ledger's time, the longest due first. */
  due(kind: DueKind, limit: number): Promise<readonly string[]>
  dueMeasurements(limit: number): Promise<readonly MeasurementRow[]>
  /** The earliest time at which anything at all is due, or null where nothing ever will be. */
  nextDueAt(): Promise<Instant | null>

  saveCurve(curve: CurveRow, keep: number): Promise<void>
  listCurves(
    filter: { accountId?: AccountId; platform?: string },
    limit: number,
  ): Promise<readonly CurveRow[]>
  setWithoutLift(accountId: AccountId, action: Action, count: number): Promise<void>

  pause(pause: PauseRow, events: readonly NewEvent[]): Promise<void>
  /** Unless one of the same scope and target `outlasts` it. False where one does. */
  rest(pause: PauseRow, events: readonly NewEvent[]): Promise<boolean>
  resume(scope: PauseRow['scope'], target: string, events: readonly NewEvent[]): Promise<boolean>
  listPauses(): Promise<readonly PauseRow[]>
  getSetting(name: string): Promise<string | null>
  /** Stores the value unless one is there, and returns the one that is there now. */
  settleSetting(name: string, value: string): Promise<string>

  importActions(rows: ImportRows, events: readonly NewEvent[]): Promise<number>
  eraseAccount(id: AccountId, at: Instant, events: readonly NewEvent[]): Promise<void>
  /** Drops raw samples of closed posts from before `before`, but for those at the ages to keep. */
  shrinkSamples(before: Instant, keepAgesMs: readonly number[], limit: number): Promise<number>

  /** Writes events that come with no change of a row. */
  say(events: readonly NewEvent[]): Promise<void>
  readEvents(after: Cursor | null, filter: EventFilter, limit: number): Promise<EventPage>
  /** Chains events that no one can commit before any more. Returns how many. */
  seal(limit: number): Promise<number>
  readAudit(afterNumber: number, limit: number): Promise<readonly SealedEvent[]>
  countUnsealed(): Promise<number>
}

export interface PostSample {
  readonly postId: PostId
  readonly sample: Sample
}

/** Rows from elsewhere, inserted as they are; a key that is known already is left alone. */
export interface ImportRows {
  readonly posts: readonly PostRow[]
  readonly actions: readonly ActionRow[]
}

/** An audit entry with the event it seals, or null where that is missing. */
export interface SealedEvent {
  readonly entry: AuditEntry
  readonly event: LedgerEvent | null
}
