/**
 * Owns a writing transaction on the file, with the ledger's time in it: read when it begins, as
 * another process may be ahead, and written when it ends, as the clock may run back after a restart
 * (I3).
 */

import { statSync } from 'node:fs'
import type { Connection } from './connection.ts'
import { ledgerError } from './errors.ts'
import type { FileTime } from './file-time.ts'
import type { Transaction } from './group-commit.ts'
import type { FileIdentity } from './open-files.ts'

export class WriteTransaction implements Transaction {
  readonly #connection: Connection
  readonly #identity: FileIdentity
  readonly #time: FileTime
  #writtenBefore = 0

  constructor(connection: Connection, identity: FileIdentity, time: FileTime) {
    this.#connection = connection
    this.#identity = identity
    this.#time = time
  }

  begin(): void {
    requireSameFile(this.#connection.path, this.#identity)
    this.#connection.control('BEGIN IMMEDIATE')
    this.#writtenBefore = this.#connection.written
    this.#time.raise()
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

/** A file that was removed can still be written to, and all of it would be lost in the end. */
function requireSameFile(path: string, { dev, ino }: FileIdentity): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && stats.ino === ino && stats.dev === dev) return
  const what = stats === undefined ? 'The file was removed' : 'Another file was put in its place'
  throw ledgerError('unavailable', path, `${what} while it was open; nothing more is written`)
}
