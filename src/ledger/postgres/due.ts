/** Owns what is due: each way of being due is a condition and a time, with an index of its own. */

import type { Instant } from '../../core/instant.ts'
import type { MeasurementRow } from '../rows.ts'
import { dueKinds, dueStates } from '../store.ts'
import type { ActionDueKind, DueKind } from '../store.ts'
import { readRow } from './columns.ts'
import type { SentRow } from './columns.ts'
import { toLimit } from './lists.ts'
import type { Operation } from './operation.ts'
import { measurementTable } from './tables.ts'
import type { Transactions } from './transactions.ts'

/** A part of a table that an index holds in the order of a time. */
interface Source {
  readonly table: string
  readonly at: string
  readonly condition: string
}

function sourcesOf(kind: DueKind): readonly Source[] {
  switch (kind) {
    case 'discover':
      return [{ table: 'accounts', at: 'discover_at', condition: `status = 'active'` }]
    case 'check':
      return [{ table: 'checks', at: 'at', condition: 'true' }]
    case 'expire':
      return [{ table: 'actions', at: 'expires_at', condition: stateIn('expire') }]
    case 'notice':
      return [{ table: 'actions', at: 'notice_at', condition: stateIn('notice') }]
    case 'send':
    case 'reconcile':
    case 'lease':
      // One a state, because an index that begins with the state is in the order of time only
      // within one of them.
      return dueStates[kind].map((state) => ({
        table: 'actions',
        at: 'due_at',
        condition: `state = '${state}'`,
      }))
  }
}

function stateIn(kind: ActionDueKind): string {
  return `state in (${dueStates[kind].map((state) => `'${state}'`).join(', ')})`
}

const dueOperations = new Map<DueKind, Operation<string>>(
  dueKinds.map((kind) => [
    kind,
    {
      name: `due_${kind}`,
      text: (s) => `
        with clock as materialized (select ${s}.ledger_now($1) as now)
        select to_json(id) from (${sourcesOf(kind)
          .map(
            ({ table, at, condition }) => `
          (select id, ${at} as at from ${s}.${table}
            where ${condition} and ${at} is not null and ${at} <= (select now from clock)
            order by ${at}, id limit $2::int)`,
          )
          .join(' union all ')}) t order by at, id limit $2::int`,
    },
  ]),
)

export function listDue(
  db: Transactions,
  kind: DueKind,
  given: Instant | null,
  limit: number,
): Promise<readonly string[]> {
  return db.read(dueOperations.get(kind) as Operation<string>, given, toLimit(limit))
}

const dueMeasurements: Operation<SentRow> = {
  name: 'due_measurements',
  text: (s) => `
    with clock as materialized (select ${s}.ledger_now($1) as now)
    select row_to_json(t) from ${s}.measurements t
    where taken_at is null and due_at <= (select now from clock)
    order by due_at, number limit $2::int`,
}

export async function listDueMeasurements(
  db: Transactions,
  given: Instant | null,
  limit: number,
): Promise<readonly MeasurementRow[]> {
  const sent = await db.read(dueMeasurements, given, toLimit(limit))
  return sent.map((row) => readRow(measurementTable, row))
}

const nextDue: Operation<Instant | null> = {
  name: 'next_due',
  text: (s) => {
    const sources = [
      ...dueKinds.flatMap(sourcesOf),
      { table: 'measurements', at: 'due_at', condition: 'taken_at is null' },
    ]
    const times = sources.map(
      ({ table, at, condition }) =>
        `(select min(${at}) from ${s}.${table} where ${condition} and ${at} is not null)`,
    )
    return `select to_json(least(${times.join(', ')}))`
  },
}

export async function nextDueAt(db: Transactions): Promise<Instant | null> {
  return (await db.read(nextDue))[0] ?? null
}

const ledgerNow: Operation<Instant> = {
  name: 'ledger_now',
  text: (s) => `select to_json(${s}.ledger_now($1))`,
}

export async function readNow(db: Transactions, given: Instant | null): Promise<Instant> {
  const [now] = await db.read(ledgerNow, given)
  return now as Instant
}
