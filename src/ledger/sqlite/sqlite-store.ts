/**
 * The store in one SQLite file, for one machine and any number of its processes. It joins each call
 * to its statements and holds no rows itself.
 */

import type { Action } from '../../core/action.ts'
import type { Clock } from '../../core/clock.ts'
import type { NewEvent } from '../../core/events.ts'
import type { TallyEntry } from '../../core/history.ts'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Policy } from '../../core/policy.ts'
import type { AccountRow, CurveRow, OwnReplyRow, PauseRow, PostRow } from '../rows.ts'
import type {
  ActionFilter,
  Cursor,
  DueKind,
  EventFilter,
  ImportRows,
  Page,
  PostFilter,
  PostSample,
  Reach,
  Step,
  Store,
} from '../store.ts'
import type { AccountView, ActionView, ClaimView, MeasurementView, PostView } from '../views.ts'
import { verdictStep } from '../steps/verdict.ts'
import type { LookCommand } from '../steps/verdict.ts'
import { backUp } from './backup.ts'
import type { Connection } from './connection.ts'
import * as events from './events.ts'
import { FileTime } from './file-time.ts'
import { GroupCommit } from './group-commit.ts'
import { findDamage } from './integrity.ts'
import { SqliteItems } from './items.ts'
import * as keeping from './keeping.ts'
import * as learning from './learning.ts'
import * as lists from './lists.ts'
import { openFile } from './open.ts'
import type { OpenFile, OpenOptions } from './open.ts'
import { noteClosed } from './open-files.ts'
import { SqlitePages } from './pages.ts'
import * as records from './records.ts'
import * as views from './views.ts'
import { WriteTransaction } from './write-transaction.ts'
import { writeChanges } from './writes.ts'
import type { Shown } from './writes.ts'

export interface SqliteOptions {
  /** The file; it and its directory are made where there are none. */
  readonly path: string
  readonly clock: Pick<Clock, 'now'>
  /** How long a call may wait for another process. The event loop waits with it. */
  readonly busyTimeoutMs?: number
  /** Every page of a file up to this size is looked at when it is opened. */
  readonly quickCheckBytes?: number
  /** The file refuses to grow beyond this. */
  readonly maximumBytes?: number
}

export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const settings: OpenOptions = {
    busyTimeoutMs: options.busyTimeoutMs ?? 5000,
    quickCheckBytes: options.quickCheckBytes ?? 16 * 1024 * 1024,
    maximumBytes: options.maximumBytes ?? null,
  }
  return new SqliteStore(openFile(options.path, settings), settings, options.clock)
}

export class SqliteStore implements Store {
  readonly #file: OpenFile
  readonly #options: OpenOptions
  readonly #connection: Connection
  readonly #time: FileTime
  readonly #commits: GroupCommit
  readonly items: SqliteItems
  readonly pages: SqlitePages

  /** Use `openSqliteStore`, which looks at the file first. */
  constructor(file: OpenFile, options: OpenOptions, clock: Pick<Clock, 'now'>) {
    this.#file = file
    this.#options = options
    this.#connection = file.connection
    this.#time = new FileTime(file.connection, clock)
    const transaction = new WriteTransaction(file, this.#time)
    this.#commits = new GroupCommit(transaction)
    this.items = new SqliteItems(file.connection, this.#time, this.#commits)
    this.pages = new SqlitePages(file.connection, this.#time)
  }

  async now() {
    return this.#now()
  }

  /** Outside a transaction; inside one the time was raised when it began. */
  #now(): Instant {
    this.#time.raise()
    return this.#time.now()
  }

  withAccount<R>(id: AccountId, step: (view: AccountView) => Step<R>) {
    return this.#commits.run(() => {
      const account = views.readAccount(this.#connection, id)
      if (account === null) return null
      const view = { now: this.#time.now(), account }
      return this.#take(step(view), view)
    })
  }

  withPost<R>(postId: PostId, reach: Reach, step: (view: PostView) => Step<R>) {
    return this.#commits.run(() => {
      const view = views.readPostView(this.#connection, postId, reach, this.#time.now())
      return view === null ? null : this.#take(step(view), view)
    })
  }

  withMeasurement<R>(postId: PostId, horizonMs: number, step: (view: MeasurementView) => Step<R>) {
    return this.#commits.run(() => {
      const measurement = lists.readMeasurement(this.#connection, postId, horizonMs)
      const post = views.readPost(this.#connection, postId)
      if (measurement === null || post === null) return null
      const view = { now: this.#time.now(), post, measurement }
      return this.#take(step(view), view)
    })
  }

  withClaim<R>(id: ActionId, reach: Reach, step: (view: ClaimView) => Step<R>) {
    return this.#commits.run(() => {
      const view = views.readClaimView(this.#connection, id, reach, this.#time.now())
      return view === null ? null : this.#take(step(view), view)
    })
  }

  withAction<R>(
    id: ActionId,
    step: (view: ActionView, tally: readonly TallyEntry[]) => Step<R>,
    platformMs = 0,
  ) {
    return this.#commits.run(() => {
      const view = views.readActionView(this.#connection, id, this.#time.now())
      if (view === null) return null
      const { platform } = view.action
      const tally = views.readPlatformTally(this.#connection, platform, platformMs, view.now)
      return this.#take(step(view, tally), view)
    })
  }

  #take<R>({ result, changes }: Step<R>, shown: Shown): R {
    writeChanges(this.#connection, changes, shown)
    return result
  }

  async readPosts(ids: readonly PostId[], reach: Reach) {
    return this.#connection.snapshot(() => {
      const now = this.#now()
      return ids.map((id) => views.readDecisionView(this.#connection, id, reach, now))
    })
  }

  recordLooks(looks: readonly LookCommand[]) {
    return this.#commits.run(() =>
      looks.map((look) => {
        const view = views.readLookView(this.#connection, look.postId, this.#time.now())
        return view === null ? null : this.#take(verdictStep(view, look), view)
      }),
    )
  }

  savePolicy(policy: Policy) {
    return this.#commits.run(() => records.savePolicy(this.#connection, policy))
  }

  async getPolicy(id: string) {
    const text = records.readPolicyText(this.#connection, id)
    return text === null ? null : (JSON.parse(text) as Policy)
  }

  async listPolicies() {
    return records.listPolicies(this.#connection)
  }

  saveAccount(account: AccountRow, added: readonly NewEvent[]) {
    return this.#commits.run(() =>
      records.saveAccount(this.#connection, account, added, this.#time.now()),
    )
  }

  async getAccount(id: AccountId) {
    return views.readAccount(this.#connection, id)
  }

  async listAccounts() {
    return lists.listAccounts(this.#connection)
  }

  setDiscoverAt(id: AccountId, at: Instant | null) {
    return this.#commits.run(() => records.setDiscoverAt(this.#connection, id, at))
  }

  trackPosts(posts: readonly PostRow[]) {
    return this.#commits.run(() => records.trackPosts(this.#connection, posts, this.#time.now()))
  }

  async getPosts(ids: readonly PostId[]) {
    return ids.map((id) => views.readPost(this.#connection, id))
  }

  setNextCheckAt(ids: readonly PostId[], at: Instant) {
    return this.#commits.run(() => records.setNextCheckAt(this.#connection, ids, at))
  }

  async listPosts(filter: PostFilter, page: Page) {
    return lists.listPosts(this.#connection, filter, page)
  }

  recordSamples(batch: readonly PostSample[]) {
    return this.#commits.run(() => records.recordSamples(this.#connection, batch))
  }

  async listSamples(postId: PostId) {
    return records.listSamples(this.#connection, postId)
  }

  recordOwnReplies(replies: readonly OwnReplyRow[]) {
    return this.#commits.run(() => records.recordOwnReplies(this.#connection, replies))
  }

  async getAction(id: ActionId) {
    return views.readAction(this.#connection, id)
  }

  async listActions(filter: ActionFilter, page: Page) {
    return lists.listActions(this.#connection, filter, page)
  }

  async listRecentTexts(id: AccountId, limit: number) {
    return lists.listRecentTexts(this.#connection, id, limit)
  }

  async listAttempts(id: ActionId) {
    return views.readAttempts(this.#connection, id)
  }

  async listApprovals(id: ActionId) {
    return views.readApprovals(this.#connection, id)
  }

  async listVerdicts(postId: PostId, limit: number) {
    return lists.listVerdicts(this.#connection, postId, limit)
  }

  async listMeasurements(postId: PostId) {
    return lists.listMeasurements(this.#connection, postId)
  }

  async due(kind: DueKind, limit: number) {
    return lists.listDue(this.#connection, kind, this.#now(), limit)
  }

  async dueMeasurements(limit: number) {
    return lists.listDueMeasurements(this.#connection, this.#now(), limit)
  }

  async nextDueAt() {
    return this.#connection.snapshot(() => lists.readNextDueAt(this.#connection))
  }

  saveCurve(curve: CurveRow, keep: number) {
    return this.#commits.run(() => learning.saveCurve(this.#connection, curve, keep))
  }

  async listCurves(filter: { accountId?: AccountId; platform?: string }, limit: number) {
    return learning.listCurves(this.#connection, filter, limit)
  }

  setWithoutLift(accountId: AccountId, action: Action, count: number) {
    return this.#commits.run(() =>
      learning.setWithoutLift(this.#connection, accountId, action, count),
    )
  }

  rest(pause: PauseRow, added: readonly NewEvent[]) {
    return this.#commits.run(() =>
      keeping.addRest(this.#connection, pause, added, this.#time.now()),
    )
  }

  pause(pause: PauseRow, added: readonly NewEvent[]) {
    return this.#commits.run(() =>
      keeping.addPause(this.#connection, pause, added, this.#time.now()),
    )
  }

  resume(scope: PauseRow['scope'], target: string, added: readonly NewEvent[]) {
    return this.#commits.run(() => {
      const wasPaused = keeping.removePause(this.#connection, scope, target)
      if (wasPaused) events.appendEvents(this.#connection, added, this.#time.now())
      return wasPaused
    })
  }

  async listPauses() {
    return lists.listPauses(this.#connection)
  }

  async getSetting(name: string) {
    return keeping.readSetting(this.#connection, name)
  }

  settleSetting(name: string, value: string) {
    return this.#commits.run(() => keeping.settleSetting(this.#connection, name, value))
  }

  importActions(rows: ImportRows, added: readonly NewEvent[]) {
    return this.#commits.runAlone(() =>
      keeping.importActions(this.#connection, rows, added, this.#time.now()),
    )
  }

  /** Old pages in the log still hold what was erased, so the log is written back and emptied. */
  async eraseAccount(id: AccountId, at: Instant, added: readonly NewEvent[]) {
    await this.#commits.runAlone(() =>
      keeping.eraseAccount(this.#connection, id, at, added, this.#time.now()),
    )
    await this.checkpoint()
  }

  shrinkSamples(before: Instant, keepAgesMs: readonly number[], limit: number) {
    return this.#commits.runAlone(() =>
      keeping.shrinkSamples(this.#connection, before, keepAgesMs, limit),
    )
  }

  say(added: readonly NewEvent[]) {
    return this.#commits.run(() => events.appendEvents(this.#connection, added, this.#time.now()))
  }

  async readEvents(after: Cursor | null, filter: EventFilter, limit: number) {
    return this.#connection.snapshot(() =>
      events.readEvents(this.#connection, after, filter, limit),
    )
  }

  seal(limit: number) {
    return this.#commits.runAlone(() => events.sealEvents(this.#connection, limit))
  }

  async readAudit(afterNumber: number, limit: number) {
    return this.#connection.snapshot(() => events.readAudit(this.#connection, afterNumber, limit))
  }

  async countUnsealed() {
    return this.#connection.snapshot(() => events.countUnsealed(this.#connection))
  }

  /** Copies the ledger while it is in use. Nothing that has the name already is replaced. */
  async backup(toPath: string): Promise<void> {
    await backUp(this.#connection.path, toPath, this.#now(), this.#options)
  }

  /** Looks at every page, row and reference. Returns what is wrong, in sentences for people. */
  async checkIntegrity(): Promise<readonly string[]> {
    return findDamage(this.#connection.path, this.#options.busyTimeoutMs)
  }

  /** Writes the log back and empties it. False where another process was reading from it. */
  async checkpoint(): Promise<boolean> {
    return this.#connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.[0] === 0
  }

  /** Commits what was called before, then closes the file. */
  async [Symbol.asyncDispose]() {
    if (!this.#connection.isOpen) return
    this.#commits.flush()
    this.#connection.close()
    noteClosed(this.#file.identity)
  }
}
