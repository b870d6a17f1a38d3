/**
 * Owns the questions that a file must answer before it is opened for writing. Each of them only
 * reads: a file that is refused stays as it was to the last byte, and its log with it (I10).
 */

import { accessSync, constants, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { LedgerError } from '../ledger-error.ts'
import { Connection } from './connection.ts'
import { codeOf, ledgerError, systemCodeOf } from './errors.ts'
import { readFileHeader } from './file-header.ts'
import type { FileHeader } from './file-header.ts'
import {
  applicationId,
  newestVersion,
  readApplicationId,
  readVersion,
  requireSchema,
} from './migrate.ts'
import { isOpenHere } from './open-files.ts'
import { readWalIndex } from './wal-index.ts'
import { scanWal } from './wal-scan.ts'

const notADatabase = 26
const writeBits = 0o222
/** SQLite never writes the page at this place; locks are kept there. */
const lockByte = 0x40_00_00_00

export interface InspectOptions {
  readonly busyTimeoutMs: number
  /** Every page of a file up to this size is looked at; a larger one would take too long. */
  readonly quickCheckBytes: number
}

/** Throws unless the file is a ledger that can be opened. Null where there is none yet. */
export function inspect(path: string, options: InspectOptions): Stats | null {
  const stats = requireFile(path)
  if (stats === null) return null
  requireSoundLog(path, stats)
  const size = stats.size + bytesOf(`${path}-wal`)
  const connection = new Connection(path, { readOnly: true, timeout: options.busyTimeoutMs })
  try {
    requireOurs(connection, stats)
    requireSchema(connection)
    if (size <= options.quickCheckBytes) requireQuickCheck(connection)
  } catch (error) {
    // These questions are always the same, so what SQLite cannot do with them is the file's fault.
    if (codeOf(error) === null) throw error
    throw ledgerError('damaged', path, `SQLite says "${String(error)}"`, error)
  } finally {
    connection.close()
  }
  return stats
}

/** Looks at what is there without opening it: a pipe would wait for ever. */
function requireFile(path: string): Stats | null {
  const stats = statOf(path)
  if (stats === null) {
    if (bytesOf(`${path}-wal`) === 0) return null
    const what = 'The file is missing, but the log beside it, its -wal, holds commits'
    throw ledgerError('damaged', path, what)
  }
  if (stats.isDirectory()) throw ledgerError('foreign', path, 'There is a directory in its place')
  if (!stats.isFile()) throw ledgerError('foreign', path, 'What is there is not a file')
  if (stats.size === 0) {
    throw ledgerError('damaged', path, 'The file is empty, which a ledger never is')
  }
  requireWritable(path, stats)
  if (bytesOf(`${path}-journal`) > 0) {
    const what = 'There is a rollback journal beside it, which this program never writes'
    throw ledgerError('damaged', path, what)
  }
  return stats
}

/** A mark against writing counts also for those whom the system would let through it. */
function requireWritable(path: string, stats: Stats): void {
  if ((stats.mode & writeBits) === 0) throw ledgerError('unavailable', path, 'It is read-only')
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw ledgerError('unavailable', path, 'It may not be read and written by this user', error)
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    const what = `It cannot be reached (${systemCodeOf(error)})`
    throw ledgerError('unavailable', path, what, error)
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** A file that this process has open was looked at then, and must not be read by the way. */
function requireSoundLog(path: string, stats: Stats): void {
  if (isOpenHere(stats)) return
  let problem = findProblem(path)
  while (problem !== null) {
    // Whoever is just emptying the log or closing the file leaves another picture a moment later.
    const again = findProblem(path)
    if (again === problem) throw ledgerError('damaged', path, problem)
    problem = again
  }
}

/**
 * Other processes may write meanwhile, so the order matters: the wal-index never knows of more than
 * was in the log before it was read, and the file's header of no more than is in the log or in the
 * file after it was read.
 */
function findProblem(path: string): string | null {
  const index = readWalIndex(`${path}-shm`)
  const header = readFileHeader(path)
  const log = scanWal(`${path}-wal`)
  if (log.kind === 'broken') return `The log beside it, its -wal, is damaged: ${log.what}`
  const committedFrames = log.kind === 'sound' ? log.committedFrames : 0
  const isOfThisLog = log.kind === 'empty' || log.salts === index?.salts
  if (index !== null && isOfThisLog && index.committedFrames > committedFrames) {
    const lost = index.committedFrames - committedFrames
    return `The log beside it, its -wal, has lost its last ${lost} committed frames`
  }
  return findCut(path, header, log.kind === 'sound' ? log.pages : new Set())
}

/** Pages that the file had when the log was last written back must be in it, or in the log. */
function findCut(path: string, header: FileHeader, inLog: ReadonlySet<number>): string | null {
  const { wasLedger, pageBytes, pageCount } = header
  if (!wasLedger || pageBytes === 0) return null
  const present = Math.floor(bytesOf(path) / pageBytes)
  const lockPage = lockByte / pageBytes + 1
  for (let page = present + 1; page <= pageCount; page += 1) {
    if (inLog.has(page) || page === lockPage) continue
    return `The file was cut off: it has ${present} of its ${pageCount} pages`
  }
  return null
}

function requireOurs(connection: Connection, stats: Stats): void {
  const { path } = connection
  let id: number | null
  try {
    id = readApplicationId(connection)
  } catch (error) {
    if (!isNotADatabase(error)) throw error
    id = null
  }
  if (id !== applicationId) throw notOurs(path, stats)
  const version = readVersion(connection)
  if (version > newestVersion) {
    const what = `It has version ${version}, and this program knows versions up to ${newestVersion}`
    throw ledgerError('newer', path, what)
  }
  if (version < 1) throw ledgerError('damaged', path, `Its version is ${version}`)
}

function isNotADatabase(error: unknown): boolean {
  return error instanceof LedgerError && codeOf(error.cause) === notADatabase
}

function notOurs(path: string, stats: Stats): LedgerError {
  const header = isOpenHere(stats) ? null : readFileHeader(path)
  if (header === null || header.wasLedger) {
    return ledgerError('damaged', path, 'Its header cannot be read')
  }
  const what = header.isDatabase
    ? 'It is the SQLite database of another program'
    : 'It is not a SQLite database'
  return ledgerError('foreign', path, what)
}

function requireQuickCheck(connection: Connection): void {
  // The lines before the last one only say which database is meant.
  const problem = String(connection.get('PRAGMA quick_check(1)')?.[0]).split('\n').at(-1)
  if (problem !== 'ok') throw ledgerError('damaged', connection.path, `SQLite found: ${problem}`)
}
