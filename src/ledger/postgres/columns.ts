/**
 * Owns the way between a row and its columns. Each table is one list of fields; what is written and
 * read as whole rows is made from that list, so that rows and SQL cannot drift apart. A field
 * `postId` is the column `post_id`. The server sends rows as JSON by the names of their columns.
 */

import type { Value } from './pg.ts'

/** How a field is kept. Instants are `float8`: a double holds their fractions exactly. */
type Kind = 'text' | 'float8' | 'int4' | 'bool' | 'json'

/** The kinds that can hold a value of this type without losing any of it. */
type KindOf<Item> = [Item] extends [string | null]
  ? 'text'
  : [Item] extends [boolean]
    ? 'bool'
    : [Item] extends [number | null]
      ? 'float8' | 'int4'
      : 'json'

/** A kind for every field of the row: one that is forgotten does not compile. */
type Fields<Row> = { readonly [Field in keyof Row]-?: KindOf<Row[Field]> }

interface Column {
  readonly field: string
  /** As SQL writes it, in quotes. */
  readonly name: string
  /** As the server names it in JSON. */
  readonly key: string
  readonly kind: Kind
}

export interface Table<Row> {
  readonly name: string
  readonly columns: readonly Column[]
  /** Which row of SQL it is made of; never there at run time. */
  readonly row?: Row
}

/** A row as the server sends it. */
export type SentRow = Readonly<Record<string, unknown>>

export function defineTable<Row>(name: string, fields: Fields<Row>): Table<Row> {
  const columns = Object.entries<Kind>(fields).map(([field, kind]) => {
    const key = toColumnName(field)
    return { field, kind, key, name: `"${key}"` }
  })
  return { name, columns }
}

/** The same table with only some of its fields. */
export function pick<Row, Field extends keyof Row & string>(
  table: Table<Row>,
  fields: readonly Field[],
): Table<Pick<Row, Field>> {
  const wanted: readonly string[] = fields
  return {
    name: table.name,
    columns: table.columns.filter(({ field }) => wanted.includes(field)),
  }
}

function toColumnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Columns that are not among the fields, like `number`, are left out. */
export function readRow<Row>(table: Table<Row>, sent: SentRow): Row {
  const row: Record<string, unknown> = {}
  for (const { field, key } of table.columns) row[field] = sent[key]
  return row as Row
}

/** The values of rows, an array for each column. JSON is given as text; its null is that of SQL. */
export function arraysOf<Row>(table: Table<Row>, rows: readonly Row[]): Value[] {
  return table.columns.map(({ field, kind }) => {
    const values = rows.map((row) => (row as Readonly<Record<string, unknown>>)[field] ?? null)
    return kind === 'json' ? toJsonArray(values) : toArray(values as Scalar[])
  })
}

/** In JSON no control character stands for itself: quoted twice, all that must be is escaped. */
function toJsonArray(values: readonly unknown[]): string {
  const elements = values.map((value) =>
    value === null ? 'null' : JSON.stringify(JSON.stringify(value)),
  )
  return `{${elements.join(',')}}`
}

type Scalar = string | number | boolean | null

/** An array as SQL reads it. The driver's own way takes several times as long. */
export function toArray(values: readonly Scalar[]): string {
  return `{${values.map(toElement).join(',')}}`
}

function toElement(value: Scalar): string {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value === null ? 'null' : String(value)
}

/** `"id", "post_id", …` */
export function columnList({ columns }: Table<unknown>): string {
  return columns.map(({ name }) => name).join(', ')
}

/**
 * `unnest($3::text[], …) as v ("id", …)`, from the given number on: rows given as arrays, in their
 * order. So one statement serves any number of them.
 */
export function rowsFrom(table: Table<unknown>, first: number): string {
  const arrays = table.columns.map(({ kind }, index) => `$${first + index}::${kind}[]`).join(', ')
  return `unnest(${arrays}) with ordinality as v (${columnList(table)}, ordinality)`
}

/** An insert of rows given as arrays. */
export function insertRows(s: string, table: Table<unknown>, first: number): string {
  const list = columnList(table)
  return `insert into ${s}.${table.name} (${list}) select ${list} from ${rowsFrom(table, first)}`
}

/** Like it; a row that is there already under the key is replaced. */
export function upsertRows(s: string, table: Table<unknown>, key: string, first: number): string {
  const set = table.columns.map(({ name }) => `${name} = excluded.${name}`).join(', ')
  return `${insertRows(s, table, first)} on conflict (${key}) do update set ${set}`
}

/** An update of rows given as arrays, whose first column is the id. */
export function updateRows(s: string, table: Table<unknown>, first: number): string {
  const [id, ...others] = table.columns
  const set = others.map(({ name }) => `${name} = v.${name}`).join(', ')
  const where = `t.id = v.${id?.name}`
  return `update ${s}.${table.name} t set ${set} from ${rowsFrom(table, first)} where ${where}`
}
