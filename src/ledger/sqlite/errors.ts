/**
 * Owns what SQLite's errors mean to whoever uses the ledger. Each says which file, what happened,
 * what it means and what to do. An error that only a mistake in this program can cause stays as it
 * is.
 */

import { LedgerError } from '../ledger-error.ts'
import type { LedgerErrorKind } from '../ledger-error.ts'

/** SQLite's primary result codes, the low byte of an extended one. */
const meanings: Readonly<Record<number, LedgerErrorKind>> = {
  3: 'unavailable', // PERM
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  7: 'unavailable', // NOMEM
  8: 'unavailable', // READONLY
  10: 'unavailable', // IOERR
  11: 'damaged', // CORRUPT
  13: 'unavailable', // FULL
  14: 'unavailable', // CANTOPEN
  15: 'unavailable', // PROTOCOL: the locks of the write-ahead log could not be had
  19: 'conflict', // CONSTRAINT
  22: 'unavailable', // NOLFS: the file is too large for this system
  26: 'damaged', // NOTADB, of a file that was a database when it was opened
}

/** The file system itself says that its contents are broken. */
const ioErrorCorruptFs = 8458

const advice: Readonly<Record<LedgerErrorKind, string>> = {
  damaged:
    'Its contents cannot be trusted and it was left as it is. Keep a copy of the file and of the' +
    ' -wal beside it, then restore a backup.',
  newer: 'Upgrade this program; the file was left as it is.',
  foreign: 'It was left as it is. Give the ledger a path of its own.',
  unavailable:
    'Nothing that was acknowledged is lost. Look at free space, permissions and the disk, then' +
    ' repeat the call.',
  busy: 'Another process held it for too long. Repeat the call.',
  conflict: 'Nothing was written. Read the rows again and decide anew.',
}

export function ledgerError(
  kind: LedgerErrorKind,
  path: string,
  what: string,
  cause?: unknown,
): LedgerError {
  const options = cause === undefined ? undefined : { cause }
  return new LedgerError(kind, `Ledger ${path}: ${what}. ${advice[kind]}`, options)
}

/** The error to throw for one that SQLite threw. */
export function translate(error: unknown, path: string): unknown {
  if (error instanceof LedgerError) return error
  if (error instanceof SyntaxError) {
    return ledgerError('damaged', path, `A stored JSON value cannot be read`, error)
  }
  if (isClosed(error)) {
    return new LedgerError('unavailable', `Ledger ${path}: It is closed. Open it again.`)
  }
  const code = codeOf(error)
  if (code === null || !(error instanceof Error)) return error
  const kind = code === ioErrorCorruptFs ? 'damaged' : meanings[code & 0xff]
  if (kind === undefined) return error
  return ledgerError(kind, path, `SQLite says "${error.message}" (code ${code})`, error)
}

/** An error about a draft, told as one about the file that it was to become. */
export function asErrorOf(path: string, what: string, error: unknown): unknown {
  if (!(error instanceof LedgerError)) return error
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return ledgerError(error.kind, path, what + reason, error)
}

/** SQLite's extended result code, or null where the error is not from SQLite. */
export function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

function isClosed(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_INVALID_STATE'
}

/** What a file system call says went wrong, as ENOENT or EACCES. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
