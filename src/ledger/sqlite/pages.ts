/** Lists for people from the file, each row found by an index. */

import type { SQLInputValue } from 'node:sqlite'
import { dayMs } from '../../core/duration.ts'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import { InputError, shown } from '../../core/input-error.ts'
import type { LedgerEvent } from '../../core/events.ts'
import type { State } from '../../core/states.ts'
import type { Until } from '../../core/until.ts'
import { mostPoints, pointTimes } from '../pages.ts'
import type { EngagementPoint, LatestVerdict, Overview, PostNews } from '../pages.ts'
import type { ActionRow } from '../rows.ts'
import type {
  ActionOrder,
  EventOrder,
  ListedPost,
  PageStore,
  Place,
  PlacedEvent,
  PostOrder,
} from '../store.ts'
import type { Values } from './columns.ts'
import type { Connection } from './connection.ts'
import type { FileTime } from './file-time.ts'
import { lastFiled } from './migrations/006-filed-events.ts'
import { actions, events, posts, samples } from './tables.ts'
import { sampleReader } from './views.ts'

const listed = `SELECT ${posts.list}, latest_kind FROM posts`
const newestPosts = 'ORDER BY published_at DESC, id DESC LIMIT ?3 + 0'
const planned = `SELECT ${actions.list} FROM actions`
const newestPlans = 'ORDER BY planned_at DESC, id DESC LIMIT ?3 + 0'
const said = `SELECT ${events.list} FROM events`
const newestEvents = 'ORDER BY seq DESC LIMIT ?2 + 0'

/** The marks: 1 and 2 are the place, 3 the limit, 4 what the index begins with. */
export const pageQueries = {
  posts: `${listed} WHERE (published_at, id) < (?1, ?2) ${newestPosts}`,
  postsOfAccount: `${listed} WHERE account_id = ?4 AND (published_at, id) < (?1, ?2)
    ${newestPosts}`,
  postsByVerdict: `${listed} WHERE latest_kind = ?4 AND (published_at, id) < (?1, ?2)
    ${newestPosts}`,
  postsByStatus: `${listed} WHERE status = ?4 AND (published_at, id) < (?1, ?2) ${newestPosts}`,
  postsToLeave: `${listed} WHERE never_touch = 1 AND (published_at, id) < (?1, ?2)
    ${newestPosts}`,
  plans: `${planned} WHERE (planned_at, id) < (?1, ?2) ${newestPlans}`,
  plansOfAccount: `${planned} WHERE account_id = ?4 AND (planned_at, id) < (?1, ?2)
    ${newestPlans}`,
  events: `${said} WHERE seq < ?1 ${newestEvents}`,
  filedOfAccount: inFullBatches('events_of_account', 'account_id'),
  filedOfPost: inFullBatches('events_of_post', 'post_id'),
  unfiledOfAccount: afterThem('account_id'),
  unfiledOfPost: afterThem('post_id'),
} as const

/** In all full batches of events; see the migration that made them. */
function inFullBatches(table: string, column: string): string {
  return `${said} WHERE seq IN (SELECT seq FROM ${table} WHERE ${column} = ?3 AND seq < ?1
    ORDER BY seq DESC LIMIT ?2 + 0) ORDER BY seq DESC`
}

/** Among those after the last full batch, which are read one by one. */
function afterThem(column: string): string {
  return `${said} WHERE seq > (SELECT ${lastFiled('max(seq)')} FROM events) AND seq < ?1
    AND ${column} = ?3 ${newestEvents}`
}

/** A few rows each, which are put in order afterwards. */
export const fewQueries = {
  plansOfPost: `${planned} WHERE post_id = ?4 AND (planned_at, id) < (?1, ?2) ${newestPlans}`,
  openPlans: `${planned} WHERE ended_at IS NULL
    AND state IN (SELECT value FROM json_each(?4)) AND (planned_at, id) < (?1, ?2) ${newestPlans}`,
  verdict: `SELECT kind, reason, score, tier, until, evaluated_at FROM verdicts
    WHERE post_id = ?1
      AND at = (SELECT at FROM verdicts WHERE post_id = ?1 ORDER BY at DESC LIMIT 1)
    ORDER BY number`,
  samples: `SELECT ${samples.list} FROM samples WHERE post = ? ORDER BY at DESC
    LIMIT ${mostPoints + 1}`,
  firstSample: 'SELECT at FROM samples WHERE post = ? ORDER BY at LIMIT 1',
  sampleAt: `SELECT at, engagements FROM samples WHERE post = ? AND at <= ?
    ORDER BY at DESC LIMIT 1`,
  action: `SELECT id, action, state FROM actions WHERE post_id = ?
    ORDER BY ended_at IS NULL DESC, number DESC LIMIT 1`,
} as const

const ours = 'account_id IN (SELECT value FROM json_each(?1))'

/**
 * Of all accounts, or of those that are given as a list. Each names the index that holds what it
 * counts and nothing else; SQLite knows too little about the rows to find out.
 */
export function overviewQueries(scope: 'all' | 'some') {
  const where = scope === 'all' ? '?1 IS NULL' : ours
  return {
    watched: `SELECT count(*) FROM posts INDEXED BY posts_watched
      WHERE status = 'watched' AND ${where}`,
    stalled: `SELECT count(*) FROM posts INDEXED BY posts_stalled
      WHERE status = 'watched' AND latest_stalled = 1 AND ${where}`,
    open: `SELECT state, count(*), min(expires_at) FROM actions
      INDEXED BY actions_due WHERE ended_at IS NULL AND ${where} GROUP BY state`,
    ended: `SELECT state, count(*) FROM actions INDEXED BY actions_by_end
      WHERE ended_at > ?2 AND undoes IS NULL AND ${where} GROUP BY state`,
    parked: `SELECT count(*) FROM accounts INDEXED BY accounts_parked
      WHERE status = 'parked' AND ${where.replace('account_id', 'id')}`,
  }
}

const overviewOf = { all: overviewQueries('all'), some: overviewQueries('some') }

export class SqlitePages implements PageStore {
  readonly #connection: Connection
  readonly #time: FileTime

  constructor(connection: Connection, time: FileTime) {
    this.#connection = connection
    this.#time = time
  }

  async posts(by: PostOrder, before: Place | null, limit: number) {
    const read = (sql: string, value?: string): readonly ListedPost[] =>
      this.#connection.all(sql, ...marks(before, limit, value)).map((values) => ({
        post: this.#connection.read(posts, values),
        latest: values[posts.columns.length] as ListedPost['latest'],
      }))
    switch (by.kind) {
      case 'all':
        return read(pageQueries.posts)
      case 'never_touch':
        return read(pageQueries.postsToLeave)
      case 'latest':
        return read(pageQueries.postsByVerdict, by.latest)
      case 'status':
        return read(pageQueries.postsByStatus, by.status)
      case 'accounts':
        return merge(
          by.ids.map((id) => read(pageQueries.postsOfAccount, id)),
          limit,
          ({ post: { publishedAt, id } }) => ({ at: publishedAt, id }),
        )
    }
  }

  async actions(by: ActionOrder, before: Place | null, limit: number) {
    const read = (sql: string, value?: string): readonly ActionRow[] =>
      this.#connection.rows(actions, sql, ...marks(before, limit, value))
    switch (by.kind) {
      case 'all':
        return read(pageQueries.plans)
      case 'post':
        return read(fewQueries.plansOfPost, by.postId)
      case 'open':
        return read(fewQueries.openPlans, JSON.stringify(by.states))
      case 'accounts':
        return merge(
          by.ids.map((id) => read(pageQueries.plansOfAccount, id)),
          limit,
          ({ plannedAt, id }) => ({ at: plannedAt, id }),
        )
    }
  }

  async events(by: EventOrder, before: string | null, limit: number) {
    const from = before === null ? Number.MAX_SAFE_INTEGER : Number(before)
    if (!Number.isSafeInteger(from)) {
      throw new InputError('before', `${shown(before)} is not a place that a page gave as its next`)
    }
    const read = (most: number, sql: string, ...value: SQLInputValue[]): readonly PlacedEvent[] =>
      this.#connection
        .rows(events, sql, from, most, ...value)
        .map((event) => ({ event: event as LedgerEvent, place: String(event.seq) }))
    const readBoth = (unfiled: string, filed: string, id: string) => {
      const newest = read(limit, unfiled, id)
      const rest = limit - newest.length
      return rest <= 0 ? newest : [...newest, ...read(rest, filed, id)]
    }
    const { unfiledOfAccount, filedOfAccount, unfiledOfPost, filedOfPost } = pageQueries
    return this.#connection.snapshot(() => {
      switch (by.kind) {
        case 'all':
          return read(limit, pageQueries.events)
        case 'post':
          return readBoth(unfiledOfPost, filedOfPost, by.postId)
        case 'accounts':
          return merge(
            by.ids.map((id) => readBoth(unfiledOfAccount, filedOfAccount, id)),
            limit,
            ({ event }) => ({ at: event.seq, id: '' }),
          )
      }
    })
  }

  async news(ids: readonly PostId[]) {
    return this.#connection.snapshot(() => ids.map((id) => this.#newsOf(id)))
  }

  #newsOf(id: PostId): PostNews {
    const number = Number(this.#connection.get('SELECT number FROM posts WHERE id = ?', id)?.[0])
    const newest = this.#connection.rows(sampleReader, fewQueries.samples, number)
    const verdict = this.#connection.get(fewQueries.verdict, id)
    const action = this.#connection.get(fewQueries.action, id)
    return {
      latest: verdict === null ? null : toLatest(verdict),
      newest: newest[0] ?? null,
      points: newest.length <= mostPoints ? newest.map(toPoint).reverse() : this.#points(number),
      action: action === null ? null : toAction(action),
    }
  }

  /** Reads a long curve at some moments, each of them one lookup. */
  #points(number: number): readonly EngagementPoint[] {
    const firstAt = Number(this.#connection.get(fewQueries.firstSample, number)?.[0])
    const at = (time: number) => {
      const [found, engagements] = this.#connection.get(fewQueries.sampleAt, number, time) ?? []
      return { at: Number(found), engagements: Number(engagements) }
    }
    const last = at(Infinity)
    const read = [...pointTimes(firstAt, last.at).map(at), last]
    return read.filter((point, index) => point.at !== read[index - 1]?.at)
  }

  async overview(ids: readonly AccountId[] | null): Promise<Overview> {
    this.#time.raise()
    const since = this.#time.now() - dayMs
    const scope = ids === null ? null : JSON.stringify(ids)
    const queries = overviewOf[ids === null ? 'all' : 'some']
    const count = (sql: string) => Number(this.#connection.get(sql, scope)?.[0])
    return this.#connection.snapshot(() => {
      const open = byState(this.#connection.all(queries.open, scope))
      const ended = byState(this.#connection.all(queries.ended, scope, since))
      const inState = (state: State) => open.get(state)?.count ?? 0
      return {
        watched: count(queries.watched),
        stalled: count(queries.stalled),
        awaitingApproval: inState('awaiting_approval'),
        approved: inState('approved'),
        running: inState('running'),
        waiting: inState('waiting'),
        unknown: inState('unknown'),
        needsAttention: inState('needs_attention'),
        sentLast24h: ended.get('success')?.count ?? 0,
        failedLast24h: ended.get('failed')?.count ?? 0,
        parkedAccounts: count(queries.parked),
        nextApprovalExpiresAt: open.get('awaiting_approval')?.firstExpiresAt ?? null,
      }
    })
  }
}

/** From the newest on, the place is one that nothing comes after. */
function marks(before: Place | null, limit: number, value?: string): SQLInputValue[] {
  const rest = value === undefined ? [] : [value]
  return [before?.at ?? Infinity, before?.id ?? '', limit, ...rest]
}

/** Lists that are each in order become one. */
function merge<Row>(
  lists: readonly (readonly Row[])[],
  limit: number,
  placeOf: (row: Row) => Place,
): readonly Row[] {
  if (lists.length === 1) return lists[0] ?? []
  return lists
    .flat()
    .map((row) => ({ row, place: placeOf(row) }))
    .sort(({ place: a }, { place: b }) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .map(({ row }) => row)
}

function toLatest([kind, reason, score, tier, until, evaluatedAt]: Values): LatestVerdict {
  return {
    kind: kind as LatestVerdict['kind'],
    reason: reason as string | null,
    score: score as number | null,
    tier: tier as LatestVerdict['tier'],
    until: until === null ? null : (JSON.parse(String(until)) as Until),
    evaluatedAt: Number(evaluatedAt),
  }
}

function toAction([id, action, state]: Values): NonNullable<PostNews['action']> {
  return { id: id as ActionId, action: action as ActionRow['action'], state: state as State }
}

function toPoint({ at, engagements }: EngagementPoint): EngagementPoint {
  return { at, engagements }
}

function byState(rows: readonly Values[]) {
  return new Map(
    rows.map(([state, count, firstExpiresAt]) => [
      state as State,
      { count: Number(count), firstExpiresAt: firstExpiresAt as number | undefined },
    ]),
  )
}
