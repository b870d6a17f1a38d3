/**
 * Owns the driver of the reference server's databases: SQLite itself, as Node brings it along, with
 * the calls, values and error codes of the package that the server was written for. That package is
 * compiled for minutes where its binaries cannot be fetched.
 */

import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

type Row = Record<string, SQLOutputValue>
type Parameters = readonly (SQLInputValue | undefined)[]

/** The codes by which the server tells what to try again and what is taken. */
const codes: ReadonlyMap<number, string> = new Map([
  [5, 'SQLITE_BUSY'],
  [261, 'SQLITE_BUSY_RECOVERY'],
  [517, 'SQLITE_BUSY_SNAPSHOT'],
  [773, 'SQLITE_BUSY_TIMEOUT'],
  [1555, 'SQLITE_CONSTRAINT_PRIMARYKEY'],
  [2067, 'SQLITE_CONSTRAINT_UNIQUE'],
])

function withCodes<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const code = codes.get((error as { readonly errcode?: number }).errcode ?? 0)
    throw code === undefined ? error : Object.assign(error as Error, { code })
  }
}

function toInputs(parameters: Parameters): SQLInputValue[] {
  return parameters.map((value) => value ?? null)
}

function toRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  )
}

class Statement {
  readonly #statement: StatementSync
  /** Whether it answers with rows. */
  readonly reader: boolean

  constructor(statement: StatementSync) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }

  all(parameters: Parameters): Row[] {
    return withCodes(() => this.#statement.all(...toInputs(parameters)).map(toRow))
  }

  run(parameters: Parameters) {
    return withCodes(() => this.#statement.run(...toInputs(parameters)))
  }

  *iterate(parameters: Parameters): Generator<Row> {
    for (const row of this.#statement.iterate(...toInputs(parameters))) yield toRow(row)
  }
}

export class Database {
  readonly #database: DatabaseSync

  constructor(location: string, { timeout = 5000 }: { readonly timeout?: number } = {}) {
    this.#database = new DatabaseSync(location, { timeout })
  }

  prepare(sql: string): Statement {
    return withCodes(() => new Statement(this.#database.prepare(sql)))
  }

  pragma(text: string): void {
    withCodes(() => this.#database.exec(`pragma ${text}`))
  }

  close(): void {
    this.#database.close()
  }
}
