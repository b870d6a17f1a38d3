/** Lists for people from Postgres, each row found by an index. */

import { dayMs } from '../../core/duration.ts'
import type { AccountId, PostId } from '../../core/ids.ts'
import { InputError, shown } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import { mostPoints } from '../pages.ts'
import type { LatestVerdict, Overview, PostNews } from '../pages.ts'
import type { ActionOrder, EventOrder, ListedPost, PageStore, Place, PostOrder } from '../store.ts'
import { readRow, toArray } from './columns.ts'
import type { SentRow } from './columns.ts'
import { sentEvent, toEvent } from './events.ts'
import type { SentEvent } from './events.ts'
import { toLimit } from './lists.ts'
import type { Operation } from './operation.ts'
import type { Value } from './pg.ts'
import { actionTable, postTable } from './tables.ts'
import type { Transactions } from './transactions.ts'
import { toSample } from './views.ts'
import type { SentSample } from './views.ts'

/** A table in the order of a time; `$1` and `$2` are the place and `$3` the limit. */
interface Timeline {
  readonly table: string
  readonly at: string
}

const postLine: Timeline = { table: 'posts', at: 'published_at' }
const actionLine: Timeline = { table: 'actions', at: 'planned_at' }

function newest(name: string, { table, at }: Timeline, where: string): Operation<SentRow> {
  return {
    name: `newest_${table}_${name}`,
    text: (s) => `select row_to_json(t) from ${s}.${table} t
      where (t.${at}, t.id) < ($1::float8, $2) and ${where}
      order by t.${at} desc, t.id desc limit $3::int`,
  }
}

/** The newest of each account in `$4`, and of these the newest. */
function newestOfAccounts({ table, at }: Timeline): Operation<SentRow> {
  return {
    name: `newest_${table}_of_accounts`,
    text: (s) => `select row_to_json(t) from unnest($4::text[]) as a (id), lateral (
        select * from ${s}.${table} t
        where t.account_id = a.id and (t.${at}, t.id) < ($1::float8, $2)
        order by t.${at} desc, t.id desc limit $3::int) t
      order by t.${at} desc, t.id desc limit $3::int`,
  }
}

const posts = {
  all: newest('all', postLine, 'true'),
  never_touch: newest('never_touch', postLine, 't.never_touch'),
  latest: newest('latest', postLine, 't.latest_kind = $4'),
  status: newest('status', postLine, 't.status = $4'),
  accounts: newestOfAccounts(postLine),
}

const actions = {
  all: newest('all', actionLine, 'true'),
  accounts: newestOfAccounts(actionLine),
}

/** A few rows, which are put in order afterwards. */
function few(name: string, where: string): Operation<SentRow> {
  return {
    name: `few_actions_${name}`,
    text: (s) => `with few as materialized (select * from ${s}.actions where ${where})
      select row_to_json(t) from few t where (t.planned_at, t.id) < ($1::float8, $2)
      order by t.planned_at desc, t.id desc limit $3::int`,
  }
}

const actionsOfPost = few('of_post', 'post_id = $4')
const openActions = few('open', 'ended_at is null and state = any($4::text[])')

/** The readings of a curve that is short, or those at some moments of one that is long. */
function points(s: string): string {
  const gaps = mostPoints - 1
  return `case when (
      select count(*) from (
        select 1 from ${s}.samples t where t.post_id = p.id limit ${mostPoints + 1}) c
      ) <= ${mostPoints}
    then (select json_agg(json_build_object('at', t.at, 'engagements', t.engagements) order by t.at)
      from ${s}.samples t where t.post_id = p.id)
    else (select json_agg(json_build_object('at', d.at, 'engagements', d.engagements) order by d.at)
      from (
        select distinct on (l.at) l.at, l.engagements
        from (select min(t.at) as first_at, max(t.at) as last_at
            from ${s}.samples t where t.post_id = p.id) e,
          generate_series(0, ${gaps}) i,
          lateral (
            select t.at, t.engagements from ${s}.samples t
            where t.post_id = p.id and t.at <= case when i = ${gaps} then e.last_at
              else e.first_at + (e.last_at - e.first_at) * i / ${gaps} end
            order by t.at desc limit 1) l
        order by l.at) d)
    end`
}

type SentNews = readonly [
  latest: LatestVerdict | null,
  newest: SentSample | null,
  points: PostNews['points'] | null,
  action: PostNews['action'],
]

const readNews: Operation<SentNews> = {
  name: 'read_news',
  text: (s) => `select json_build_array(
      (select json_build_object('kind', t.kind, 'reason', t.reason, 'score', t.score,
          'tier', t.tier, 'until', t.until, 'evaluatedAt', t.evaluated_at)
        from ${s}.verdicts t where t.post_id = p.id order by t.at desc, t.number limit 1),
      (select json_build_array(t.at, t.impressions, t.engagements, t.interactions)
        from ${s}.samples t where t.post_id = p.id order by t.at desc limit 1),
      ${points(s)},
      (select json_build_object('id', t.id, 'action', t.action, 'state', t.state)
        from ${s}.actions t where t.post_id = p.id
        order by t.ended_at is null desc, t.number desc limit 1))
    from unnest($1::text[]) with ordinality as p (id, ordinality) order by p.ordinality`,
}

const beforePlace = '(e.txn, e.seq) < ($1::bigint, $2::bigint)'
const newestEvents = 'order by e.txn desc, e.seq desc limit $3::int'

function events(name: string, where: string): Operation<SentEvent> {
  return {
    name: `newest_events_${name}`,
    text: (s) => `select json_build_array(${sentEvent}) from ${s}.events e
      where ${beforePlace} and ${where} ${newestEvents}`,
  }
}

const allEvents = events('all', 'true')
const eventsOfPost = events('of_post', 'e.post_id = $4')
const eventsOfAccounts: Operation<SentEvent> = {
  name: 'newest_events_of_accounts',
  text: (s) => `select json_build_array(${sentEvent}) from unnest($4::text[]) as a (id), lateral (
      select * from ${s}.events e where e.account_id = a.id and ${beforePlace} ${newestEvents}) e
    ${newestEvents}`,
}

type SentOverview = readonly [
  watched: number,
  stalled: number,
  open: Readonly<Record<string, number>> | null,
  ended: Readonly<Record<string, number>> | null,
  parked: number,
  nextExpiry: Instant | null,
]

/** Of all accounts, or of those in `$2`; `$1` is the time of a given clock. */
function readOverview(scope: 'all' | 'some'): Operation<SentOverview> {
  const ours = scope === 'all' ? 'true' : 'account_id = any($2::text[])'
  return {
    name: `overview_of_${scope}`,
    text: (s) => `
      with clock as materialized (select ${s}.ledger_now($1) - ${dayMs} as since),
      open as materialized (
        select state, count(*) as count, min(expires_at) as expires_at
        from ${s}.actions where ended_at is null and ${ours} group by state),
      ended as materialized (
        select state, count(*) as count from ${s}.actions
        where ended_at > (select since from clock) and undoes is null and ${ours} group by state)
      select json_build_array(
        (select count(*) from ${s}.posts where status = 'watched' and ${ours}),
        (select count(*) from ${s}.posts
          where status = 'watched' and latest_stalled and ${ours}),
        (select json_object_agg(state, count) from open),
        (select json_object_agg(state, count) from ended),
        (select count(*) from ${s}.accounts
          where status = 'parked' and ${ours.replace('account_id', 'id')}),
        (select expires_at from open where state = 'awaiting_approval'))`,
  }
}

const overviews = { all: readOverview('all'), some: readOverview('some') }

export class PostgresPages implements PageStore {
  readonly #db: Transactions
  readonly #clockTime: () => Instant | null

  constructor(db: Transactions, clockTime: () => Instant | null) {
    this.#db = db
    this.#clockTime = clockTime
  }

  async posts(by: PostOrder, before: Place | null, limit: number) {
    const rest =
      by.kind === 'accounts'
        ? [toArray(by.ids)]
        : by.kind === 'latest'
          ? [by.latest]
          : by.kind === 'status'
            ? [by.status]
            : []
    const sent = await this.#db.read(posts[by.kind], ...marks(before, limit), ...rest)
    return sent.map((row) => ({
      post: readRow(postTable, row),
      latest: row['latest_kind'] as ListedPost['latest'],
    }))
  }

  async actions(by: ActionOrder, before: Place | null, limit: number) {
    const sent = await this.#readActions(by, marks(before, limit))
    return sent.map((row) => readRow(actionTable, row))
  }

  #readActions(by: ActionOrder, values: readonly Value[]): Promise<readonly SentRow[]> {
    switch (by.kind) {
      case 'all':
        return this.#db.read(actions.all, ...values)
      case 'accounts':
        return this.#db.read(actions.accounts, ...values, toArray(by.ids))
      case 'post':
        return this.#db.read(actionsOfPost, ...values, by.postId)
      case 'open':
        return this.#db.read(openActions, ...values, toArray(by.states))
    }
  }

  async news(ids: readonly PostId[]) {
    if (ids.length === 0) return []
    const sent = await this.#db.read(readNews, toArray(ids))
    return sent.map(([latest, reading, curve, action]) => ({
      latest,
      newest: reading === null ? null : toSample(reading),
      points: curve ?? [],
      action,
    }))
  }

  async events(by: EventOrder, before: string | null, limit: number) {
    const values = [...parsePlace(before), toLimit(limit)]
    const sent = await this.#readEvents(by, values)
    return sent.map((row) => ({ event: toEvent(row), place: `${row[0]}:${row[1]}` }))
  }

  #readEvents(by: EventOrder, values: readonly Value[]): Promise<readonly SentEvent[]> {
    switch (by.kind) {
      case 'all':
        return this.#db.read(allEvents, ...values)
      case 'accounts':
        return this.#db.read(eventsOfAccounts, ...values, toArray(by.ids))
      case 'post':
        return this.#db.read(eventsOfPost, ...values, by.postId)
    }
  }

  async overview(ids: readonly AccountId[] | null): Promise<Overview> {
    const values = [this.#clockTime(), ...(ids === null ? [] : [toArray(ids)])]
    const [sent] = await this.#db.read(overviews[ids === null ? 'all' : 'some'], ...values)
    const [watched, stalled, open, ended, parkedAccounts, expiry] = sent ?? nothing
    return {
      watched,
      stalled,
      awaitingApproval: open?.['awaiting_approval'] ?? 0,
      approved: open?.['approved'] ?? 0,
      running: open?.['running'] ?? 0,
      waiting: open?.['waiting'] ?? 0,
      unknown: open?.['unknown'] ?? 0,
      needsAttention: open?.['needs_attention'] ?? 0,
      sentLast24h: ended?.['success'] ?? 0,
      failedLast24h: ended?.['failed'] ?? 0,
      parkedAccounts,
      nextApprovalExpiresAt: expiry,
    }
  }
}

const nothing: SentOverview = [0, 0, null, null, 0, null]

/** From the newest on, the place is one that nothing comes after. */
function marks(before: Place | null, limit: number): readonly Value[] {
  return [before?.at ?? Infinity, before?.id ?? '', toLimit(limit)]
}

function parsePlace(place: string | null): readonly [string, string] {
  if (place === null) return [`${2n ** 63n - 1n}`, '0']
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(place)
  if (match === null) {
    throw new InputError('before', `${shown(place)} is not a place that a page gave as its next`)
  }
  return [match[1] ?? '0', match[2] ?? '0']
}
