/**
 * The events in the file, and the chain over them. Only one transaction writes at a time, so events
 * become visible in the order of their numbers and a reader who goes on from the last one misses
 * none.
 */

import type { LedgerEvent, NewEvent } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import { chainStart, sealEvent } from '../audit.ts'
import { accountsOf } from '../pages.ts'
import type { Cursor, EventFilter, EventPage, SealedEvent } from '../store.ts'
import { insertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { audit, events } from './tables.ts'
import type { EventRow } from './tables.ts'

const insertEvent = `INSERT INTO events
  (at, type, account_id, post_id, action_id, data, written_at) VALUES (?, ?, ?, ?, ?, ?, ?)`

export function appendEvents(
  connection: Connection,
  added: readonly NewEvent[],
  now: Instant,
): void {
  for (const { at, type, accountId, postId, actionId, data } of added) {
    const text = JSON.stringify(data)
    connection.run(insertEvent, at, type, accountId, postId, actionId, text, now)
  }
}

export function readEvents(
  connection: Connection,
  after: Cursor | null,
  filter: EventFilter,
  limit: number,
): EventPage {
  const from = after === null ? 0 : Number(after)
  if (limit <= 0) return { events: [], cursor: String(from) }
  const { types } = filter
  const ids = accountsOf(filter)
  const ofTypes = types === undefined ? '' : `AND type IN (${types.map(() => '?').join(', ')})`
  const ofAccounts = ids === null ? '' : 'AND account_id IN (SELECT value FROM json_each(?))'
  const found = connection.rows(
    events,
    `SELECT ${events.list} FROM events WHERE seq > ? ${ofTypes} ${ofAccounts}
      ORDER BY seq LIMIT ? + 0`,
    from,
    ...(types ?? []),
    ...(ids === null ? [] : [JSON.stringify(ids)]),
    limit,
  )
  // A page that is not full has seen all there is, also what the filter left out.
  const last = found.length === limit ? found.at(-1)?.seq : lastSeq(connection)
  return { events: found.map(toEvent), cursor: String(Math.max(from, last ?? 0)) }
}

function lastSeq(connection: Connection): number {
  return Number(connection.get('SELECT max(seq) FROM events')?.[0] ?? 0)
}

function toEvent(row: EventRow): LedgerEvent {
  return row as LedgerEvent
}

/** Chains the oldest events that are not in the chain yet. */
export function sealEvents(connection: Connection, limit: number): number {
  const last = lastEntry(connection)
  const fresh = connection.rows(
    events,
    `SELECT ${events.list} FROM events WHERE seq > ? ORDER BY seq LIMIT ? + 0`,
    last.seq,
    limit,
  )
  let { number, hash } = last
  for (const row of fresh) {
    const entry = sealEvent(hash, number + 1, toEvent(row))
    connection.write(insertEntry, entry)
    number = entry.number
    hash = entry.hash
  }
  return fresh.length
}

const insertEntry = insertInto(audit)

function lastEntry(connection: Connection) {
  const sql = `SELECT ${audit.list} FROM audit ORDER BY number DESC LIMIT 1`
  return connection.row(audit, sql) ?? { number: 0, seq: 0, hash: chainStart }
}

export function readAudit(
  connection: Connection,
  afterNumber: number,
  limit: number,
): readonly SealedEvent[] {
  const entries = connection.rows(
    audit,
    `SELECT ${audit.list} FROM audit WHERE number > ? ORDER BY number LIMIT ? + 0`,
    afterNumber,
    limit,
  )
  const event = `SELECT ${events.list} FROM events WHERE seq = ?`
  return entries.map((entry) => {
    const row = connection.row(events, event, entry.seq)
    return { entry, event: row === null ? null : toEvent(row) }
  })
}

export function countUnsealed(connection: Connection): number {
  const { seq } = lastEntry(connection)
  return Number(connection.get('SELECT count(*) FROM events WHERE seq > ?', seq)?.[0])
}
