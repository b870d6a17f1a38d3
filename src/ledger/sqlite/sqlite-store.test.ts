/** What the SQLite store does beyond what every store does: one file, shared, copied, cleaned. */

import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { LedgerHarness } from '../../testing/ledger/harness.ts'
import { World } from '../../testing/ledger/world.ts'
import type { AccountId, PostId } from '../../core/ids.ts'
import type { EventOrder } from '../store.ts'
import { createLedger } from '../stored-ledger.ts'
import { eventsPerBatch } from './migrations/006-filed-events.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

/** A world on a file of its own, with the store itself at hand. */
async function newWorld() {
  count += 1
  const path = join(folder, `case-${count}`, 'ledger.db')
  const tamper = async () => {}
  const harness = await LedgerHarness.open(async (clock) => ({
    open: () => openSqliteStore({ path, clock }),
    tamper: { changeEvent: tamper, deleteEvent: tamper, swapAudit: tamper },
    [Symbol.asyncDispose]: async () => {},
  }))
  return { path, harness, world: new World(harness), store: harness.store as SqliteStore }
}

const missing = 'post-that-is-not-there' as PostId

test('a write that is acknowledged is in the file, also for someone else', async () => {
  const { path, harness, store } = await newWorld()
  await store.settleSetting('a', 'b')
  using other = new DatabaseSync(path, { readOnly: true })
  expect(other.prepare('SELECT value FROM settings').get()).toEqual({ value: 'b' })
  await harness[Symbol.asyncDispose]()
})

test('of calls in one turn one that is refused takes nothing of the others with it', async () => {
  const { harness, world, store } = await newWorld()
  const account = await world.account()
  const post = world.newPost(account)
  const calls = await Promise.allSettled([
    store.settleSetting('first', '1'),
    store.trackPosts([post, world.newPost(account, { id: post.id })]),
    store.settleSetting('third', '3'),
  ])
  expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await store.getPosts([post.id])).toEqual([null])
  expect([await store.getSetting('first'), await store.getSetting('third')]).toEqual(['1', '3'])
  await harness[Symbol.asyncDispose]()
})

test('a step that changes nothing writes nothing', async () => {
  const { path, harness, world, store } = await newWorld()
  const post = await world.post()
  await store.checkpoint()
  world.clock.advance(1)
  const reach = { samplesMs: 1, looksMs: 1, accountMs: 1, accountLimit: 1, platformMs: 1 }
  await store.withPost(post.id, reach, ({ post: { id } }) => ({ result: id, changes: {} }))
  expect(statSync(`${path}-wal`).size).toBe(0)
  await harness[Symbol.asyncDispose]()
})

test('ledger time never runs back, across a restart or in another process', async () => {
  const { path, harness, world, store } = await newWorld()
  const before = world.clock.now()
  await store.settleSetting('written without an event', String(await store.now()))
  world.clock.set(before - 60_000)
  expect(await store.now()).toBe(before)
  const slow = await openSqliteStore({ path, clock: { now: () => before - 60_000 } })
  expect(await slow.now()).toBe(before)
  world.clock.set(before + 5.5)
  await world.account()
  expect(await slow.now()).toBe(before + 5.5)
  expect((await slow.readEvents(null, {}, 9)).events.at(-1)?.at).toBe(before + 5.5)
  await slow[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('one that writes after another is never behind it in time', async () => {
  const { path, harness, world } = await newWorld()
  const account = await world.account()
  const behind = { now: () => world.clock.now() - 60_000 }
  const slow = await openSqliteStore({ path, clock: behind })
  const timeOf = () => slow.withAccount(account.id, ({ now }) => ({ result: now, changes: {} }))
  expect(await timeOf()).toBe(world.clock.now())
  world.clock.advance(7)
  await world.account()
  expect(await timeOf()).toBe(world.clock.now())
  await slow[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('events of a post and of an account are found in full batches and after them', async () => {
  const { harness, world, store } = await newWorld()
  const [ann, ben] = [await world.account(), await world.account()]
  const post = world.newPost(ann)
  const subjects = [
    { accountId: ann.id, postId: null },
    { accountId: ann.id, postId: post.id },
    { accountId: ben.id, postId: null },
    { accountId: null, postId: null },
  ]
  const at = world.clock.now()
  const many = Array.from({ length: 2 * eventsPerBatch + 50 }, (_, number) => {
    const subject = subjects[number % subjects.length] ?? { accountId: null, postId: null }
    return { type: 'restored', at, ...subject, actionId: null, data: {} } as const
  })
  // Those of one call share a transaction, and batches end in the middle of it.
  for (let from = 0; from < many.length; from += 77) await store.say(many.slice(from, from + 77))
  const all = (await store.readEvents(null, {}, 999)).events.toReversed()
  const seqs = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq)
  for (const limit of [1, 30, 500]) {
    const read = async (by: EventOrder) => {
      const found: number[] = []
      for (;;) {
        const page = await store.pages.events(by, found.at(-1)?.toString() ?? null, limit)
        found.push(...page.map(({ event }) => event.seq))
        if (page.length < limit) return found
      }
    }
    expect(await read({ kind: 'post', postId: post.id })).toEqual(
      seqs(all.filter(({ postId }) => postId === post.id)),
    )
    expect(await read({ kind: 'accounts', ids: [ben.id, ann.id] })).toEqual(
      seqs(all.filter(({ accountId }) => accountId !== null)),
    )
  }
  expect(await store.checkIntegrity()).toEqual([])
  await harness[Symbol.asyncDispose]()
})

test('a sample of a post that is not there is refused by name', async () => {
  const { harness, store } = await newWorld()
  const sample = { at: 1, impressions: null, engagements: 0 }
  await expect(store.recordSamples([{ postId: missing, sample }])).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining(missing) as unknown,
  })
  await harness[Symbol.asyncDispose]()
})

test('retention passes over what it has shrunk, until there are new samples', async () => {
  const { path, harness, world, store } = await newWorld()
  const post = await world.post()
  await world.ledger.closePost(post.id, 'closed')
  const later = world.clock.now() + 1
  expect(await store.shrinkSamples(later, [], 99)).toBe(3)
  using other = new DatabaseSync(path)
  const shrunk = other.prepare('SELECT shrunk FROM posts')
  expect(shrunk.get()).toEqual({ shrunk: 1 })
  await world.stall(post)
  expect(shrunk.get()).toEqual({ shrunk: 0 })
  expect(await store.shrinkSamples(later, [], 99)).toBe(3)
  await harness[Symbol.asyncDispose]()
})

test('what an erased account wrote is gone from the disk', async () => {
  const { path, harness, world } = await newWorld()
  const secret = 'Zwölf Boxkämpfer jagen Viktor quer'
  const account = await world.account({ credentials: `sealed ${secret}` })
  const post = await world.post(account, { text: `post ${secret}` })
  const action = await world.plan(post, { text: `draft ${secret}` })
  const textHash = action.textHash
  await world.decide(action, { kind: 'revise', textHash, text: `revised ${secret}` })
  await world.begin(await world.claim(action), { prepared: { text: secret } })
  const bytes = () => readFileSync(path).toString('utf8') + readFileSync(`${path}-wal`, 'utf8')
  expect(bytes()).toContain(secret)
  await world.ledger.eraseAccount(account.id)
  expect(bytes()).not.toContain(secret)
  await harness[Symbol.asyncDispose]()
})

test('a checkpoint empties the log into the file', async () => {
  const { path, harness, store } = await newWorld()
  await store.settleSetting('a', 'b')
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  expect(await store.checkpoint()).toBe(true)
  expect(statSync(`${path}-wal`).size).toBe(0)
  expect(await store.getSetting('a')).toBe('b')
  await harness[Symbol.asyncDispose]()
})

test('a checkpoint says so where someone still reads from the log', async () => {
  const { path, harness, store } = await newWorld()
  await store.settleSetting('a', 'b')
  using other = new DatabaseSync(path, { readOnly: true })
  other.exec('BEGIN')
  other.prepare('SELECT * FROM settings').all()
  await store.settleSetting('c', 'd')
  const quick = await openSqliteStore({ path, clock: harness.clock, busyTimeoutMs: 1 })
  expect(await quick.checkpoint()).toBe(false)
  await quick[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('a sound ledger has no damage', async () => {
  const { harness, world, store } = await newWorld()
  await world.succeeded()
  expect(await store.checkIntegrity()).toEqual([])
  await harness[Symbol.asyncDispose]()
})

test('a reference that leads nowhere is damage', async () => {
  const { path, harness, world, store } = await newWorld()
  await world.post()
  using other = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  other.exec(`UPDATE posts SET account_id = 'nobody'`)
  expect(await store.checkIntegrity()).toEqual(['Row 1 of posts belongs to none of accounts'])
  await harness[Symbol.asyncDispose]()
})

test('closing commits what was called before, and closing again does nothing', async () => {
  const { path, harness, store } = await newWorld()
  const written = store.settleSetting('a', 'b')
  await store[Symbol.asyncDispose]()
  expect(await written).toBe('b')
  await store[Symbol.asyncDispose]()
  await expect(store.settleSetting('c', 'd')).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(store.getSetting('a')).rejects.toMatchObject({ kind: 'unavailable' })
  expect(existsSync(`${path}-wal`)).toBe(false)
  await harness[Symbol.asyncDispose]()
})

test('a ledger that may not grow refuses the calls of the turn, and keeps the rest', async () => {
  const { path, harness, world } = await newWorld()
  const account = await world.account()
  await harness.ledger[Symbol.asyncDispose]()
  const maximumBytes = statSync(path).size + 8192
  const small = await openSqliteStore({ path, clock: harness.clock, maximumBytes })
  const text = 'x'.repeat(3000)
  const posts = Array.from({ length: 20 }, () => world.newPost(account, { text }))
  const added = await Promise.allSettled(posts.map((post) => small.trackPosts([post])))
  const message: unknown = expect.stringContaining(path)
  const full = { status: 'rejected', reason: { kind: 'unavailable', message } }
  expect(added).toMatchObject(posts.map(() => full))
  expect(await small.listPosts({}, { after: null, limit: 9 })).toEqual([])
  expect(await small.settleSetting('still', 'writes')).toBe('writes')
  await small[Symbol.asyncDispose]()
})

test('a lock that another holds for too long is an error to try again after', async () => {
  const { path, harness } = await newWorld()
  const store = await openSqliteStore({ path, clock: harness.clock, busyTimeoutMs: 1 })
  using other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const message: unknown = expect.stringContaining(path)
  const calls = await Promise.allSettled([
    store.settleSetting('a', 'b'),
    store.settleSetting('c', 'd'),
  ])
  const busy = { status: 'rejected', reason: { kind: 'busy', message } }
  expect(calls).toMatchObject([busy, busy])
  expect(await store.getSetting('a')).toBeNull()
  other.exec('ROLLBACK')
  expect(await store.settleSetting('a', 'b')).toBe('b')
  await store[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('where its file is removed or replaced nothing is acknowledged any more', async () => {
  const { path, harness, store } = await newWorld()
  const refused = (what: string) => ({
    kind: 'unavailable',
    message: expect.stringContaining(`${path}: ${what}`) as unknown,
  })
  const write = () => store.settleSetting('a', 'b')
  const away = `${path}.away`
  renameSync(path, away)
  await expect(write()).rejects.toMatchObject(refused('The file was removed'))
  expect(existsSync(path)).toBe(false)
  copyFileSync(away, path)
  const before = readFileSync(path)
  await expect(write()).rejects.toMatchObject(refused('Another file took its place'))
  expect(readFileSync(path)).toEqual(before)
  renameSync(away, path)
  renameSync(`${path}-wal`, away)
  await expect(write()).rejects.toMatchObject(refused('Its log, the -wal, was removed'))
  renameSync(away, `${path}-wal`)
  expect(await write()).toBe('b')
  await harness[Symbol.asyncDispose]()
})

test('where a newer program brings the file forward this one writes no more', async () => {
  const { path, harness, store } = await newWorld()
  await store.settleSetting('before', 'a')
  using newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 99')
  const refused = { kind: 'newer', message: expect.stringContaining('version 99') as unknown }
  await expect(store.settleSetting('a', 'b')).rejects.toMatchObject(refused)
  expect(await store.getSetting('a')).toBeNull()
  await harness[Symbol.asyncDispose]()
})

test('a backup holds what was acknowledged, and leaves the ledger as it is', async () => {
  const { path, harness, world, store } = await newWorld()
  const account = await world.account()
  const action = await world.succeeded(await world.post(account))
  const copy = join(path, '..', 'copies', 'copy.db')
  await store.backup(copy)
  expect(await store.listPauses()).toEqual([])
  expect([existsSync(`${copy}-wal`), statSync(copy).mode & 0o777]).toEqual([false, 0o600])
  const restored = await openSqliteStore({ path: copy, clock: world.clock })
  expect(await restored.getAction(action.id)).toEqual(action)
  expect(await restored.checkIntegrity()).toEqual([])
  await restored[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('who opens a backup finds every account paused, but not one that is added then', async () => {
  const { path, harness, world, store } = await newWorld()
  const [one, two] = [await world.account(), await world.account()]
  const holiday = { until: null, reason: 'holiday', by: 'anna' }
  await world.ledger.pause({ scope: 'account', target: two.id, ...holiday })
  const planned = await world.plan(await world.post(one))
  world.clock.advance(1000)
  await store.backup(`${path}.copy`)
  const restored = await openSqliteStore({ path: `${path}.copy`, clock: world.clock })
  const ledger = createLedger(restored)
  const pause = { scope: 'account', since: world.clock.now(), until: null, by: 'backup' }
  const reason = 'restored from a backup'
  expect(await ledger.listPauses()).toEqual([
    { ...pause, target: one.id, reason },
    { ...pause, target: two.id, reason: `${reason}; paused before that: holiday` },
  ])
  const held = { kind: 'held', reason: 'paused' }
  expect(await ledger.claim(world.claimCommand(planned))).toMatchObject(held)
  await ledger.saveAccount({ ...one, id: 'account-new' as AccountId })
  expect((await ledger.listPauses()).length).toBe(2)
  const { events } = await ledger.readEvents(null, { types: ['restored', 'paused'] }, 9)
  expect(events.map(({ type, accountId }) => [type, accountId])).toEqual([
    ['paused', two.id],
    ['restored', null],
    ['paused', one.id],
    ['paused', two.id],
  ])
  await restored[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('a backup goes on while others write, and holds one moment', async () => {
  const { path, harness, world, store } = await newWorld()
  const account = await world.account()
  const text = 'x'.repeat(2000)
  const track = () => store.trackPosts([world.newPost(account, { text })])
  for (let number = 0; number < 500; number += 1) await track()
  const progress = { isDone: false }
  const copied = store.backup(`${path}.copy`).finally(() => (progress.isDone = true))
  let during = 0
  while (!progress.isDone) {
    await track()
    during += 1
    // Only in a turn of the event loop can the copy be seen to be finished.
    await stat(path)
  }
  await copied
  expect(during).toBeGreaterThan(0)
  const restored = await openSqliteStore({ path: `${path}.copy`, clock: world.clock })
  expect(await restored.checkIntegrity()).toEqual([])
  const page = { after: null, limit: 10_000 }
  expect((await restored.listPosts({}, page)).length).toBe(500)
  expect((await store.listPosts({}, page)).length).toBe(500 + during)
  await restored[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

test('a backup replaces nothing, and lies beside no strange log', async () => {
  const { path, harness, store } = await newWorld()
  const before = readFileSync(path)
  const conflict = { name: 'LedgerError', kind: 'conflict' }
  await expect(store.backup(path)).rejects.toMatchObject(conflict)
  expect(readFileSync(path)).toEqual(before)
  await store.settleSetting('a', 'b')
  const strange = join(path, '..', 'strange.db')
  using other = new DatabaseSync(strange)
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (b)')
  rmSync(strange)
  await expect(store.backup(strange)).rejects.toMatchObject(conflict)
  expect(existsSync(strange)).toBe(false)
  await harness[Symbol.asyncDispose]()
})
