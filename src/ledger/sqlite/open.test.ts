/** A ledger's file is made whole or not at all, for its owner only. */

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Connection } from './connection.ts'
import { openFile, requireSqlite } from './open.ts'
import type { OpenFile } from './open.ts'
import { noteClosed } from './open-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-open-'))
afterAll(() => rmSync(folder, { recursive: true }))

const options = { busyTimeoutMs: 100, quickCheckBytes: 1e6, maximumBytes: null }

let count = 0
function newPath(): string {
  count += 1
  return join(folder, `case-${count}`, 'ledger.db')
}

function close({ connection, identity }: OpenFile): void {
  connection.close()
  noteClosed(identity)
}

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a new ledger and its directory are made, readable by their owner only', () => {
  const path = join(newPath(), 'deep', 'down', 'ledger.db')
  const file = openFile(path, options)
  file.connection.run(`INSERT INTO settings VALUES ('a', 'b')`)
  expect([modeOf(path), modeOf(`${path}-wal`), modeOf(`${path}-shm`)]).toEqual([
    0o600, 0o600, 0o600,
  ])
  close(file)
})

test('nothing but the ledger is left in its directory', () => {
  const path = newPath()
  close(openFile(path, options))
  expect(readdirSync(join(path, '..'))).toEqual(['ledger.db'])
})

test('what was written is there when it is opened again', () => {
  const path = newPath()
  const first = openFile(path, options)
  first.connection.run(`INSERT INTO settings VALUES ('a', 'b')`)
  close(first)
  const second = openFile(path, options)
  expect(second.connection.all('SELECT * FROM settings')).toEqual([['a', 'b']])
  close(second)
})

test('of two who make it at once both open the same one', () => {
  const path = newPath()
  const [one, two] = [openFile(path, options), openFile(path, options)]
  one.connection.run(`INSERT INTO settings VALUES ('a', 'b')`)
  expect(two.connection.all('SELECT * FROM settings')).toEqual([['a', 'b']])
  expect(two.identity.ino).toBe(one.identity.ino)
  close(one)
  close(two)
})

test('a link leads to the ledger, and its log stands beside the real file', () => {
  const path = newPath()
  close(openFile(path, options))
  const link = join(folder, 'link.db')
  symlinkSync(path, link)
  const file = openFile(link, options)
  file.connection.run(`INSERT INTO settings VALUES ('a', 'b')`)
  expect([existsSync(`${path}-wal`), existsSync(`${link}-wal`)]).toEqual([true, false])
  close(file)
})

test('commits are flushed, references checked and deleted texts overwritten', () => {
  const file = openFile(newPath(), options)
  const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete']
  const values = settings.map((name) => file.connection.get(`PRAGMA ${name}`)?.[0])
  expect(values).toEqual(['wal', 2, 1, 1])
  close(file)
})

test('a directory that takes no file is named, and nothing is left in it', () => {
  const directory = mkdtempSync(join(folder, 'taken-'))
  const path = join(directory, 'ledger.db', 'inside.db')
  close(openFile(join(directory, 'ledger.db'), options))
  expect(() => openFile(path, options)).toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      message: expect.stringContaining(path) as unknown,
    }),
  )
  expect(readdirSync(directory)).toEqual(['ledger.db'])
})

test('a file of an older version is brought forward, and its mode is left alone', () => {
  const path = newPath()
  close(openFile(path, options))
  chmodSync(path, 0o640)
  close(openFile(path, options))
  expect(modeOf(path)).toBe(0o640)
})

test('a library in which two processes can lose a commit is refused', () => {
  for (const version of ['3.51.3', '3.53.0', '3.100.0', '4.0.0']) {
    expect(() => requireSqlite(version)).not.toThrow()
  }
  for (const version of ['3.51.2', '3.9.9', '3.51', '2.99.9']) {
    expect(() => requireSqlite(version)).toThrow(
      expect.objectContaining({
        kind: 'unavailable',
        message: expect.stringContaining(version) as unknown,
      }),
    )
  }
})

test('an error of SQLite’s is told as one of the ledger', () => {
  const path = newPath()
  const file = openFile(path, options)
  const other = new Connection(path, { timeout: 1 })
  file.connection.control('BEGIN IMMEDIATE')
  expect(() => other.control('BEGIN IMMEDIATE')).toThrow(
    expect.objectContaining({ kind: 'busy', message: expect.stringContaining(path) as unknown }),
  )
  other.close()
  close(file)
  expect(() => file.connection.get('SELECT 1')).toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      message: expect.stringContaining('closed') as unknown,
    }),
  )
})

test('a mistake in the program stays the error that it is', () => {
  const connection = new Connection(':memory:')
  expect(() => connection.get('SELECT a')).toThrow('no such column: a')
  expect(() => connection.get('SELECT a')).not.toThrow(
    expect.objectContaining({ name: 'LedgerError' }),
  )
})
