/**
 * Owns how a ledger's file is opened: looked at first, made where there is none, brought forward to
 * this program's version. A damaged file is never replaced by an empty one (I10).
 */

import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { LedgerError } from '../ledger-error.ts'
import { Connection } from './connection.ts'
import { asErrorOf, ledgerError } from './errors.ts'
import { inspect } from './inspect.ts'
import type { InspectOptions } from './inspect.ts'
import { migrate } from './migrate.ts'
import { noteOpened } from './open-files.ts'
import type { FileIdentity } from './open-files.ts'
import { beginDraft } from './place-file.ts'

export interface OpenOptions extends InspectOptions {
  /** The file refuses to grow beyond this. */
  readonly maximumBytes: number | null
}

export interface OpenFile {
  readonly connection: Connection
  /** The file that was opened; another one may take its path later. */
  readonly identity: FileIdentity
}

/** Before this one, two processes that wrote the log back at once could lose a commit. */
const oldestSqlite = '3.51.3'

/**
 * Commits are flushed before they are acknowledged, on macOS too. What is deleted is overwritten,
 * so that an erased account's texts are gone from the disk. Corrupt pages are noticed early.
 */
export const settings = `
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA cell_size_check = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA journal_size_limit = 67108864;
`

export function openFile(given: string, options: OpenOptions): OpenFile {
  requireSqlite(sqliteVersion())
  const path = follow(resolve(given))
  if (inspect(path, options) === null) create(path, options)
  if (inspect(path, options) === null) {
    throw ledgerError('unavailable', path, 'The file was made and is gone again')
  }
  const connection = connect(path, options)
  try {
    migrate(connection)
    const identity = statSync(path)
    noteOpened(identity)
    return { connection, identity }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** The library that is really loaded; what Node.js was built with may be another. */
function sqliteVersion(): string {
  const connection = new Connection(':memory:')
  try {
    return String(connection.get('SELECT sqlite_version()')?.[0])
  } finally {
    connection.close()
  }
}

export function requireSqlite(version: string): void {
  if (version.localeCompare(oldestSqlite, 'en', { numeric: true }) >= 0) return
  throw new LedgerError(
    'unavailable',
    `This Node.js brings SQLite ${version}, and a ledger needs ${oldestSqlite} or newer, in which` +
      ` several processes can safely share a file. Upgrade Node.js.`,
  )
}

/** SQLite keeps the log beside the real file, and so must every check. */
function follow(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It is not there yet; what else may be wrong shows when it is looked at.
    return path
  }
}

/** Opens for writing, with nothing looked at. */
export function connect(path: string, options: OpenOptions): Connection {
  const connection = new Connection(path, { timeout: options.busyTimeoutMs })
  try {
    const mode = connection.get('PRAGMA journal_mode = WAL')?.[0]
    if (mode !== 'wal') {
      throw ledgerError('unavailable', path, 'Its file system cannot share a write-ahead log')
    }
    connection.exec(settings)
    if (options.maximumBytes !== null) {
      const pageBytes = Number(connection.get('PRAGMA page_size')?.[0])
      const pages = Math.floor(options.maximumBytes / pageBytes)
      connection.exec(`PRAGMA max_page_count = ${pages}`)
    }
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Of several processes that make it at once one succeeds, and the others open that one. */
function create(path: string, options: OpenOptions): void {
  using draft = beginDraft(path)
  try {
    const connection = connect(draft.path, options)
    try {
      migrate(connection)
    } finally {
      // The last connection writes the log back and removes it.
      connection.close()
    }
  } catch (error) {
    throw asErrorOf(path, 'It cannot be made there', error)
  }
  draft.place()
}
