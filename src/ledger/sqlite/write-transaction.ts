/**
 * Owns a writing transaction on the file, with the ledger's time in it: read when it begins, as
 * another process may be ahead, and written when it ends, as the clock may run back after a restart
 * (I3).
 */

import { existsSync, statSync } from 'node:fs'
import type { Connection } from './connection.ts'
import { ledgerError } from './errors.ts'
import type { FileTime } from './file-time.ts'
import type { Transaction } from './group-commit.ts'
import { newestVersion, readVersion } from './migrate.ts'
import type { OpenFile } from './open.ts'

export class WriteTransaction implements Transaction {
  readonly #file: OpenFile
  readonly #connection: Connection
  readonly #time: FileTime
  #writtenBefore = 0
  #caughtUpWith: unknown = null

  constructor(file: OpenFile, time: FileTime) {
    this.#file = file
    this.#connection = file.connection
    this.#time = time
  }

  begin(): void {
    requireInPlace(this.#file)
    this.#connection.control('BEGIN IMMEDIATE')
    this.#writtenBefore = this.#connection.written
    this.#catchUp()
  }

  /** Where no other connection has committed anything, all is as this one left it. */
  #catchUp(): void {
    const dataVersion = this.#connection.get('PRAGMA data_version')?.[0]
    if (dataVersion === this.#caughtUpWith) return
    requireVersion(this.#connection)
    this.#time.raise()
    this.#caughtUpWith = dataVersion
  }

  commit(): void {
    // A step that changed nothing leaves nothing to flush.
    if (this.#connection.written > this.#writtenBefore) this.#time.keep()
    this.#connection.control('COMMIT')
  }

  rollBack(): void {
    this.#connection.control('ROLLBACK')
  }

  beginStep(): void {
    this.#connection.control('SAVEPOINT step')
  }

  endStep(): void {
    this.#connection.control('RELEASE step')
  }

  rollBackStep(): void {
    this.#connection.control('ROLLBACK TO step')
    this.#connection.control('RELEASE step')
  }

  isOpen(): boolean {
    return this.#connection.isInTransaction
  }
}

/**
 * A file that was removed can still be written to, and all of it would be lost in the end. Its log
 * is only asked whether it is there: whoever asks a file system for the times of a file makes the
 * next flush of it write them too, which doubles what a commit costs.
 */
function requireInPlace({ connection: { path }, identity }: OpenFile): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  const isSame = stats !== undefined && stats.ino === identity.ino && stats.dev === identity.dev
  if (isSame && existsSync(`${path}-wal`)) return
  const what = isSame
    ? 'Its log, the -wal, was removed'
    : stats === undefined
      ? 'The file was removed'
      : 'Another file took its place'
  throw ledgerError('unavailable', path, `${what} while it was open; nothing more is written`)
}

/** A newer program may bring the file forward while this one has it open. */
function requireVersion(connection: Connection): void {
  const version = readVersion(connection)
  if (version === newestVersion) return
  const what = `It was brought to version ${version} while this program, of ${newestVersion}, runs`
  throw ledgerError('newer', connection.path, what)
}
