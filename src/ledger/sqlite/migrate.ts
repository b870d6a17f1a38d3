/**
 * Owns the version of the file: brings an older one forward, one transaction a step, and says what
 * a file of a version must look like. As the version is written in the transaction that makes it
 * true, a half-migrated file cannot come about, and one that was made so by hand is found.
 */

import { Connection } from './connection.ts'
import { ledgerError } from './errors.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/migrations.ts'

/** Written into every file of ours: "SWL1". */
export const applicationId = 0x53_57_4c_31

export const newestVersion = migrations.length

export function readVersion(connection: Connection): number {
  return Number(connection.get('PRAGMA user_version')?.[0])
}

export function readApplicationId(connection: Connection): number {
  return Number(connection.get('PRAGMA application_id')?.[0])
}

export function migrate(connection: Connection, steps: readonly Migration[] = migrations): void {
  for (const step of steps) {
    if (readVersion(connection) < step.version) take(connection, step)
  }
}

function take(connection: Connection, step: Migration): void {
  connection.control('BEGIN IMMEDIATE')
  try {
    // Another process may have been faster while this one waited for the lock.
    if (readVersion(connection) < step.version) {
      connection.exec(step.sql)
      connection.exec(`PRAGMA application_id = ${applicationId}`)
      connection.exec(`PRAGMA user_version = ${step.version}`)
    }
    connection.control('COMMIT')
  } catch (error) {
    if (connection.isInTransaction) connection.control('ROLLBACK')
    throw error
  }
}

/** Throws unless every table, index and trigger of the file's version is there and unchanged. */
export function requireSchema(
  connection: Connection,
  steps: readonly Migration[] = migrations,
): void {
  const version = readVersion(connection)
  const actual = readSchema(connection)
  for (const [name, sql] of schemaOf(steps.filter((step) => step.version <= version))) {
    if (actual.get(name) === sql) continue
    const what = actual.has(name) ? 'is not as version' : 'is missing from version'
    throw ledgerError('damaged', connection.path, `Its ${name} ${what} ${version} has it`)
  }
}

function schemaOf(steps: readonly Migration[]): ReadonlyMap<string, string> {
  const connection = new Connection(':memory:')
  try {
    migrate(connection, steps)
    return readSchema(connection)
  } finally {
    connection.close()
  }
}

/** What SQLite makes for itself is left out: its names begin with `sqlite_`. */
export function readSchema(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection.all(
    `SELECT type || ' ' || name, sql FROM sqlite_schema
      WHERE substr(name, 1, 7) <> 'sqlite_' ORDER BY type, name`,
  )
  return new Map(rows.map(([name, sql]) => [String(name), String(sql)]))
}
