/** Owns what a statement is: a text that depends on the schema alone, and a name of its own. */

import type { QueryResult, Value } from './pg.ts'

/** Named statements are parsed once on each connection. Each row is one JSON value. */
export interface Operation<Item = unknown> {
  readonly name: string
  /** The text for a schema, whose name is given quoted. */
  readonly text: (schema: string) => string
  /** What a row holds; never there at run time. */
  readonly item?: Item
}

/** A statement with its values. */
export interface Call {
  readonly operation: Operation
  readonly values: readonly Value[]
}

export function call(operation: Operation, ...values: readonly Value[]): Call {
  return { operation, values }
}

/** The rows that the statement answered with. SQL's null is null here too. */
export function jsonOf<Item>(_of: Operation<Item>, { rows }: QueryResult): readonly Item[] {
  return rows.map(([text]) => (text === null ? null : JSON.parse(text as string)) as Item)
}

/** The first row of the statement's answer, or null where there is none. */
export function firstOf<Item>(of: Operation<Item>, result: QueryResult): Item | null {
  return jsonOf(of, result)[0] ?? null
}
