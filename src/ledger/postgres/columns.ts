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

/** The values in the order of the columns. JSON is given as text; its null is that of SQL. */
export function valuesOf<Row>(table: Table<Row>, row: Row): Value[] {
  return table.columns.map(({ field, kind }) => {
    const value = (row as Readonly<Record<string, unknown>>)[field] ?? null
    return kind === 'json' && value !== null ? JSON.stringify(value) : (value as Value)
  })
}

/** `"id", "post_id", …` */
export function columnList({ columns }: Table<unknown>): string {
  return columns.map(({ name }) => name).join(', ')
}

/** `$3, $4, …`, from the given number on. */
export function marks({ columns }: Table<unknown>, first: number): string {
  return columns.map(({ kind }, index) => `$${first + index}::${kind}`).join(', ')
}

/** `"state" = $2, "text" = $3, …`, from the given number on. */
export function assignments({ columns }: Table<unknown>, first: number): string {
  return columns.map(({ name, kind }, index) => `${name} = $${first + index}::${kind}`).join(', ')
}

/** `"state" = excluded."state", …`, for a row that takes the place of one with the same key. */
export function replacements({ columns }: Table<unknown>): string {
  return columns.map(({ name }) => `${name} = excluded.${name}`).join(', ')
}

/** Rows given as one JSON text, as a table `r` with the columns of this one. */
export function rowsFrom(table: Table<unknown>, mark: string): string {
  const fields = table.columns.map(({ field, kind }) => `"${field}" ${kind}`).join(', ')
  const names = table.columns.map(({ field, name }) => `"${field}" as ${name}`).join(', ')
  return `(select ${names}, ordinality from rows from (
    json_to_recordset(${mark}::json) as (${fields})) with ordinality as given) r`
}
