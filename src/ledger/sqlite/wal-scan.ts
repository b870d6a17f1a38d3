/**
 * Owns the check of the write-ahead log before SQLite opens it. SQLite reads the log up to the
 * first frame whose checksum is wrong and drops all that follows without a word. After a crash that
 * is right: the last transaction was being written and nobody was told that it succeeded. But a
 * flipped bit earlier in the log makes acknowledged commits disappear just as silently (I4, I10).
 *
 * What can be told: a commit that stands whole behind a broken frame was written later than that
 * frame, so the log was damaged after it had been written. A broken frame with no commit behind it
 * is the torn end that a crash leaves, and is accepted.
 *
 * What cannot be told from the log alone: that it was cut off at the end, or that its very last
 * transaction was damaged. Where the wal-index of the crashed process is still there it knows how
 * far the log reached, and then both are found (see wal-index.ts).
 *
 * A power cut can leave the last transaction's frames on the disk in any order. Where its commit is
 * whole and an earlier frame of it is not, this check refuses the log although nothing acknowledged
 * may be lost: that is a person's decision.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'
import { systemCodeOf } from './errors.ts'

const headerBytes = 32
const frameHeaderBytes = 24
const magicLittleEndian = 0x37_7f_06_82
const magicBigEndian = 0x37_7f_06_83
const formatVersion = 3_007_000
const framesPerRead = 64

export type WalReport =
  /** There is no log, or nothing was ever committed to it. */
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'sound'
      /** The number of its last committed frame, from 1; 0 where there is none. */
      readonly committedFrames: number
      /** The pages that committed frames hold. */
      readonly pages: ReadonlySet<number>
      /** Identifies this filling of the log, 8 bytes in hex. */
      readonly salts: string
    }
  | { readonly kind: 'broken'; readonly what: string }

/** Reads a range of the log into the start of the buffer and returns how many bytes there were. */
export type ReadRange = (into: Buffer, position: number, length: number) => number

/** Someone who writes all the time is waited for this often, and no longer. */
const mostScans = 100

/**
 * Scans the log at a path. Another process may be writing it. Where it began the log anew meanwhile
 * the header is another one, and the scan means nothing. Where it was appending, frames that were
 * read half-written look broken; so what looks broken is looked at again until nobody writes.
 */
export function scanWal(path: string): WalReport {
  let last: Scan | null = null
  for (let count = 0; count < mostScans; count += 1) {
    const scan = scanFile(path)
    if (scan === null) return { kind: 'empty' }
    const isAtRest = last !== null && last.stamp === scan.stamp
    if (scan.isOneLog && (scan.report.kind !== 'broken' || isAtRest)) return scan.report
    last = scan
  }
  return last?.report ?? { kind: 'empty' }
}

interface Scan {
  readonly report: WalReport
  /** False where the log was begun anew while it was read. */
  readonly isOneLog: boolean
  /** Changes whenever the file is written. */
  readonly stamp: string
}

function scanFile(path: string): Scan | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    const read: ReadRange = (into, position, length) => readSync(file, into, 0, length, position)
    const { size, mtimeNs } = fstatSync(file, { bigint: true })
    const before = readHeader(read)
    const report = scanLog(read, Number(size))
    const isOneLog = readHeader(read).equals(before)
    return { report, isOneLog, stamp: `${size} ${mtimeNs}` }
  } finally {
    closeSync(file)
  }
}

function readHeader(read: ReadRange): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  read(bytes, 0, headerBytes)
  return bytes
}

export function scanLog(read: ReadRange, size: number): WalReport {
  if (size <= headerBytes) return { kind: 'empty' }
  const header = parseHeader(readHeader(read))
  if (header === null) return { kind: 'broken', what: 'its header cannot be read' }
  return scanFrames(read, size, header)
}

interface WalHeader {
  readonly pageBytes: number
  readonly bigEndian: boolean
  readonly saltBytes: Buffer
  readonly checksum: Checksum
}

interface Checksum {
  readonly first: number
  readonly second: number
}

function parseHeader(bytes: Buffer): WalHeader | null {
  const magic = bytes.readUInt32BE(0)
  if (magic !== magicLittleEndian && magic !== magicBigEndian) return null
  const bigEndian = magic === magicBigEndian
  const checksum = addTo({ first: 0, second: 0 }, wordsOf(bytes, bigEndian), 0, 24)
  const pageBytes = bytes.readUInt32BE(8)
  const isSound =
    bytes.readUInt32BE(4) === formatVersion &&
    isPageSize(pageBytes) &&
    bytes.readInt32BE(24) === checksum.first &&
    bytes.readInt32BE(28) === checksum.second
  return isSound ? { pageBytes, bigEndian, saltBytes: bytes.subarray(16, 24), checksum } : null
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0
}

/** SQLite's own checksum over pairs of 32-bit words, in signed arithmetic. Lengths are in bytes. */
export function addTo(
  { first, second }: Checksum,
  words: Int32Array,
  start: number,
  length: number,
): Checksum {
  let one = first
  let two = second
  for (let index = start / 4; index < (start + length) / 4; index += 2) {
    one = (one + (words[index] as number) + two) | 0
    two = (two + (words[index + 1] as number) + one) | 0
  }
  return { first: one, second: two }
}

/** The bytes as numbers. They are copied first: numbers must begin at every fourth byte. */
export function wordsOf(bytes: Buffer, bigEndian: boolean): Int32Array {
  const words = new Int32Array(bytes.length / 4)
  const copy = Buffer.from(words.buffer)
  bytes.copy(copy)
  if (bigEndian !== (endianness() === 'BE')) copy.swap32()
  return words
}

function scanFrames(read: ReadRange, size: number, header: WalHeader): WalReport {
  const frameBytes = frameHeaderBytes + header.pageBytes
  const frameCount = Math.floor((size - headerBytes) / frameBytes)
  const buffer = Buffer.alloc(frameBytes * framesPerRead)
  let words: Int32Array = new Int32Array()
  const pages = new Set<number>()
  let uncommitted: number[] = []
  let { checksum } = header
  let committedFrames = 0
  let brokenFrame: number | null = null
  for (let index = 0; index < frameCount; index += 1) {
    const at = (index % framesPerRead) * frameBytes
    if (at === 0) {
      read(buffer, headerBytes + index * frameBytes, buffer.length)
      words = wordsOf(buffer, header.bigEndian)
    }
    const isCommit = buffer.readUInt32BE(at + 4) !== 0
    const isOfThisLog = header.saltBytes.compare(buffer, at + 8, at + 16) === 0
    if (brokenFrame !== null) {
      // Frames of an earlier filling of the log have other salts and mean nothing.
      if (isOfThisLog && isCommit) return brokenAt(brokenFrame, index + 1)
      continue
    }
    checksum = addTo(checksum, words, at, 8)
    checksum = addTo(checksum, words, at + 24, header.pageBytes)
    const isWhole =
      isOfThisLog &&
      buffer.readInt32BE(at + 16) === checksum.first &&
      buffer.readInt32BE(at + 20) === checksum.second
    if (!isWhole) {
      brokenFrame = index + 1
      continue
    }
    uncommitted.push(buffer.readUInt32BE(at))
    if (!isCommit) continue
    committedFrames = index + 1
    for (const page of uncommitted) pages.add(page)
    uncommitted = []
  }
  return { kind: 'sound', committedFrames, pages, salts: header.saltBytes.toString('hex') }
}

function brokenAt(frame: number, commit: number): WalReport {
  const what = `its frame ${frame} is broken, and the commit in frame ${commit} would be lost`
  return { kind: 'broken', what }
}
