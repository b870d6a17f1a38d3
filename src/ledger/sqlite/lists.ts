/** Reads lists of rows a page at a time, and what is due. */

import type { AccountId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { isOpen } from '../../core/states.ts'
import type { State } from '../../core/states.ts'
import type {
  AccountRow,
  ActionRow,
  MeasurementRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from '../rows.ts'
import { dueKinds, dueStates } from '../store.ts'
import type { ActionFilter, DueKind, Page, PostFilter } from '../store.ts'
import type { Connection } from './connection.ts'
import { canBeNoticed, canExpire } from './state-rules.ts'
import { accounts, actions, measurements, pauses, posts, verdicts } from './tables.ts'

export function listAccounts(connection: Connection): readonly AccountRow[] {
  return connection.rows(accounts, `SELECT ${accounts.list} FROM accounts ORDER BY id`)
}

export function listPosts(
  connection: Connection,
  { accountId, status }: PostFilter,
  page: Page,
): readonly PostRow[] {
  const terms: Term[] = [pageTerm(page)]
  if (accountId !== undefined) terms.push({ sql: 'account_id = ?', values: [accountId] })
  if (status !== undefined) terms.push({ sql: 'status = ?', values: [status] })
  const { where, values } = join(terms)
  const sql = `SELECT ${posts.list} FROM posts WHERE ${where} ORDER BY id LIMIT ? + 0`
  return connection.rows(posts, sql, ...values, page.limit)
}

export function listActions(
  connection: Connection,
  { accountId, postId, states }: ActionFilter,
  page: Page,
): readonly ActionRow[] {
  const terms: Term[] = [pageTerm(page)]
  if (accountId !== undefined) terms.push({ sql: 'account_id = ?', values: [accountId] })
  if (postId !== undefined) terms.push({ sql: 'post_id = ?', values: [postId] })
  if (states !== undefined) terms.push(stateTerm(states))
  const { where, values } = join(terms)
  const sql = `SELECT ${actions.list} FROM actions WHERE ${where} ORDER BY id LIMIT ? + 0`
  return connection.rows(actions, sql, ...values, page.limit)
}

/** A part of a condition with the values for its marks. */
interface Term {
  readonly sql: string
  readonly values: readonly string[]
}

function pageTerm({ after }: Page): Term {
  // Ids are never empty, so every one of them comes after the empty text.
  return { sql: 'id > ?', values: [after ?? ''] }
}

/** Open actions are few, and an index holds only those; it is used where the query says so. */
function stateTerm(states: readonly State[]): Term {
  const marks = states.map(() => '?').join(', ')
  const sql = `state IN (${marks})${states.every(isOpen) ? ' AND ended_at IS NULL' : ''}`
  return { sql, values: states }
}

function join(terms: readonly Term[]) {
  return {
    where: terms.map(({ sql }) => sql).join(' AND '),
    values: terms.flatMap(({ values }) => values),
  }
}

const recentTexts = `SELECT text FROM actions
  WHERE account_id = ? AND undoes IS NULL AND text IS NOT NULL
  ORDER BY planned_at DESC, id DESC LIMIT ? + 0`

export function listRecentTexts(
  connection: Connection,
  id: AccountId,
  limit: number,
): readonly string[] {
  return connection.all(recentTexts, id, limit).map(([text]) => String(text))
}

export function listVerdicts(
  connection: Connection,
  postId: PostId,
  limit: number,
): readonly VerdictRow[] {
  const sql = `SELECT ${verdicts.list} FROM verdicts
    WHERE post_id = ? ORDER BY at DESC, number LIMIT ? + 0`
  return connection.rows(verdicts, sql, postId, limit)
}

export function listMeasurements(
  connection: Connection,
  postId: PostId,
): readonly MeasurementRow[] {
  const sql = `SELECT ${measurements.list} FROM measurements WHERE post_id = ? ORDER BY horizon_ms`
  return connection.rows(measurements, sql, postId)
}

export function readMeasurement(
  connection: Connection,
  postId: PostId,
  horizonMs: number,
): MeasurementRow | null {
  const sql = `SELECT ${measurements.list} FROM measurements WHERE post_id = ? AND horizon_ms = ?`
  return connection.row(measurements, sql, postId, horizonMs)
}

export function listPauses(connection: Connection): readonly PauseRow[] {
  return connection.rows(pauses, `SELECT ${pauses.list} FROM pauses ORDER BY number`)
}

/** Each asks one index, or merges several ranges of one, and stops at the limit. */
export const dueQueries: Readonly<Record<DueKind, string>> = {
  discover: dueBy('accounts', 'discover_at', `status = 'active'`),
  check: dueBy('posts', 'next_check_at'),
  expire: dueBy('actions', 'expires_at', canExpire),
  notice: dueBy('actions', 'notice_at', canBeNoticed),
  send: dueInStates(dueStates.send),
  reconcile: dueInStates(dueStates.reconcile),
  lease: dueInStates(dueStates.lease),
}

export const measurementsDue = `SELECT ${measurements.list} FROM measurements
  WHERE taken_at IS NULL AND due_at <= ?1 ORDER BY due_at, number LIMIT ?2 + 0`

function dueBy(table: string, column: string, condition = 'true'): string {
  return `SELECT id, ${column} FROM ${table} WHERE ${column} <= ?1 AND ${condition}
    ORDER BY ${column}, id LIMIT ?2 + 0`
}

function dueInStates(states: readonly State[]): string {
  const ranges = states.map(
    (state) => `SELECT id, due_at FROM actions
      WHERE state = '${state}' AND due_at <= ?1 AND ended_at IS NULL`,
  )
  return `${ranges.join(' UNION ALL ')} ORDER BY due_at, id LIMIT ?2 + 0`
}

export function listDue(
  connection: Connection,
  kind: DueKind,
  now: Instant,
  limit: number,
): readonly string[] {
  return connection.all(dueQueries[kind], now, limit).map(([id]) => String(id))
}

export function listDueMeasurements(
  connection: Connection,
  now: Instant,
  limit: number,
): readonly MeasurementRow[] {
  return connection.rows(measurements, measurementsDue, now, limit)
}

const firstMeasurement = 'SELECT min(due_at) FROM measurements WHERE taken_at IS NULL'

/** The first of each index, and of these the earliest. */
export function readNextDueAt(connection: Connection): Instant | null {
  const times = dueKinds.map((kind) => connection.get(dueQueries[kind], Infinity, 1)?.[1])
  times.push(connection.get(firstMeasurement)?.[0])
  return times.filter((time) => typeof time === 'number').sort((a, b) => a - b)[0] ?? null
}
