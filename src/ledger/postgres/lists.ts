/** Owns single rows by their id and lists of rows, each page by an index. */

import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import { isOpen } from '../../core/states.ts'
import type {
  AccountRow,
  ActionRow,
  ApprovalRow,
  AttemptRow,
  MeasurementRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from '../rows.ts'
import type { ActionFilter, Page, PostFilter } from '../store.ts'
import { readRow, toArray } from './columns.ts'
import type { SentRow, Table } from './columns.ts'
import type { Operation } from './operation.ts'
import type { Value } from './pg.ts'
import type { ByIdOperation } from './reads.ts'
import {
  accountTable,
  actionTable,
  approvalTable,
  attemptTable,
  measurementTable,
  pauseTable,
  postTable,
  verdictTable,
} from './tables.ts'
import type { Transactions } from './transactions.ts'

/** A page's limit is an integer in SQL, where there is no Infinity. */
export function toLimit(limit: number): number {
  return Math.min(limit, 2_147_483_647)
}

async function list<Row>(
  db: Transactions,
  table: Table<Row>,
  operation: Operation<SentRow>,
  ...values: readonly Value[]
): Promise<readonly Row[]> {
  const sent = await db.read(operation, ...values)
  return sent.map((row) => readRow(table, row))
}

function selectFrom(name: string, table: Table<unknown>, rest: string): Operation<SentRow> {
  return { name, text: (s) => `select row_to_json(t) from ${s}.${table.name} t ${rest}` }
}

/** The row of each id, or null. */
function rowOf(name: string, table: Table<unknown>): ByIdOperation<SentRow> {
  return {
    name,
    text: (s) => `select (select row_to_json(t) from ${s}.${table.name} t where t.id = v.id)
      from unnest($1::text[]) as v (id)`,
  }
}

/** The rows that belong to each id, in an order. */
function rowsOf(
  name: string,
  table: Table<unknown>,
  column: string,
  order: string,
): ByIdOperation<readonly SentRow[]> {
  return {
    name,
    text: (s) => `select (select json_agg(row_to_json(t) order by t.${order})
        from ${s}.${table.name} t where t.${column} = v.id)
      from unnest($1::text[]) as v (id)`,
  }
}

const oneAccount = rowOf('one_account', accountTable)
const onePost = rowOf('one_post', postTable)
const oneAction = rowOf('one_action', actionTable)
const attempts = rowsOf('attempts', attemptTable, 'action_id', 'number')
const approvals = rowsOf('approvals', approvalTable, 'action_id', 'number')
const measurements = rowsOf('measurements', measurementTable, 'post_id', 'horizon_ms')
const allAccounts = selectFrom('all_accounts', accountTable, 'order by id')
const pauses = selectFrom('pauses', pauseTable, 'order by number')
const verdicts = selectFrom(
  'verdicts',
  verdictTable,
  'where post_id = $1 order by at desc, number limit $2::int',
)

async function get<Row>(
  db: Transactions,
  table: Table<Row>,
  operation: ByIdOperation<SentRow>,
  id: string,
): Promise<Row | null> {
  const sent = await db.readById(operation, id)
  return sent === null ? null : readRow(table, sent)
}

async function listOf<Row>(
  db: Transactions,
  table: Table<Row>,
  operation: ByIdOperation<readonly SentRow[]>,
  id: string,
): Promise<readonly Row[]> {
  const sent = await db.readById(operation, id)
  return (sent ?? []).map((row) => readRow(table, row))
}

export function getAccount(db: Transactions, id: AccountId): Promise<AccountRow | null> {
  return get(db, accountTable, oneAccount, id)
}

export async function getPosts(
  db: Transactions,
  ids: readonly PostId[],
): Promise<readonly (PostRow | null)[]> {
  if (ids.length === 0) return []
  const sent = await db.read(onePost, toArray(ids))
  return sent.map((row) => (row === null ? null : readRow(postTable, row)))
}

export function getAction(db: Transactions, id: ActionId): Promise<ActionRow | null> {
  return get(db, actionTable, oneAction, id)
}

export function listAttempts(db: Transactions, id: ActionId): Promise<readonly AttemptRow[]> {
  return listOf(db, attemptTable, attempts, id)
}

export function listApprovals(db: Transactions, id: ActionId): Promise<readonly ApprovalRow[]> {
  return listOf(db, approvalTable, approvals, id)
}

export function listMeasurements(db: Transactions, id: PostId): Promise<readonly MeasurementRow[]> {
  return listOf(db, measurementTable, measurements, id)
}

export function listAccounts(db: Transactions): Promise<readonly AccountRow[]> {
  return list(db, accountTable, allAccounts)
}

export function listPauses(db: Transactions): Promise<readonly PauseRow[]> {
  return list(db, pauseTable, pauses)
}

export function listVerdicts(
  db: Transactions,
  id: PostId,
  limit: number,
): Promise<readonly VerdictRow[]> {
  return list(db, verdictTable, verdicts, id, toLimit(limit))
}

export function listPosts(
  db: Transactions,
  { accountId, status }: PostFilter,
  { after, limit }: Page,
): Promise<readonly PostRow[]> {
  const conditions = new Conditions()
  if (accountId !== undefined) conditions.add('account', 'account_id = ?', accountId)
  if (status !== undefined) conditions.add('status', 'status = ?', status)
  if (after !== null) conditions.add('after', 'id > ?', after)
  const { name, text, values } = conditions
  const mark = `$${values.length + 1}`
  const operation = selectFrom(
    `posts${name}`,
    postTable,
    `where ${text} order by id limit ${mark}::int`,
  )
  return list(db, postTable, operation, ...values, toLimit(limit))
}

/** Open actions are few, whatever the table holds: where only such are asked for, they are read
 * first, by the index of open places, and put in order afterwards. */
export function listActions(
  db: Transactions,
  { accountId, postId, states }: ActionFilter,
  { after, limit }: Page,
): Promise<readonly ActionRow[]> {
  const conditions = new Conditions()
  if (accountId !== undefined) conditions.add('account', 'account_id = ?', accountId)
  if (postId !== undefined) conditions.add('post', 'post_id = ?', postId)
  if (after !== null) conditions.add('after', 'id > ?', after)
  const onlyOpen = states?.every(isOpen) === true
  if (states !== undefined) conditions.add('state', 'state = any(?::text[])', toArray(states))
  const { name, text, values } = conditions
  const mark = `$${values.length + 1}`
  const operation: Operation<SentRow> = {
    name: `actions${name}${onlyOpen ? '_open' : ''}`,
    text: (s) =>
      onlyOpen
        ? `with open as materialized (
            select * from ${s}.actions where ended_at is null and ${text})
          select row_to_json(t) from open t order by id limit ${mark}::int`
        : `select row_to_json(t) from ${s}.actions t
          where ${text} order by id limit ${mark}::int`,
  }
  return list(db, actionTable, operation, ...values, toLimit(limit))
}

/** Conditions that all hold, each with one value. Which there are gives the statement its name. */
class Conditions {
  readonly values: Value[] = []
  name = ''
  text = 'true'

  add(tag: string, condition: string, value: Value): void {
    this.values.push(value)
    this.name += `_${tag}`
    this.text += ` and ${condition.replace('?', `$${this.values.length}`)}`
  }
}

const recentTexts: Operation<string> = {
  name: 'recent_texts',
  text: (s) => `select to_json(text) from ${s}.actions
    where account_id = $1 and undoes is null and text is not null
    order by planned_at desc, id desc limit $2::int`,
}

export function listRecentTexts(
  db: Transactions,
  id: AccountId,
  limit: number,
): Promise<readonly string[]> {
  return db.read(recentTexts, id, toLimit(limit))
}
