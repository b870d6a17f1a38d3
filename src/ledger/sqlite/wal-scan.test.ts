/** Damage in the log that SQLite would pass over in silence is found; a crash's torn end is not. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { parseWalIndex } from './wal-index.ts'
import { scanLog, scanWal } from './wal-scan.ts'
import type { WalReport } from './wal-scan.ts'

const folder = mkdtempSync(join(tmpdir(), 'wal-scan-'))
afterAll(() => rmSync(folder, { recursive: true }))

const commitCount = 12
const frameBytes = 24 + 4096
const { wal, shm } = makeLog()

/** Every commit writes the same two pages. */
function makeLog() {
  const path = join(folder, 'made.db')
  using database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE a (n); CREATE TABLE b (n);
    INSERT INTO a VALUES (0); INSERT INTO b VALUES (0); PRAGMA wal_checkpoint(TRUNCATE)`)
  for (let number = 1; number <= commitCount; number += 1) {
    database.exec(`BEGIN; UPDATE a SET n = ${number}; UPDATE b SET n = ${number}; COMMIT`)
  }
  copyFileSync(path, join(folder, 'base.db'))
  return { wal: readFileSync(`${path}-wal`), shm: readFileSync(`${path}-shm`) }
}

function scan(bytes: Buffer): WalReport {
  const read = (into: Buffer, position: number, length: number) =>
    bytes.copy(into, 0, position, position + length)
  return scanLog(read, bytes.length)
}

function committed(report: WalReport): number | string {
  return report.kind === 'sound' ? report.committedFrames : report.kind
}

function flipped(bytes: Buffer, at: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return copy
}

/** The byte where a frame begins, from 1. */
const startOf = (frame: number) => 32 + (frame - 1) * frameBytes

test('a sound log is read to its last commit', () => {
  expect(wal.length).toBe(32 + 2 * commitCount * frameBytes)
  const report = scan(wal)
  expect(committed(report)).toBe(2 * commitCount)
  expect(report.kind === 'sound' && report.pages).toEqual(new Set([2, 3]))
})

test('no log and one that holds only its header hold nothing', () => {
  expect(scanWal(join(folder, 'none-wal'))).toEqual({ kind: 'empty' })
  expect(scan(Buffer.alloc(0))).toEqual({ kind: 'empty' })
  expect(scan(wal.subarray(0, 32))).toEqual({ kind: 'empty' })
})

test('a bit that flips anywhere before the last transaction is found', () => {
  const end = startOf(2 * commitCount - 1)
  const missed: number[] = []
  for (let at = 0; at < end; at += 61) {
    if (scan(flipped(wal, at, at % 8)).kind !== 'broken') missed.push(at)
  }
  expect(missed).toEqual([])
})

test.each([0, 4, 8, 12, 16, 20, 24, 28])('a bit that flips in the header at %i is found', (at) => {
  expect(scan(flipped(wal, at)).kind).toBe('broken')
})

test('the report names the broken frame and the commit that would be lost', () => {
  const report = scan(flipped(wal, startOf(7) + 1000))
  expect(report).toEqual({ kind: 'broken', what: expect.stringContaining('frame 7') as unknown })
  expect(report).toEqual({ kind: 'broken', what: expect.stringContaining('frame 8') as unknown })
})

test('wherever a crash cuts the last transaction off, the rest is accepted', () => {
  const whole = 2 * commitCount - 2
  for (const cut of [1, 24, 25, 2000, frameBytes, frameBytes + 1, 2 * frameBytes - 1]) {
    expect([cut, committed(scan(wal.subarray(0, startOf(whole + 1) + cut)))]).toEqual([cut, whole])
  }
})

test('a last frame whose page was not written yet is a torn end, not damage', () => {
  const torn = Buffer.from(wal)
  torn.fill(0, startOf(2 * commitCount) + 24)
  expect(committed(scan(torn))).toBe(2 * commitCount - 2)
})

test('frames that an earlier filling left behind mean nothing', () => {
  const older = flipped(wal, startOf(9) + 8)
  for (let frame = 10; frame <= 2 * commitCount; frame += 1) {
    older[startOf(frame) + 8] = (older[startOf(frame) + 8] ?? 0) ^ 1
  }
  expect(committed(scan(older))).toBe(8)
})

test('what SQLite itself would read is what is accepted', () => {
  for (const cut of [0, 5, 2 * frameBytes, 7 * frameBytes + 99]) {
    const bytes = wal.subarray(0, wal.length - cut)
    const path = join(folder, `cut-${cut}.db`)
    copyFileSync(join(folder, 'base.db'), path)
    writeFileSync(`${path}-wal`, bytes)
    using database = new DatabaseSync(path)
    const [value] = Object.values(database.prepare('SELECT n FROM a').get() ?? {})
    expect([cut, Number(value) * 2]).toEqual([cut, committed(scan(bytes))])
  }
})

test('the wal-index of a killed process says how far the log was committed', () => {
  const index = parseWalIndex(shm.subarray(0, 96))
  const report = scan(wal)
  expect(index).toEqual({
    committedFrames: 2 * commitCount,
    salts: report.kind === 'sound' && report.salts,
  })
})

test('a wal-index that was being written, or is damaged, says nothing', () => {
  expect(parseWalIndex(Buffer.alloc(96))).toBeNull()
  expect(parseWalIndex(flipped(shm.subarray(0, 96), 16))).toBeNull()
  const both = flipped(flipped(shm.subarray(0, 96), 16), 64)
  expect(parseWalIndex(both)).toBeNull()
})
