/**
 * A store in memory, for tests and the simulator. It is also the plainest statement of what a store
 * does: a step runs in one turn of the event loop, so every call is a transaction by itself.
 */

import type { Action } from '../../core/action.ts'
import type { Clock } from '../../core/clock.ts'
import type { NewEvent } from '../../core/events.ts'
import type { TallyEntry } from '../../core/history.ts'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import { isOpen } from '../../core/states.ts'
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
import type {
  AccountView,
  ActionView,
  ClaimView,
  LookView,
  MeasurementView,
  PostView,
} from '../views.ts'
import { trackedEvent } from '../steps/post.ts'
import { verdictStep } from '../steps/verdict.ts'
import type { LookCommand } from '../steps/verdict.ts'
import type { EventLog } from './event-log.ts'
import { MemoryItems } from './items.ts'
import { MemoryPages } from './pages.ts'
import { MemoryTables } from './tables.ts'
import { readActionView, readLookView, readPlatformTally, readPostView } from './views.ts'
import { eraseRows } from './erase.ts'
import { shrinkSamples } from './shrink-samples.ts'
import { byId, paged } from './lists.ts'
import { isOutlasted, withoutPause, withPause } from './pauses.ts'

export class MemoryStore implements Store {
  readonly #tables = new MemoryTables()
  readonly #time: LedgerTime
  readonly items: MemoryItems
  readonly pages: MemoryPages

  constructor(clock: Pick<Clock, 'now'>) {
    this.#time = new LedgerTime(clock)
    this.items = new MemoryItems(this.#time)
    this.pages = new MemoryPages(this.#tables, this.#time)
  }

  async now(): Promise<Instant> {
    return this.#time.now()
  }

  async withAccount<R>(id: AccountId, step: (view: AccountView) => Step<R>) {
    const account = this.#tables.accounts.get(id)
    return account === undefined ? null : this.#take(step({ now: this.#time.now(), account }))
  }

  async withPost<R>(postId: PostId, reach: Reach, step: (view: PostView) => Step<R>) {
    const view = readPostView(this.#tables, postId, reach, this.#time.now())
    return view === null ? null : this.#take(step(view))
  }

  async withMeasurement<R>(
    postId: PostId,
    horizonMs: number,
    step: (view: MeasurementView) => Step<R>,
  ) {
    const rows = this.#tables.measurementsOf(postId)
    const measurement = rows.find((row) => row.horizonMs === horizonMs)
    const post = this.#tables.posts.get(postId)
    if (measurement === undefined || post === undefined) return null
    return this.#take(step({ now: this.#time.now(), post, measurement }))
  }

  async withClaim<R>(id: ActionId, reach: Reach, step: (view: ClaimView) => Step<R>) {
    const action = this.#tables.actions.get(id)
    if (action === undefined) return null
    const view = readPostView(this.#tables, action.postId, reach, this.#time.now())
    if (view === null) return null
    const attempts = [...this.#tables.attempts.get(id)]
    const approvals = [...this.#tables.approvals.get(id)]
    return this.#take(step({ ...view, action, attempts, approvals }))
  }

  async withAction<R>(
    id: ActionId,
    step: (view: ActionView, tally: readonly TallyEntry[]) => Step<R>,
    platformMs = 0,
  ) {
    const now = this.#time.now()
    const view = readActionView(this.#tables, id, now)
    if (view === null) return null
    const tally = readPlatformTally(this.#tables, view.action.platform, platformMs, now)
    return this.#take(step(view, tally))
  }

  async readPosts(ids: readonly PostId[], reach: Reach) {
    return ids.map((id) => readPostView(this.#tables, id, reach, this.#time.now()))
  }

  recordLooks(looks: readonly LookCommand[]) {
    return Promise.all(
      looks.map((look) => this.withLook(look.postId, (view) => verdictStep(view, look))),
    )
  }

  async withLook<R>(postId: PostId, step: (view: LookView) => Step<R>) {
    const view = readLookView(this.#tables, postId, this.#time.now())
    return view === null ? null : this.#take(step(view))
  }

  #take<R>({ result, changes }: Step<R>): R {
    this.#tables.write(changes, this.#time.now())
    return result
  }

  async savePolicy(policy: Policy) {
    const text = JSON.stringify(policy)
    const stored = this.#tables.policies.get(policyId(policy))
    if (stored !== undefined) return JSON.stringify(stored) === text ? 'known' : 'differs'
    this.#tables.policies.set(policyId(policy), JSON.parse(text) as Policy)
    return 'saved'
  }

  async getPolicy(id: string) {
    return this.#tables.policies.get(id) ?? null
  }

  async listPolicies() {
    return [...this.#tables.policies.keys()].sort()
  }

  async saveAccount(account: AccountRow, events: readonly NewEvent[]) {
    this.#tables.putAccount(account)
    this.#tables.log.append(events)
  }

  async getAccount(id: AccountId) {
    return this.#tables.accounts.get(id) ?? null
  }

  async listAccounts() {
    return [...this.#tables.accounts.values()].sort(byId)
  }

  async setDiscoverAt(id: AccountId, discoverAt: Instant | null) {
    const account = this.#tables.accounts.get(id)
    if (account !== undefined) this.#tables.putAccount({ ...account, discoverAt })
  }

  async trackPosts(posts: readonly PostRow[]) {
    const isKnown = (post: PostRow) => this.#tables.findByRemote(post) !== undefined
    for (const post of posts) if (!isKnown(post)) this.#tables.requireInsertablePost(post)
    return posts.map((post) => {
      const known = this.#tables.findByRemote(post)
      if (known !== undefined) return known
      this.#tables.insertPost(post)
      this.#tables.log.append([trackedEvent(post)])
      return post
    })
  }

  async getPosts(ids: readonly PostId[]) {
    return ids.map((id) => this.#tables.posts.get(id) ?? null)
  }

  async setNextCheckAt(ids: readonly PostId[], nextCheckAt: Instant) {
    for (const id of ids) {
      const post = this.#tables.posts.get(id)
      if (post?.status === 'watched') this.#tables.putPost({ ...post, nextCheckAt })
    }
  }

  async listPosts({ accountId, status }: PostFilter, page: Page) {
    const rows = [...this.#tables.posts.values()].filter(
      (row) =>
        (accountId === undefined || row.accountId === accountId) &&
        (status === undefined || row.status === status),
    )
    return paged(rows, page)
  }

  async recordSamples(batch: readonly PostSample[]) {
    this.#tables.requirePosts(batch)
    let added = 0
    for (const { postId, sample } of batch) {
      const list = this.#tables.samples.get(postId) ?? []
      this.#tables.samples.set(postId, list)
      const before = list.findLastIndex(({ at }) => at <= sample.at)
      if (list[before]?.at === sample.at) continue
      list.splice(before + 1, 0, sample)
      added += 1
    }
    return added
  }

  async listSamples(postId: PostId) {
    return [...(this.#tables.samples.get(postId) ?? [])]
  }

  async recordOwnReplies(replies: readonly OwnReplyRow[]) {
    this.#tables.requirePosts(replies)
    const { ownReplies } = this.#tables
    for (const reply of replies) {
      const { postId, remoteId } = reply
      const isKnown = ownReplies.replace(postId, reply, (row) => row.remoteId === remoteId)
      if (!isKnown) ownReplies.add(postId, reply)
    }
  }

  async getAction(id: ActionId) {
    return this.#tables.actions.get(id) ?? null
  }

  async listActions(filter: ActionFilter, page: Page) {
    const { accountId, states } = filter
    const rows = this.#candidates(filter).filter(
      (row) =>
        (accountId === undefined || row.accountId === accountId) &&
        (states === undefined || states.includes(row.state)),
    )
    return paged(rows, page)
  }

  /** A short list that holds all that the filter lets through. */
  #candidates({ accountId, postId, states }: ActionFilter): readonly ActionRow[] {
    const { actions, openActions, actionsByPost, actionsByAccount } = this.#tables
    if (postId !== undefined) return this.#rows(actionsByPost.get(postId))
    if (states?.every(isOpen) === true) return this.#rows([...openActions])
    if (accountId !== undefined) return this.#rows(actionsByAccount.get(accountId))
    return [...actions.values()]
  }

  #rows(ids: readonly ActionId[]): readonly ActionRow[] {
    return ids.map((id) => this.#tables.action(id))
  }

  async listRecentTexts(id: AccountId, limit: number) {
    const texts: ActionRow[] = []
    // Rows with a text are planned here, so they stand in the order of their planning.
    for (const actionId of this.#tables.actionsByAccount.get(id).toReversed()) {
      const row = this.#tables.action(actionId)
      if (texts.length >= limit && row.plannedAt < (texts.at(-1)?.plannedAt ?? 0)) break
      if (row.undoes === null && row.text !== null) texts.push(row)
    }
    return texts
      .sort((a, b) => b.plannedAt - a.plannedAt || -byId(a, b))
      .flatMap(({ text }) => text ?? [])
      .slice(0, limit)
  }

  async listAttempts(id: ActionId) {
    return [...this.#tables.attempts.get(id)]
  }

  async listApprovals(id: ActionId) {
    return [...this.#tables.approvals.get(id)]
  }

  async listVerdicts(postId: PostId, limit: number) {
    return this.#tables.verdicts.get(postId).slice(0, limit)
  }

  async listMeasurements(postId: PostId) {
    return this.#tables.measurementsOf(postId).toSorted((a, b) => a.horizonMs - b.horizonMs)
  }

  async due(kind: DueKind, limit: number) {
    return this.#tables.due.list(kind, this.#time.now(), limit)
  }

  async nextDueAt() {
    return this.#tables.due.firstAt
  }

  async dueMeasurements(limit: number) {
    const places = this.#tables.due.listMeasurements(this.#time.now(), limit)
    return places.map((place) => this.#tables.measurement(place))
  }

  async saveCurve(curve: CurveRow, keep: number) {
    this.#tables.curves.set(curve.postId, curve)
    const own = await this.listCurves({ accountId: curve.accountId }, Infinity)
    for (const { postId } of own.slice(keep)) this.#tables.curves.delete(postId)
  }

  async listCurves(filter: { accountId?: AccountId; platform?: string }, limit: number) {
    return [...this.#tables.curves.values()]
      .filter(
        (row) =>
          (filter.accountId === undefined || row.accountId === filter.accountId) &&
          (filter.platform === undefined || row.platform === filter.platform),
      )
      .sort((a, b) => b.maturedAt - a.maturedAt || (a.postId < b.postId ? -1 : 1))
      .slice(0, limit)
  }

  async setWithoutLift(accountId: AccountId, action: Action, count: number) {
    this.#tables.withoutLift.set(`${action} ${accountId}`, count)
  }

  async rest(pause: PauseRow, events: readonly NewEvent[]) {
    if (isOutlasted(this.#tables.pauses, pause)) return false
    await this.pause(pause, events)
    return true
  }

  async pause(pause: PauseRow, events: readonly NewEvent[]) {
    this.#tables.setPauses(withPause(this.#tables.pauses, pause), events)
  }

  async resume(scope: PauseRow['scope'], target: string, events: readonly NewEvent[]) {
    const others = withoutPause(this.#tables.pauses, { scope, target })
    if (others.length === this.#tables.pauses.length) return false
    this.#tables.setPauses(others, events)
    return true
  }

  async listPauses() {
    return this.#tables.pauses
  }

  async getSetting(name: string) {
    return this.#tables.settings.get(name) ?? null
  }

  async settleSetting(name: string, value: string) {
    const stored = this.#tables.settings.get(name) ?? value
    this.#tables.settings.set(name, stored)
    return stored
  }

  async importActions({ posts, actions }: ImportRows, events: readonly NewEvent[]) {
    const newPosts = posts.filter(({ id }) => !this.#tables.posts.has(id))
    const newKeys = new Map(actions.toReversed().map((row) => [row.key, row]))
    const newRows = actions.filter(
      (row) => !this.#tables.keys.has(row.key) && newKeys.get(row.key) === row,
    )
    for (const post of newPosts) this.#tables.requireInsertablePost(post)
    for (const row of newRows) this.#tables.requireInsertable(row)
    for (const post of newPosts) this.#tables.insertPost(post)
    for (const row of newRows) this.#tables.insertAction(row)
    this.#tables.log.append(events)
    return newRows.length
  }

  async eraseAccount(id: AccountId, at: Instant, events: readonly NewEvent[]) {
    if (eraseRows(this.#tables, id, at)) this.#tables.log.append(events)
  }

  async shrinkSamples(before: Instant, keepAgesMs: readonly number[], limit: number) {
    return shrinkSamples(this.#tables, before, keepAgesMs, limit)
  }

  async say(events: readonly NewEvent[]) {
    this.#tables.log.append(events)
  }

  async readEvents(after: Cursor | null, filter: EventFilter, limit: number) {
    return this.#tables.log.read(after, filter, limit)
  }

  async seal(limit: number) {
    return this.#tables.log.seal(limit)
  }

  async readAudit(afterNumber: number, limit: number) {
    return this.#tables.log.readAudit(afterNumber, limit)
  }

  async countUnsealed() {
    return this.#tables.log.countUnsealed()
  }

  /** @internal Auditors look at the rows as they are, without a promise in between. */
  get rows(): MemoryTables {
    return this.#tables
  }

  /** @internal The door through which tests damage what the audit log must then find. */
  get eventLog(): EventLog {
    return this.#tables.log
  }

  async [Symbol.asyncDispose]() {}
}
