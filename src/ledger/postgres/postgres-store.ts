/**
 * The ledger's store in Postgres, for several workers and processes. Correctness rests on row locks
 * in one order, on the server's clock and on the law of actions in the database itself. Nothing
 * that can change is remembered here between two calls.
 */

import type { Action } from '../../core/action.ts'
import type { Clock } from '../../core/clock.ts'
import type { NewEvent } from '../../core/events.ts'
import type { TallyEntry } from '../../core/history.ts'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import { InputError, shown } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { Policy } from '../../core/policy.ts'
import { LedgerTime } from '../ledger-time.ts'
import type { AccountRow, ActionRow, CurveRow, OwnReplyRow, PauseRow, PostRow } from '../rows.ts'
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
import type { LookCommand } from '../steps/verdict.ts'
import { noChanges } from '../store.ts'
import * as blocks from './blocks.ts'
import { Connections } from './connections.ts'
import * as due from './due.ts'
import * as events from './events.ts'
import { Groups } from './groups.ts'
import { PostgresItems } from './items.ts'
import { HandingOut } from './jobs.ts'
import type { JobWriter } from './jobs.ts'
import * as keeping from './keeping.ts'
import * as learning from './learning.ts'
import * as lists from './lists.ts'
import * as looks from './looks.ts'
import { migrate } from './migrate.ts'
import { PostgresPages } from './pages.ts'
import { accountAndPost, placeOfPost, postAlone, postAndPlatform } from './places.ts'
import * as records from './records.ts'
import { requireSameSubject } from './task.ts'
import type { Taken } from './task.ts'
import { Transactions } from './transactions.ts'
import * as views from './views.ts'
import type { ActionViewWithTally, SentActionView, SentClaimView, SentPostView } from './views.ts'

export interface PostgresStoreSettings {
  readonly connectionString: string
  /** For tests and the simulator; without one, the server's clock counts. */
  readonly clock?: Pick<Clock, 'now'>
  readonly poolSize?: number
  /** Nothing outside of it is ever touched. */
  readonly schema?: string
  /** How long a call waits for what others hold before it is `busy`. */
  readonly lockTimeoutMs?: number
  /** Tells workers of what becomes due, in the transactions that make it so. */
  readonly jobWriter?: JobWriter
}

const defaultSchema = 'secondwind'
const defaultPoolSize = 10
/** Long enough for a queue behind a busy account, short enough that a caller is still there. */
const defaultLockTimeoutMs = 10_000

/** Opens the ledger, and brings its schema up to date before. */
export async function openPostgresStore(settings: PostgresStoreSettings): Promise<PostgresStore> {
  const { connectionString, schema = defaultSchema, poolSize = defaultPoolSize } = settings
  const { lockTimeoutMs = defaultLockTimeoutMs } = settings
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new InputError('schema', `${shown(schema)} is not a plain name: letters, digits and _`)
  }
  if (settings.clock !== undefined && settings.jobWriter !== undefined) {
    throw new InputError('clock', "cannot be given with jobWriter: a queue goes by the server's")
  }
  await migrate(connectionString, schema)
  const connections = new Connections({ connectionString, schema, poolSize, lockTimeoutMs })
  const transactions = new Transactions(connections)
  try {
    const eventOffset = await events.openEvents(transactions)
    await blocks.makeBlocks(transactions, settings.clock?.now() ?? null)
    return new PostgresStore(transactions, eventOffset, settings)
  } catch (error) {
    await connections.end()
    throw error
  }
}

export class PostgresStore implements Store {
  readonly #db: Transactions
  readonly #groups: Groups
  readonly #eventOffset: string
  readonly #given: LedgerTime | null
  readonly items: PostgresItems
  readonly pages: PostgresPages
  /** Null without a `jobWriter`. */
  readonly handingOut: HandingOut | null

  constructor(db: Transactions, eventOffset: string, settings: PostgresStoreSettings) {
    const { clock, jobWriter = null } = settings
    this.#db = db
    this.#groups = new Groups(db, eventOffset, jobWriter)
    this.#eventOffset = eventOffset
    this.#given = clock === undefined ? null : new LedgerTime(clock)
    this.handingOut = jobWriter === null ? null : new HandingOut(db, jobWriter)
    this.items = new PostgresItems(db, () => this.#clockTime())
    this.pages = new PostgresPages(db, () => this.#clockTime())
  }

  now() {
    return due.readNow(this.#db, this.#clockTime())
  }

  withAccount<R>(id: AccountId, step: (view: AccountView) => Step<R>): Promise<R | null> {
    const now = this.#clockTime()
    return records.withAccount(this.#db, id, now, this.#eventOffset, (view) =>
      this.#take({ now: view.now, actions: [] }, step(view)),
    )
  }

  withPost<R>(id: PostId, reach: Reach, step: (view: PostView) => Step<R>): Promise<R | null> {
    return this.#groups.run<SentPostView, PostView, R>({
      subject: { kind: 'post', id },
      load: views.lockPost,
      rest: [this.#clockTime(), ...views.reachValues(reach)],
      toView: views.toPostView,
      placeOf: placeOfPost,
      locks: reach.accountLimit > 0 ? accountAndPost : postAlone,
      conclude: (view) => this.#take(view, step(view)),
    })
  }

  withMeasurement<R>(
    postId: PostId,
    horizonMs: number,
    step: (view: MeasurementView) => Step<R>,
  ): Promise<R | null> {
    const subject = { postId, horizonMs, given: this.#clockTime() }
    return learning.withMeasurement(this.#db, subject, this.#eventOffset, (view) =>
      this.#take({ now: view.now, actions: [] }, step(view)),
    )
  }

  withClaim<R>(id: ActionId, reach: Reach, step: (view: ClaimView) => Step<R>): Promise<R | null> {
    return this.#groups.run<SentClaimView, ClaimView, R>({
      subject: { kind: 'action', id },
      load: views.lockClaim,
      rest: [this.#clockTime(), ...views.reachValues(reach)],
      toView: (sent, earlier) => views.toClaimView(sent, id, earlier),
      placeOf: placeOfPost,
      locks: reach.accountLimit > 0 ? accountAndPost : postAlone,
      conclude: (view) => this.#take(view, step(view)),
    })
  }

  async withAction<R>(
    id: ActionId,
    step: (view: ActionView, tally: readonly TallyEntry[]) => Step<R>,
    platformMs?: number,
  ): Promise<R | null> {
    const result = await this.#runOnAction(id, step, platformMs ?? null, false)
    if (result !== needsPost) return result
    // Only now is it known that the post changes as well. It is locked before the action, so the
    // step, which is pure, runs once more under both locks.
    const again = await this.#runOnAction(id, step, platformMs ?? null, true)
    return again === needsPost ? null : again
  }

  #runOnAction<R>(
    id: ActionId,
    step: (view: ActionView, tally: readonly TallyEntry[]) => Step<R>,
    platformMs: number | null,
    withPost: boolean,
  ): Promise<R | typeof needsPost | null> {
    return this.#groups.run<SentActionView, ActionViewWithTally, R | typeof needsPost>({
      subject: { kind: 'action', id },
      load: views.lockAction,
      rest: [this.#clockTime(), platformMs, withPost],
      toView: views.toActionView,
      placeOf: ([{ action }]) => action,
      locks: platformMs !== null && platformMs > 0 ? postAndPlatform : postAlone,
      conclude: ([view, tally]) => {
        const taken = step(view, tally)
        if (taken.changes.postContent !== undefined && !withPost) {
          return { result: needsPost, changes: noChanges, mark: null, shown: [] }
        }
        return this.#take({ now: view.now, actions: [view.action] }, taken)
      },
    })
  }

  async readPosts(ids: readonly PostId[], reach: Reach) {
    const found = await looks.readPosts(this.#db, ids, this.#clockTime(), reach)
    this.#groups.places.rememberAll(found)
    return found
  }

  recordLooks(commands: readonly LookCommand[]) {
    return looks.recordLooks(this.#db, commands, this.#clockTime(), this.#eventOffset)
  }

  /** The time of a given clock, or null where the server's counts. */
  #clockTime(): Instant | null {
    return this.#given === null ? null : this.#given.now()
  }

  #take<R>(
    { now, actions }: { readonly now: Instant; readonly actions: readonly ActionRow[] },
    { result, changes }: Step<R>,
  ): Taken<R> {
    requireSameSubject(actions, changes)
    const { insertAction } = changes
    if (insertAction !== undefined) {
      this.#groups.places.remember({ kind: 'action', id: insertAction.id }, insertAction)
    }
    return { result, changes, mark: this.#given === null ? null : now, shown: actions }
  }

  savePolicy(policy: Policy) {
    return records.savePolicy(this.#db, policy)
  }

  getPolicy(id: string) {
    return records.getPolicy(this.#db, id)
  }

  listPolicies() {
    return records.listPolicies(this.#db)
  }

  saveAccount(account: AccountRow, said: readonly NewEvent[]) {
    return records.saveAccount(this.#db, account, said, this.#eventOffset)
  }

  getAccount(id: AccountId) {
    return lists.getAccount(this.#db, id)
  }

  listAccounts() {
    return lists.listAccounts(this.#db)
  }

  setDiscoverAt(id: AccountId, at: Instant | null) {
    return records.setDiscoverAt(this.#db, id, at)
  }

  trackPosts(posts: readonly PostRow[]) {
    return records.trackPosts(this.#db, posts, this.#eventOffset)
  }

  getPosts(ids: readonly PostId[]) {
    return lists.getPosts(this.#db, ids)
  }

  setNextCheckAt(ids: readonly PostId[], at: Instant) {
    return records.setNextCheckAt(this.#db, ids, at)
  }

  listPosts(filter: PostFilter, page: Page) {
    return lists.listPosts(this.#db, filter, page)
  }

  recordSamples(batch: readonly PostSample[]) {
    return records.recordSamples(this.#db, batch)
  }

  listSamples(postId: PostId) {
    return records.listSamples(this.#db, postId)
  }

  recordOwnReplies(replies: readonly OwnReplyRow[]) {
    return records.recordOwnReplies(this.#db, replies)
  }

  getAction(id: ActionId) {
    return lists.getAction(this.#db, id)
  }

  listActions(filter: ActionFilter, page: Page) {
    return lists.listActions(this.#db, filter, page)
  }

  listRecentTexts(id: AccountId, limit: number) {
    return lists.listRecentTexts(this.#db, id, limit)
  }

  listAttempts(id: ActionId) {
    return lists.listAttempts(this.#db, id)
  }

  listApprovals(id: ActionId) {
    return lists.listApprovals(this.#db, id)
  }

  listVerdicts(postId: PostId, limit: number) {
    return lists.listVerdicts(this.#db, postId, limit)
  }

  listMeasurements(postId: PostId) {
    return lists.listMeasurements(this.#db, postId)
  }

  due(kind: DueKind, limit: number) {
    return due.listDue(this.#db, kind, this.#clockTime(), limit)
  }

  dueMeasurements(limit: number) {
    return due.listDueMeasurements(this.#db, this.#clockTime(), limit)
  }

  nextDueAt() {
    return due.nextDueAt(this.#db)
  }

  saveCurve(curve: CurveRow, keep: number) {
    return learning.saveCurve(this.#db, curve, keep)
  }

  listCurves(filter: { accountId?: AccountId; platform?: string }, limit: number) {
    return learning.listCurves(this.#db, filter, limit)
  }

  setWithoutLift(accountId: AccountId, action: Action, count: number) {
    return learning.setWithoutLift(this.#db, accountId, action, count)
  }

  pause(row: PauseRow, said: readonly NewEvent[]) {
    return keeping.pause(this.#db, row, said, this.#eventOffset)
  }

  rest(row: PauseRow, said: readonly NewEvent[]) {
    return keeping.rest(this.#db, row, said, this.#eventOffset)
  }

  resume(scope: PauseRow['scope'], target: string, said: readonly NewEvent[]) {
    return keeping.resume(this.#db, scope, target, said, this.#eventOffset)
  }

  listPauses() {
    return lists.listPauses(this.#db)
  }

  getSetting(name: string) {
    return keeping.getSetting(this.#db, name)
  }

  settleSetting(name: string, value: string) {
    return keeping.settleSetting(this.#db, name, value)
  }

  importActions(rows: ImportRows, said: readonly NewEvent[]) {
    return keeping.importActions(this.#db, rows, said, this.#eventOffset)
  }

  eraseAccount(id: AccountId, at: Instant, said: readonly NewEvent[]) {
    return keeping.eraseAccount(this.#db, id, at, said, this.#eventOffset)
  }

  shrinkSamples(before: Instant, keepAgesMs: readonly number[], limit: number) {
    return blocks.shrinkSamples(this.#db, this.#clockTime(), { before, keepAgesMs, limit })
  }

  say(said: readonly NewEvent[]) {
    return events.say(this.#db, said, this.#eventOffset)
  }

  readEvents(after: Cursor | null, filter: EventFilter, limit: number) {
    return events.readEvents(this.#db, after, filter, limit, this.#eventOffset)
  }

  seal(limit: number) {
    return events.seal(this.#db, limit, this.#eventOffset)
  }

  readAudit(afterNumber: number, limit: number) {
    return events.readAudit(this.#db, afterNumber, limit)
  }

  countUnsealed() {
    return events.countUnsealed(this.#db)
  }

  async [Symbol.asyncDispose]() {
    await this.#db.connections.end()
  }
}

/** A step that changes the post asks for its lock by this. */
const needsPost = Symbol('the post has to be locked too')
