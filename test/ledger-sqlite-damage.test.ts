/**
 * A damaged SQLite ledger is refused with an error that names the file, says what is wrong and what
 * to do; it is left as it was to the last byte and never taken for an empty one (I10).
 */

import { hash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LedgerError } from '../src/ledger/index.ts'
import type { ActionRow } from '../src/ledger/index.ts'
import { openSqliteStore } from '../src/ledger/sqlite/sqlite-store.ts'
import type { SqliteOptions, SqliteStore } from '../src/ledger/sqlite/sqlite-store.ts'
import { LedgerHarness } from '../src/testing/ledger/harness.ts'
import { World } from '../src/testing/ledger/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-damage-'))
afterAll(() => rmSync(folder, { recursive: true }))

const clock = { now: () => Date.UTC(2026, 2, 2, 12) }
const pageBytes = 4096
const frameBytes = 24 + pageBytes

/** A ledger whose process was killed: a part of it is in the file, the rest only in the log. */
const killed = join(folder, 'killed')
/** What was acknowledged before, and after the log was last written back. */
const acknowledged: ActionRow[] = []

beforeAll(async () => {
  const path = join(folder, 'live', 'ledger.db')
  const harness = await LedgerHarness.open(async (given) => ({
    open: () => openSqliteStore({ path, clock: given }),
    tamper: { changeEvent, deleteEvent: changeEvent, swapAudit: changeEvent },
    [Symbol.asyncDispose]: async () => {},
  }))
  const world = new World(harness)
  const account = await world.account()
  const act = async () => {
    world.clock.advance(86_400_000)
    acknowledged.push(await world.succeeded(await world.post(account)))
  }
  for (let count = 0; count < 12; count += 1) await act()
  await (harness.store as SqliteStore).checkpoint()
  for (let count = 0; count < 4; count += 1) await act()
  mkdirSync(killed)
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']) {
    copyFileSync(join(folder, 'live', name), join(killed, name))
  }
  await harness[Symbol.asyncDispose]()
})

const changeEvent = async () => {}

let count = 0

/** A copy of the killed ledger to damage; without its wal-index it looks as after a reboot. */
function newCopy(...names: readonly string[]): string {
  count += 1
  const directory = join(folder, `case-${count}`)
  mkdirSync(directory)
  for (const name of names) copyFileSync(join(killed, name), join(directory, name))
  return join(directory, 'ledger.db')
}

const afterKill = () => newCopy('ledger.db', 'ledger.db-wal', 'ledger.db-shm')
const afterReboot = () => newCopy('ledger.db', 'ledger.db-wal')

/** A copy of which all is in the file. */
async function afterClose(): Promise<string> {
  const path = afterKill()
  const store = await open(path)
  await store[Symbol.asyncDispose]()
  return path
}

function open(path: string, options: Partial<SqliteOptions> = {}): Promise<SqliteStore> {
  return openSqliteStore({ path, clock, busyTimeoutMs: 20, ...options })
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

function flip(path: string, at: number, bit = 0): void {
  change(path, (bytes) => bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << bit), at))
}

/** The file and its log, to the last byte. The wal-index holds nothing that lasts. */
function contents(path: string): readonly string[] {
  return ['', '-wal', '-journal']
    .filter((suffix) => existsSync(path + suffix))
    .map((suffix) => [suffix, readFileSync(path + suffix)] as const)
    .filter(([, bytes]) => bytes.length > 0)
    .map(([suffix, bytes]) => `${suffix} ${hash('sha256', bytes)}`)
}

async function errorOf(call: Promise<unknown>): Promise<LedgerError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LedgerError)
  return error as LedgerError
}

/** The kind and the words of the error with which the file is refused and left as it was. */
async function refusal(path: string): Promise<string> {
  const before = contents(path)
  const error = await errorOf(open(path))
  expect(error.message).toContain(path)
  expect(contents(path)).toEqual(before)
  // Asked again it says the same: nothing was mended in silence.
  expect((await errorOf(open(path))).message).toBe(error.message)
  return `${error.kind}: ${error.message}`
}

/** Which of the acknowledged actions are there, exactly as they were. */
async function found(path: string): Promise<readonly ActionRow[]> {
  const store = await open(path)
  const rows = await Promise.all(acknowledged.map(({ id }) => store.getAction(id)))
  expect(await store.checkIntegrity()).toEqual([])
  await store[Symbol.asyncDispose]()
  return rows.filter((row) => row !== null)
}

test('a ledger whose process was killed is all there', async () => {
  expect(await found(afterKill())).toEqual(acknowledged)
  expect(await found(afterReboot())).toEqual(acknowledged)
})

test('the file is cut off within its pages', async () => {
  const path = await afterClose()
  truncateSync(path, 9 * pageBytes)
  expect(await refusal(path)).toMatch(/^damaged: .*cut off/)
  truncateSync(path, pageBytes + 100)
  expect(await refusal(path)).toMatch(/^damaged: .*cut off/)
})

test('the file is cut off, and its log holds newer pages', async () => {
  const path = afterReboot()
  truncateSync(path, 9 * pageBytes)
  expect(await refusal(path)).toMatch(/^damaged: .*cut off/)
})

test('the file is cut off within its header', async () => {
  for (const length of [99, 50, 16]) {
    const path = await afterClose()
    truncateSync(path, length)
    expect(await refusal(path)).toMatch(/^damaged: .*(cut off|header)/)
  }
})

test('the file is empty', async () => {
  const path = await afterClose()
  truncateSync(path, 0)
  expect(await refusal(path)).toMatch(/^damaged: .*empty/)
})

test('the file is empty and its log is not', async () => {
  const path = afterKill()
  truncateSync(path, 0)
  expect(await refusal(path)).toMatch(/^damaged: .*empty/)
})

test('the file is gone and its log is not', async () => {
  const path = afterKill()
  rmSync(path)
  expect(await refusal(path)).toMatch(/^damaged: .*missing/)
  expect(existsSync(path)).toBe(false)
})

/** With one bit of its header flipped a file is refused and left alone, or all is there. */
async function isRefused(pristine: string, at: number): Promise<boolean> {
  const path = join(folder, `header-${at}.db`)
  copyFileSync(pristine, path)
  flip(path, at, at % 8)
  const before = contents(path)
  const outcome = await found(path).catch((error: unknown) => error)
  const isError = outcome instanceof LedgerError && outcome.message.includes(path)
  expect(isError ? contents(path) : outcome).toEqual(isError ? before : acknowledged)
  return isError
}

test('a bit flips in the header: it is refused, or all is there', async () => {
  const pristine = await afterClose()
  const refused: number[] = []
  for (let at = 0; at < 100; at += 1) if (await isRefused(pristine, at)) refused.push(at)
  // Among them the magic text, the page size, whose it is and which version.
  expect(refused).toEqual(expect.arrayContaining([0, 7, 15, 16, 17, 60, 63, 68, 71]))
})

test('pages of the file are overwritten', async () => {
  const pristine = await afterClose()
  const pages = readFileSync(pristine).length / pageBytes
  const path = join(folder, 'pages.db')
  for (let page = 2; page <= pages; page += 7) {
    copyFileSync(pristine, path)
    change(path, (bytes) => bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes))
    expect(await refusal(path)).toMatch(/^damaged: .*Its contents cannot be trusted/)
  }
})

test('the schema is not as its version has it', async () => {
  const path = await afterClose()
  const pristine = readFileSync(path)
  const at = pristine.indexOf('CREATE TRIGGER actions_end_for_good') + 20
  flip(path, at)
  expect(await refusal(path)).toMatch(/^damaged: .*Its contents cannot be trusted/)
})

test('a page that is found to be corrupt only when it is read stops reads and writes', async () => {
  const path = await afterClose()
  using database = new DatabaseSync(path, { readOnly: true })
  const root = database
    .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'actions'`)
    .get() as { rootpage: number }
  database.close()
  change(path, (bytes) =>
    bytes.fill(0xa5, (root.rootpage - 1) * pageBytes, root.rootpage * pageBytes),
  )
  const before = contents(path)
  const store = await open(path, { quickCheckBytes: 0 })
  const [row] = acknowledged as [ActionRow]
  const read = await errorOf(store.getAction(row.id))
  expect([read.kind, read.message]).toEqual(['damaged', expect.stringContaining(path)])
  const step = () => ({ result: 1, changes: {} })
  expect((await errorOf(store.withAction(row.id, step))).kind).toBe('damaged')
  expect((await errorOf(store.settleSetting('a', 'b'))).kind).toBe('damaged')
  expect(await store.checkIntegrity()).not.toEqual([])
  expect(contents(path)).toEqual(before)
  await store[Symbol.asyncDispose]()
})

test('a bit flips in the log before its last transaction', async () => {
  const length = readFileSync(join(killed, 'ledger.db-wal')).length
  const path = afterReboot()
  const pristine = readFileSync(`${path}-wal`)
  for (let at = 40; at < length - 20 * frameBytes; at += Math.floor(length / 12)) {
    writeFileSync(`${path}-wal`, pristine)
    flip(`${path}-wal`, at)
    expect(await refusal(path)).toMatch(/^damaged: .*would be lost/)
  }
})

test('the header of the log is damaged', async () => {
  const path = afterReboot()
  flip(`${path}-wal`, 17)
  expect(await refusal(path)).toMatch(/^damaged: .*its header cannot be read/)
})

test('a bit flips in the last commit of the log, and the wal-index knows of it', async () => {
  const path = afterKill()
  flip(`${path}-wal`, readFileSync(`${path}-wal`).length - 100)
  expect(await refusal(path)).toMatch(/^damaged: .*has lost/)
})

test('the log is cut off, and the wal-index knows of it', async () => {
  for (const cut of [1, frameBytes, 9 * frameBytes + 5]) {
    const path = afterKill()
    truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - cut)
    expect(await refusal(path)).toMatch(/^damaged: .*has lost/)
  }
})

test('the log is emptied, and the wal-index knows of it', async () => {
  const path = afterKill()
  truncateSync(`${path}-wal`, 0)
  expect(await refusal(path)).toMatch(/^damaged: .*has lost/)
})

/** That is the torn end of a crash: nothing in the files tells the one from the other. */
test('the log is cut off after a reboot: what is whole is there', async () => {
  const path = afterReboot()
  truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 1)
  const rows = await found(path)
  expect(rows.slice(0, -1)).toEqual(acknowledged.slice(0, -1))
  expect(rows.at(-1)?.state).toBe('running')
  const bare = newCopy('ledger.db')
  expect(await found(bare)).toEqual(acknowledged.slice(0, 12))
})

test('a crash leaves half of a next transaction: it is dropped and all else is there', async () => {
  const path = afterReboot()
  const log = readFileSync(`${path}-wal`)
  writeFileSync(`${path}-wal`, Buffer.concat([log, log.subarray(32, 32 + frameBytes + 77)]))
  expect(await found(path)).toEqual(acknowledged)
})

test('a rollback journal lies beside it', async () => {
  const path = await afterClose()
  writeFileSync(`${path}-journal`, readFileSync(path).subarray(0, 2000))
  expect(await refusal(path)).toMatch(/^damaged: .*rollback journal/)
})

test('there is a directory in its place', async () => {
  const path = join(folder, 'directory.db')
  mkdirSync(path)
  writeFileSync(join(path, 'kept'), 'kept')
  const error = await errorOf(open(path))
  expect([error.kind, error.message]).toEqual(['foreign', expect.stringContaining('directory')])
  expect(error.message).toContain(path)
  expect(readdirSync(path)).toEqual(['kept'])
})

test('it is a file of another kind', async () => {
  const path = join(folder, 'notes.txt')
  for (const text of ['x', 'My notes.\n'.repeat(1000)]) {
    writeFileSync(path, text)
    expect(await refusal(path)).toMatch(/^foreign: .*not a SQLite database/)
  }
})

test('it is the database of another program', async () => {
  const path = join(folder, 'other.db')
  using other = new DatabaseSync(path)
  other.exec(`PRAGMA application_id = 4711; CREATE TABLE a (b); INSERT INTO a VALUES (1)`)
  other.close()
  expect(await refusal(path)).toMatch(/^foreign: .*another program/)
})

test('it was written by a newer program', async () => {
  const path = await afterClose()
  using newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)')
  newer.close()
  expect(await refusal(path)).toMatch(/^newer: .*version 99/)
})

test('it was written by a newer program, which only its log tells', async () => {
  const path = await afterClose()
  using newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 99')
  const copy = join(folder, 'newer.db')
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix)
  expect(await refusal(copy)).toMatch(/^newer: .*version 99/)
})

test('its version is none that a migration leaves behind', async () => {
  const path = await afterClose()
  using other = new DatabaseSync(path)
  other.exec('PRAGMA user_version = 0')
  other.close()
  expect(await refusal(path)).toMatch(/^damaged: .*version is 0/)
})

test('it is read-only', async () => {
  const path = await afterClose()
  chmodSync(path, 0o444)
  expect(await refusal(path)).toMatch(/^unavailable: .*read-only/)
})
