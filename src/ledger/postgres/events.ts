/**
 * Owns the event table's order, and the chain over it. Numbers are given when a row is inserted,
 * not when it is committed, so a reader that goes by them can pass a row which becomes visible only
 * later. Each event therefore keeps its transaction, and is read once no transaction that could
 * come before it is under way. A row that commits late is late for all, and missed by none.
 *
 * Transactions are counted by the server, over all its databases: a long one anywhere on it holds
 * readers up. And a dump that is loaded into another server meets another count there. So what is
 * kept is the count plus an offset, which is raised on opening when what is stored lies ahead.
 */

import type { LedgerEvent, NewEvent } from '../../core/events.ts'
import { InputError, shown } from '../../core/input-error.ts'
import { chainStart, sealEvent } from '../audit.ts'
import type { AuditEntry } from '../audit.ts'
import { accountsOf } from '../pages.ts'
import type { Cursor, EventFilter, EventPage, SealedEvent } from '../store.ts'
import { arraysOf, columnList, rowsFrom, toArray } from './columns.ts'
import { call, firstOf } from './operation.ts'
import type { Operation } from './operation.ts'
import type { QueryResult, Value } from './pg.ts'
import { eventTable } from './tables.ts'
import type { Transactions } from './transactions.ts'

/**
 * An insert of events, whose parameters are those of `eventValues` from a number on. A condition on
 * their rows `v` may follow.
 */
export function eventsFrom(s: string, first: number): string {
  const list = columnList(eventTable)
  return `insert into ${s}.events (txn, ${list})
    select pg_current_xact_id()::text::bigint + $${first}::bigint, ${list}
    from ${rowsFrom(eventTable, first + 1)}`
}

export function eventValues(events: readonly NewEvent[], eventOffset: string): Value[] {
  return [eventOffset, ...arraysOf(eventTable, events)]
}

/** All before it is committed or rolled back. */
function horizon(offsetMark: string): string {
  return `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${offsetMark}::bigint)`
}

const raiseOffset: Operation = {
  name: 'raise_event_offset',
  text: (s) => `
    with latest as materialized (select max(txn) as txn from ${s}.events)
    update ${s}.ledger_state set event_offset = latest.txn + 1 from latest
    where latest.txn >= event_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
}

const readOffset: Operation<string> = {
  name: 'read_event_offset',
  text: (s) => `select to_json(event_offset::text) from ${s}.ledger_state`,
}

/** The offset for as long as the store is open. */
export async function openEvents(db: Transactions): Promise<string> {
  const [, read] = (await db.write(call(raiseOffset), call(readOffset))) as [
    QueryResult,
    QueryResult,
  ]
  return firstOf(readOffset, read) ?? '0'
}

export type SentEvent = readonly [
  txn: number,
  seq: number,
  at: number,
  type: string,
  accountId: string | null,
  postId: string | null,
  actionId: string | null,
  data: unknown,
]

export const sentEvent = 'e.txn, e.seq, e.at, e.type, e.account_id, e.post_id, e.action_id, e.data'

export function toEvent([
  ,
  seq,
  at,
  type,
  accountId,
  postId,
  actionId,
  data,
]: SentEvent): LedgerEvent {
  return { seq, at, type, accountId, postId, actionId, data } as LedgerEvent
}

const insertEvents: Operation = { name: 'insert_events', text: (s) => eventsFrom(s, 1) }

export async function say(
  db: Transactions,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<void> {
  await db.write(call(insertEvents, ...eventValues(events, eventOffset)))
}

/** Also answers where the readable events end, so that a filter does not read the same again. */
const readPage: Operation<SentPage> = {
  name: 'read_events',
  text: (s) => `
    with page as materialized (
      select e.* from ${s}.events e
      where (e.txn, e.seq) > ($1::bigint, $2::bigint) and e.txn < ${horizon('$3')}
        and ($4::text[] is null or e.type = any($4))
        and ($5::text[] is null or e.account_id = any($5))
      order by e.txn, e.seq limit $6::int)
    select json_build_array(
      (select json_agg(json_build_array(${sentEvent}) order by e.txn, e.seq) from page e),
      (select json_build_array(e.txn, e.seq) from ${s}.events e
        where e.txn < ${horizon('$3')} order by e.txn desc, e.seq desc limit 1))`,
}

type SentPage = readonly [readonly SentEvent[] | null, readonly [number, number] | null]

export async function readEvents(
  db: Transactions,
  after: Cursor | null,
  filter: EventFilter,
  limit: number,
  eventOffset: string,
): Promise<EventPage> {
  const [txn, seq] = parseCursor(after)
  const { types } = filter
  const ids = accountsOf(filter)
  const wanted = types === undefined ? null : toArray(types)
  const values = [txn, seq, eventOffset, wanted, ids === null ? null : toArray(ids), limit]
  const [page] = await db.read(readPage, ...values)
  const [sent, end] = page ?? [null, null]
  const rows = sent ?? []
  const last = rows.length < limit ? (end ?? [txn, seq]) : (rows.at(-1) ?? [txn, seq])
  return { events: rows.map(toEvent), cursor: `${last[0]}:${last[1]}` }
}

function parseCursor(cursor: Cursor | null): readonly [number, number] {
  if (cursor === null) return [0, 0]
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(cursor)
  if (match === null) {
    throw new InputError('after', `${shown(cursor)} is not a cursor that this ledger gave`)
  }
  return [Number(match[1]), Number(match[2])]
}

const lockSeal: Operation = {
  name: 'lock_seal',
  text: (s) => `select pg_advisory_xact_lock(hashtextextended('secondwind ${s} seal', 0))`,
}

const readTail: Operation<SentTail> = {
  name: 'read_tail',
  text: (s) => `
    with latest as materialized (
      select number, txn, seq, hash from ${s}.audit order by number desc limit 1),
    tail as materialized (
      select e.* from ${s}.events e
      where (e.txn, e.seq) > (coalesce((select txn from latest), 0),
          coalesce((select seq from latest), 0)) and e.txn < ${horizon('$1')}
      order by e.txn, e.seq limit $2::int)
    select json_build_array(
      (select json_build_array(number, hash) from latest),
      (select json_agg(json_build_array(${sentEvent}) order by e.txn, e.seq) from tail e))`,
}

const insertEntries: Operation = {
  name: 'insert_audit',
  text: (s) => `insert into ${s}.audit (number, txn, seq, hash)
    select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])`,
}

type SentTail = readonly [readonly [number, string] | null, readonly SentEvent[] | null]

/** One sealer at a time, so that the chain cannot fork. */
export async function seal(db: Transactions, limit: number, eventOffset: string): Promise<number> {
  return db.exchange([call(lockSeal), call(readTail, eventOffset, limit)], ([, read]) => {
    const [latest, sent] = firstOf(readTail, read as QueryResult) ?? [null, null]
    let [number, hash] = latest ?? [0, chainStart]
    const entries: (AuditEntry & { readonly txn: number })[] = []
    for (const event of sent ?? []) {
      number += 1
      const entry = sealEvent(hash, number, toEvent(event))
      hash = entry.hash
      entries.push({ ...entry, txn: event[0] })
    }
    const write = call(
      insertEntries,
      toArray(entries.map((entry) => entry.number)),
      toArray(entries.map(({ txn }) => txn)),
      toArray(entries.map(({ seq }) => seq)),
      toArray(entries.map((entry) => entry.hash)),
    )
    return { result: entries.length, writes: entries.length === 0 ? [] : [write] }
  })
}

const readEntries: Operation<SentEntry> = {
  name: 'read_audit',
  text: (s) => `select json_build_array(a.number, a.seq, a.hash,
      case when e.seq is not null then json_build_array(${sentEvent}) end)
    from ${s}.audit a left join ${s}.events e on e.txn = a.txn and e.seq = a.seq
    where a.number > $1::bigint order by a.number limit $2::int`,
}

type SentEntry = readonly [number, number, string, SentEvent | null]

export async function readAudit(
  db: Transactions,
  afterNumber: number,
  limit: number,
): Promise<readonly SealedEvent[]> {
  const sent = await db.read(readEntries, afterNumber, limit)
  return sent.map(([number, seq, hash, event]) => ({
    entry: { number, seq, hash },
    event: event === null ? null : toEvent(event),
  }))
}

const countTail: Operation<number> = {
  name: 'count_unsealed',
  text: (s) => `
    with latest as materialized (
      select txn, seq from ${s}.audit order by number desc limit 1)
    select to_json(count(*)) from ${s}.events e
    where (e.txn, e.seq) > (coalesce((select txn from latest), 0),
      coalesce((select seq from latest), 0))`,
}

export async function countUnsealed(db: Transactions): Promise<number> {
  return (await db.read(countTail))[0] ?? 0
}
