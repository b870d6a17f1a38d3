/** Owns pauses, settings, rows from elsewhere and erasure in Postgres. */

import type { NewEvent } from '../../core/events.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { PauseRow } from '../rows.ts'
import type { ImportRows } from '../store.ts'
import { arraysOf, insertRows, upsertRows } from './columns.ts'
import { eventsFrom, eventValues } from './events.ts'
import { call, firstOf } from './operation.ts'
import type { Operation } from './operation.ts'
import type { QueryResult } from './pg.ts'
import { actionTable, pauseTable, postTable } from './tables.ts'
import type { Transactions } from './transactions.ts'
import { writeEvents } from './write-changes.ts'

/** Waits for the attempts that are about to begin, and lets none begin until the commit (I11). */
const lockPauses: Operation = {
  name: 'lock_pauses',
  text: (s) => `select pg_advisory_xact_lock(hashtextextended('secondwind ${s} pauses', 0))`,
}

/** A pause that is set again is the latest. */
const upsertPause: Operation = {
  name: 'upsert_pause',
  text: (s) => `${upsertRows(s, pauseTable, 'scope, target', 1)}, number = default`,
}

export async function pause(
  db: Transactions,
  row: PauseRow,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<void> {
  await db.write(
    call(lockPauses),
    call(upsertPause, ...arraysOf(pauseTable, [row])),
    ...writeEvents(events, eventOffset),
  )
}

/** Where one `outlasts` it, nothing is written. */
const upsertRest: Operation<boolean> = {
  name: 'upsert_rest',
  text: (s) => `
    with written as (${upsertRows(s, pauseTable, 'scope, target', 1)}, number = default
      where pauses.until < coalesce(excluded.until, 'infinity') returning 1),
    said as (${eventsFrom(s, pauseTable.columns.length + 1)} where exists (select from written))
    select to_json(exists (select from written))`,
}

export async function rest(
  db: Transactions,
  row: PauseRow,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<boolean> {
  const values = [...arraysOf(pauseTable, [row]), ...eventValues(events, eventOffset)]
  const [, written] = await db.write(call(lockPauses), call(upsertRest, ...values))
  return written !== undefined && firstOf(upsertRest, written) === true
}

const deletePause: Operation<boolean> = {
  name: 'delete_pause',
  text: (s) => `
    with gone as (delete from ${s}.pauses where scope = $1 and target = $2 returning 1),
    said as (${eventsFrom(s, 3)} where exists (select from gone))
    select to_json(exists (select from gone))`,
}

export async function resume(
  db: Transactions,
  scope: PauseRow['scope'],
  target: string,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<boolean> {
  const [, deleted] = (await db.write(
    call(lockPauses),
    call(deletePause, scope, target, ...eventValues(events, eventOffset)),
  )) as [QueryResult, QueryResult]
  return firstOf(deletePause, deleted) === true
}

const readSetting: Operation<string> = {
  name: 'read_setting',
  text: (s) => `select to_json(value) from ${s}.settings where name = $1`,
}

export async function getSetting(db: Transactions, name: string): Promise<string | null> {
  return (await db.read(readSetting, name))[0] ?? null
}

const insertSetting: Operation = {
  name: 'insert_setting',
  text: (s) => `insert into ${s}.settings (name, value) values ($1, $2) on conflict do nothing`,
}

export async function settleSetting(db: Transactions, name: string, value: string) {
  const [, stored] = (await db.write(
    call(insertSetting, name, value),
    call(readSetting, name),
  )) as [QueryResult, QueryResult]
  return firstOf(readSetting, stored) ?? value
}

const importPosts: Operation = {
  name: 'import_posts',
  text: (s) => `${insertRows(s, postTable, 1)} on conflict (id) do nothing`,
}

const importRows: Operation = {
  name: 'import_actions',
  text: (s) => `${insertRows(s, actionTable, 1)} on conflict (key) do nothing`,
}

export async function importActions(
  db: Transactions,
  { posts, actions }: ImportRows,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<number> {
  const [, imported] = await db.write(
    call(importPosts, ...arraysOf(postTable, posts)),
    call(importRows, ...arraysOf(actionTable, actions)),
    ...writeEvents(events, eventOffset),
  )
  return imported?.rowCount ?? 0
}

/** In the order in which all others lock: account, posts, actions, and then what hangs on them. */
const eraseAccountRow: Operation = {
  name: 'erase_account',
  text: (s) => `update ${s}.accounts
    set credentials = null, handle = '', status_reason = null, profile = null, status = 'erased'
    where id = $1`,
}

const erasePosts: Operation = {
  name: 'erase_posts',
  text: (s) => `update ${s}.posts set text = null, url = null, next_check_at = null,
      status = case when status = 'watched' then 'closed' else status end,
      closed_at = coalesce(closed_at, $2::float8)
    where account_id = $1`,
}

/** The law of actions lets this pass because the account is erased by now. */
const eraseActions: Operation = {
  name: 'erase_actions',
  text: (s) => `update ${s}.actions
    set text = null, outcome = null, fault = ${s}.erased_fault(fault)
    where account_id = $1 and (text is not null or outcome is not null or fault is not null)`,
}

const eraseAttempts: Operation = {
  name: 'erase_attempts',
  text: (s) => `update ${s}.attempts t
    set prepared = null, fault = ${s}.erased_fault(t.fault) from ${s}.actions a
    where a.account_id = $1 and t.action_id = a.id
      and (t.prepared is not null or t.fault is not null)`,
}

const eraseApprovals: Operation = {
  name: 'erase_approvals',
  text: (s) => `update ${s}.approvals t set reason = null from ${s}.actions a
    where a.account_id = $1 and t.action_id = a.id and t.reason is not null`,
}

const erasePauses: Operation = {
  name: 'erase_pauses',
  text: (s) => `update ${s}.pauses set reason = '' where scope = 'account' and target = $1`,
}

const sayErased: Operation = {
  name: 'say_erased',
  text: (s) => `${eventsFrom(s, 2)} where exists (select from ${s}.accounts where id = $1)`,
}

export async function eraseAccount(
  db: Transactions,
  id: AccountId,
  at: Instant,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<void> {
  await db.write(
    call(eraseAccountRow, id),
    call(erasePosts, id, at),
    call(eraseActions, id),
    call(eraseAttempts, id),
    call(eraseApprovals, id),
    call(erasePauses, id),
    call(sayErased, id, ...eventValues(events, eventOffset)),
  )
}
