/**
 * Owns the first hundred bytes of a SQLite file, as far as they tell what became of a file that
 * SQLite itself cannot or does not judge.
 *
 * Closing any handle of a file drops all locks that this process holds on it, SQLite's too. So a
 * file that this process has open as a ledger must never be read here.
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { applicationId } from './migrate.ts'

const headerBytes = 100
const magic = 'SQLite format 3\0'

export interface FileHeader {
  readonly isDatabase: boolean
  /** False where nothing says that the file ever was a ledger. */
  readonly wasLedger: boolean
  readonly pageBytes: number
  /** How many pages the file had when the log was last written back to it. */
  readonly pageCount: number
}

export function readFileHeader(path: string): FileHeader {
  const bytes = Buffer.alloc(headerBytes)
  const length = readStart(path, bytes)
  return parseFileHeader(bytes, length)
}

/** Reads as much of the beginning of a file as there is, and leaves the rest of the buffer 0. */
export function readStart(path: string, into: Buffer): number {
  const file = openSync(path, 'r')
  try {
    return readSync(file, into, 0, into.length, 0)
  } finally {
    closeSync(file)
  }
}

export function parseFileHeader(bytes: Buffer, length: number): FileHeader {
  const storedPageBytes = bytes.readUInt16BE(16)
  const isDatabase = bytes.toString('latin1', 0, magic.length) === magic
  return {
    isDatabase,
    // A database that ends within its header was cut off before the place that says whose it is.
    wasLedger: bytes.readInt32BE(68) === applicationId || (isDatabase && length < headerBytes),
    // The value 65,536 does not fit and is stored as 1.
    pageBytes: storedPageBytes === 1 ? 65_536 : storedPageBytes,
    pageCount: bytes.readUInt32BE(28),
  }
}
