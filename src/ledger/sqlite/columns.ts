/**
 * Owns the way between a row and its columns. Each table is one list of fields; every statement
 * that reads or writes whole rows is made from that list, so that rows and SQL cannot drift apart.
 */

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

/** How a field is kept. Instants are `real`: a double holds their fractions exactly. */
type Kind = 'text' | 'real' | 'integer' | 'flag' | 'json'

/** The kinds that can hold a value of this type without losing any of it. */
type KindOf<Value> = [Value] extends [string | null]
  ? 'text'
  : [Value] extends [boolean]
    ? 'flag'
    : [Value] extends [number | null]
      ? 'real' | 'integer'
      : 'json'

/** A kind for every field of the row: one that is forgotten does not compile. */
type Fields<Row> = { readonly [Field in keyof Row]-?: KindOf<Row[Field]> }

interface Column<Row> {
  readonly field: keyof Row & string
  /** As SQL writes it, in quotes. */
  readonly name: string
  readonly kind: Kind
}

/** One result of a query, a value for each column that was asked for. */
export type Values = readonly SQLOutputValue[]

/** A statement that takes a whole row. */
export interface RowStatement<Row> {
  readonly sql: string
  values(row: Row): SQLInputValue[]
}

export interface Table<Row> {
  readonly name: string
  readonly columns: readonly Column<Row>[]
  /** The columns in order, as a query lists them. */
  readonly list: string
  /** The same for a query over several tables. */
  readonly qualified: string
  /** Reads the row from a result that has the columns of `list` from a place on. */
  read(values: Values, from?: number): Row
}

export function defineTable<Row>(name: string, fields: Fields<Row>): Table<Row> {
  const columns = (Object.entries(fields) as [keyof Row & string, Kind][]).map(([field, kind]) => ({
    field,
    kind,
    name: `"${toColumnName(field)}"`,
  }))
  return {
    name,
    columns,
    list: columns.map((column) => column.name).join(', '),
    qualified: columns.map((column) => `${name}.${column.name}`).join(', '),
    read: (values, from = 0) => readRow(columns, values, from),
  }
}

/** `postId` is `post_id` in SQL. */
export function toColumnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function readRow<Row>(columns: readonly Column<Row>[], values: Values, from: number): Row {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) {
    const { field, kind } = columns[index] as Column<Row>
    row[field] = fromSql(kind, values[from + index] ?? null)
  }
  return row as Row
}

function fromSql(kind: Kind, value: SQLOutputValue): unknown {
  switch (kind) {
    case 'text':
    case 'real':
    case 'integer':
      return value
    case 'flag':
      return value === 1
    case 'json':
      return value === null ? null : JSON.parse(value as string)
  }
}

function toSql(kind: Kind, value: unknown): SQLInputValue {
  switch (kind) {
    case 'text':
    case 'real':
    case 'integer':
      return value as SQLInputValue
    case 'flag':
      return value === true ? 1 : 0
    case 'json':
      return value === null ? null : JSON.stringify(value)
  }
}

function valuesOf<Row>(columns: readonly Column<Row>[]): (row: Row) => SQLInputValue[] {
  return (row) => columns.map(({ field, kind }) => toSql(kind, row[field]))
}

export function insertInto<Row>(table: Table<Row>): RowStatement<Row> {
  const marks = table.columns.map(() => '?').join(', ')
  return {
    sql: `INSERT INTO ${table.name} (${table.list}) VALUES (${marks})`,
    values: valuesOf(table.columns),
  }
}

/** Inserts the row, or replaces the one with the same key in its place. */
export function upsertInto<Row>(
  table: Table<Row>,
  key: readonly (keyof Row & string)[],
): RowStatement<Row> {
  const insert = insertInto(table)
  const isKey = ({ field }: Column<Row>) => key.includes(field)
  const nameOf = ({ name }: Column<Row>) => name
  const target = table.columns.filter(isKey).map(nameOf).join(', ')
  const others = table.columns.filter((column) => !isKey(column)).map(nameOf)
  const set = others.map((name) => `${name} = excluded.${name}`).join(', ')
  return { ...insert, sql: `${insert.sql} ON CONFLICT (${target}) DO UPDATE SET ${set}` }
}

/** A statement with its values, ready to run. */
export interface Change {
  readonly sql: string
  readonly values: SQLInputValue[]
}

/**
 * Makes updates that set the fields which differ, and no others: an index over a column that is set
 * is written again even where its value is the same. What follows the condition's marks is given by
 * the caller. Null where nothing differs.
 */
export function updaterOf<Row>(
  table: Table<Row>,
  condition: string,
): (before: Row, after: Row) => Change | null {
  const statements = new Map<number, string>()
  return (before, after) => {
    const values: SQLInputValue[] = []
    let changed = 0
    for (let index = 0; index < table.columns.length; index += 1) {
      const { field, kind } = table.columns[index] as Column<Row>
      if (before[field] === after[field]) continue
      changed |= 1 << index
      values.push(toSql(kind, after[field]))
    }
    if (changed === 0) return null
    const sql = statements.get(changed) ?? updateSql(table, changed, condition)
    statements.set(changed, sql)
    return { sql, values }
  }
}

/** The bits of `changed` say which columns are set. No table has more than 31. */
function updateSql<Row>(table: Table<Row>, changed: number, condition: string): string {
  const set = table.columns.filter((_, index) => (changed & (1 << index)) !== 0)
  const list = set.map(({ name }) => `${name} = ?`).join(', ')
  return `UPDATE ${table.name} SET ${list} WHERE ${condition}`
}
