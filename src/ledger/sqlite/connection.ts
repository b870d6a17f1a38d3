/**
 * Owns one connection to the file: its prepared statements, each made once, and the translation of
 * what SQLite throws. Nothing else in this folder talks to `node:sqlite` while the ledger is used.
 */

import { DatabaseSync } from 'node:sqlite'
import type { DatabaseSyncOptions, SQLInputValue, StatementSync } from 'node:sqlite'
import type { RowStatement, Table, Values } from './columns.ts'
import { translate } from './errors.ts'

/** A table, or what reads something else from its columns. */
type Reader<Row> = Pick<Table<Row>, 'read'>

export class Connection {
  readonly path: string
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #written = 0

  constructor(path: string, options: DatabaseSyncOptions = {}) {
    this.path = path
    try {
      this.#database = new DatabaseSync(path, options)
    } catch (error) {
      throw translate(error, path)
    }
  }

  /** How many rows were written so far; a transaction that did not change it wrote nothing. */
  get written(): number {
    return this.#written
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  get(sql: string, ...values: SQLInputValue[]): Values | null {
    try {
      const found: unknown = this.#prepare(sql).get(...values)
      return (found as Values | undefined) ?? null
    } catch (error) {
      throw translate(error, this.path)
    }
  }

  all(sql: string, ...values: SQLInputValue[]): readonly Values[] {
    try {
      const found: unknown = this.#prepare(sql).all(...values)
      return found as readonly Values[]
    } catch (error) {
      throw translate(error, this.path)
    }
  }

  /** Reads one row of a table with a query that begins with the table's columns. */
  row<Row>(table: Reader<Row>, sql: string, ...values: SQLInputValue[]): Row | null {
    const found = this.get(sql, ...values)
    return found === null ? null : this.read(table, found)
  }

  rows<Row>(table: Reader<Row>, sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.all(sql, ...values).map((found) => this.read(table, found))
  }

  read<Row>(table: Reader<Row>, values: Values, from = 0): Row {
    try {
      return table.read(values, from)
    } catch (error) {
      throw translate(error, this.path)
    }
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    try {
      const changes = Number(this.#prepare(sql).run(...values).changes)
      this.#written += changes
      return changes
    } catch (error) {
      throw translate(error, this.path)
    }
  }

  write<Row>(statement: RowStatement<Row>, row: Row): number {
    return this.run(statement.sql, ...statement.values(row))
  }

  /** Begin, commit and the like, which change no rows themselves. */
  control(sql: string): void {
    try {
      this.#prepare(sql).run()
    } catch (error) {
      throw translate(error, this.path)
    }
  }

  /** Runs a script of several statements. */
  exec(sql: string): void {
    try {
      this.#database.exec(sql)
    } catch (error) {
      throw translate(error, this.path)
    }
  }

  /** Reads in one snapshot, whatever other processes commit meanwhile. */
  snapshot<Result>(read: () => Result): Result {
    if (this.isInTransaction) return read()
    this.control('BEGIN')
    try {
      return read()
    } finally {
      // A broken file may have ended the transaction already.
      if (this.isInTransaction) this.control('ROLLBACK')
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    this.#statements.set(sql, statement)
    return statement
  }
}
