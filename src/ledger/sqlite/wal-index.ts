/**
 * Owns the reading of the wal-index, the `-shm` file, that a killed process left behind.
 * It says up to which frame the log was committed. SQLite throws it away when it opens the file, so
 * it is asked before. After a reboot it may be gone or stale: then it says nothing, or less.
 *
 * It is written after the log was flushed, so it never claims more than was on the disk.
 */

import { endianness } from 'node:os'
import { systemCodeOf } from './errors.ts'
import { readStart } from './file-header.ts'
import { addTo, wordsOf } from './wal-scan.ts'

const copyBytes = 48
const formatVersion = 3_007_000

export interface WalIndex {
  readonly committedFrames: number
  /** Of the log that it belongs to, as in the log's own header. */
  readonly salts: string
}

/** Null where there is none, or where it was being written when its process was killed. */
export function readWalIndex(path: string): WalIndex | null {
  const bytes = Buffer.alloc(2 * copyBytes)
  try {
    readStart(path, bytes)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
  return parseWalIndex(bytes)
}

/** The header stands there twice, in the byte order of the machine. */
export function parseWalIndex(
  bytes: Buffer,
  bigEndian: boolean = endianness() === 'BE',
): WalIndex | null {
  const word = (at: number) => (bigEndian ? bytes.readInt32BE(at) : bytes.readInt32LE(at))
  if (bytes.compare(bytes, copyBytes, 2 * copyBytes, 0, copyBytes) !== 0) return null
  const isReady = bytes[12] !== 0
  if (!isReady || word(0) !== formatVersion) return null
  const { first, second } = addTo({ first: 0, second: 0 }, wordsOf(bytes, bigEndian), 0, 40)
  if (word(40) !== first || word(44) !== second) return null
  return { committedFrames: word(16) >>> 0, salts: bytes.toString('hex', 32, 40) }
}
