/** Readings stand in blocks of time: every one finds its place, and old ones leave by the block. */

import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import type { PostId } from '../src/core/ids.ts'
import { MemoryStore } from '../src/ledger/memory/memory-store.ts'
import { migrate } from '../src/ledger/postgres/migrate.ts'
import { migrations } from '../src/ledger/postgres/migrations/migrations.ts'
import { connectOnce } from '../src/ledger/postgres/pg.ts'
import { insertSamples } from '../src/ledger/postgres/records.ts'
import type { PostRow } from '../src/ledger/rows.ts'
import { createLedger } from '../src/ledger/stored-ledger.ts'
import type { World } from '../src/testing/ledger/world.ts'
import { freshDatabase } from './support/postgres.ts'
import { openPostgresWorld, until } from './support/postgres-world.ts'
import type { PostgresWorld, Sql } from './support/postgres-world.ts'

const blockMs = 28 * dayMs
/** Begins years after any time at which this is run, so that nothing stands there yet. */
const number = 1500
const start = number * blockMs
const keepMs = 30 * dayMs

/** A ledger whose clock stands in a block of its own. */
async function openInBlock(): Promise<PostgresWorld> {
  const here = await openPostgresWorld()
  here.world.clock.set(start + dayMs)
  await here.world.harness.reopen()
  return here
}

async function postAt(world: World, publishedAt: number): Promise<PostRow> {
  const post = world.newPost(await world.account(), { publishedAt })
  await world.ledger.trackPosts([post])
  return post
}

function readings(postId: PostId, times: readonly number[]) {
  return times.map((at, index) => ({
    postId,
    sample: { at, impressions: index, engagements: index, interactions: { likes: index } },
  }))
}

/** Every ten minutes for three hours. */
const often = (from: number) => Array.from({ length: 18 }, (_, i) => from + (i + 1) * 10 * minuteMs)

async function timesOf({ ledger }: Pick<World, 'ledger'>, id: PostId): Promise<readonly number[]> {
  return (await ledger.listSamples(id)).map(({ at }) => at)
}

/** Where each reading of a post stands, in the order of time. */
async function placesOf(sql: Sql, id: PostId): Promise<readonly unknown[]> {
  const rows = await sql(`select c.relname from secondwind.samples t
    join pg_class c on c.oid = t.tableoid where t.post_id = '${id}' order by t.at`)
  return rows.map(([name]) => name)
}

async function blocksOf(sql: Sql): Promise<readonly unknown[]> {
  const rows = await sql(`select name from secondwind.sample_blocks
    where from_at >= ${start - 9 * blockMs} order by from_at`)
  return rows.map(([name]) => name)
}

/** As many blocks as a ledger of half a year has, with a reading in each. */
async function fillHalfYear({ world }: PostgresWorld, post: PostRow): Promise<void> {
  for (let count = 0; count < 7; count += 1) {
    world.clock.set(start + count * blockMs + 1.5 * dayMs)
    await world.harness.reopen()
    await world.ledger.recordSamples(readings(post.id, [world.clock.now()]))
  }
}

test('the block of now and the next are made when a ledger is opened, once', async () => {
  await using here = await openInBlock()
  const sql = await here.connect()
  expect(await blocksOf(sql)).toEqual([`samples_${number}`, `samples_${number + 1}`])
  await Promise.all([here.world.harness.second(), here.world.harness.second()])
  expect(await blocksOf(sql)).toEqual([`samples_${number}`, `samples_${number + 1}`])
})

test('the block after the next is made while the ledger is kept', async () => {
  await using here = await openInBlock()
  const { world } = here
  const sql = await here.connect()
  world.clock.set(start + blockMs)
  const keepers = [world.ledger, (await world.harness.second()).ledger]
  await Promise.all(keepers.map((ledger) => ledger.shrinkSamples(keepMs, [], 9)))
  expect(await blocksOf(sql)).toContain(`samples_${number + 2}`)
})

test('a reading of any time is taken, and moves into its block when that is made', async () => {
  await using here = await openInBlock()
  const { world } = here
  const sql = await here.connect()
  const { id } = await postAt(world, start)
  const late = start + 5 * blockMs
  const times = [-1e12, 0.5, start - 1, start, start + blockMs, late, late + blockMs, 1e14]
  expect(await world.ledger.recordSamples(readings(id, times))).toBe(times.length)
  expect(await world.ledger.recordSamples(readings(id, times))).toBe(0)
  const rest = 'samples_rest'
  const [here0, next, then] = [0, 1, 5].map((n) => `samples_${number + n}`)
  const early = 'samples_early'
  expect(await placesOf(sql, id)).toEqual([early, early, rest, here0, next, rest, rest, rest])
  world.clock.set(late)
  await world.harness.reopen()
  const placed = [early, early, rest, here0, next, then, `samples_${number + 6}`, rest]
  expect(await placesOf(sql, id)).toEqual(placed)
  expect(await timesOf(world, id)).toEqual(times)
})

test('a block that is old enough as a whole is shrunk at once, and none before', async () => {
  await using here = await openInBlock()
  const { world } = here
  const sql = await here.connect()
  const [closed, gone, open] = [
    await postAt(world, start),
    await postAt(world, start),
    await postAt(world, start),
  ]
  for (const { id } of [closed, gone, open]) {
    await world.ledger.recordSamples(readings(id, often(start)))
  }
  await world.ledger.closePost(closed.id, 'closed')
  await world.ledger.closePost(gone.id, 'gone')
  const shrink = () => world.ledger.shrinkSamples(keepMs, [hourMs, 2 * hourMs], 999)

  world.clock.set(start + blockMs + keepMs - 1)
  expect(await shrink()).toBe(0)
  expect(await timesOf(world, closed.id)).toHaveLength(18)

  world.clock.advance(1)
  expect(await shrink()).toBe(32)
  expect(await blocksOf(sql)).toContain(`samples_${number}_kept`)
  expect(await sql(`select to_regclass('secondwind.samples_${number}') is null`)).toEqual([[true]])
  const kept = [start + hourMs, start + 2 * hourMs]
  expect(await timesOf(world, closed.id)).toEqual(kept)
  expect(await timesOf(world, gone.id)).toEqual(kept)
  expect(await world.ledger.listSamples(open.id)).toEqual(
    readings(open.id, often(start)).map(({ sample }) => sample),
  )
  expect(await shrink()).toBe(0)
})

test('what a shrunk block got late, or kept for a post that was watched, still goes', async () => {
  await using here = await openInBlock()
  const { world } = here
  const post = await postAt(world, start)
  await world.ledger.recordSamples(readings(post.id, often(start)))
  world.clock.set(start + blockMs + keepMs)
  const shrink = () => world.ledger.shrinkSamples(keepMs, [hourMs], 999)
  expect(await shrink()).toBe(0)
  await world.ledger.closePost(post.id, 'closed')
  expect(await shrink()).toBe(17)
  await world.ledger.recordSamples(readings(post.id, [start + 5 * minuteMs]))
  expect(await shrink()).toBe(1)
  expect(await timesOf(world, post.id)).toEqual([start + hourMs])
})

/** Numbers from 0 to 1 that look like chance and are always the same. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test.each([1, 2, 3])('seed %i: what stays is what stays in memory', async (seed) => {
  await using here = await openInBlock()
  const { world } = here
  const { clock } = world
  const sql = await here.connect()
  await fillHalfYear(here, await postAt(world, start))
  clock.set(start)
  await world.harness.reopen()
  const memory = createLedger(new MemoryStore(clock))
  const next = chance(seed)
  const account = await world.account()
  await memory.savePolicy(world.policy)
  await memory.saveAccount(account)
  const ids: PostId[] = []
  for (let count = 0; count < 12; count += 1) {
    // Around the edges of blocks, so that many posts stand in two of them.
    const edge = start + (1 + Math.floor(next() * 4)) * blockMs
    const publishedAt = edge + (next() - 0.7) * 2 * dayMs
    const post = world.newPost(account, { publishedAt })
    const times = Array.from({ length: 30 }, () => publishedAt + next() * 3 * dayMs)
    const isClosed = next() < 0.8
    for (const ledger of [world.ledger, memory]) {
      await ledger.trackPosts([post])
      await ledger.recordSamples(readings(post.id, times))
      if (isClosed) await ledger.closePost(post.id, 'closed')
    }
    ids.push(post.id)
  }
  const ages = [0, hourMs, 6 * hourMs, dayMs, 2 * dayMs, 9 * dayMs]
  for (let turn = 1; turn <= 6; turn += 1) {
    const before = start + turn * blockMs
    clock.set(before + keepMs)
    const shrink = `select secondwind.shrink_sample_block(${before}, '{${ages.join()}}')`
    let dropped = 0
    for (let [row] = await sql(shrink); row?.[0] !== null; [row] = await sql(shrink)) {
      dropped += row?.[0] as number
    }
    expect(await memory.shrinkSamples(keepMs, ages, 9_999)).toBe(dropped)
    // Nothing is left for single rows.
    expect(await world.ledger.shrinkSamples(keepMs, ages, 9_999)).toBe(0)
    for (const id of ids) {
      expect(await world.ledger.listSamples(id)).toEqual(await memory.listSamples(id))
    }
  }
})

test('the space of what was dropped comes back at once', async () => {
  await using here = await openInBlock()
  const { world } = here
  const sql = await here.connect()
  const post = await postAt(world, start)
  await world.ledger.recordSamples(readings(post.id, often(start)))
  await world.ledger.closePost(post.id, 'closed')
  await sql(`insert into secondwind.samples (post_id, at, engagements)
    select '${post.id}', ${start} + i, i from generate_series(1, 50000) i`)
  const size = async () => {
    const [row] = await sql(`select sum(pg_total_relation_size(c.relid))::int
      from pg_partition_tree('secondwind.samples') c`)
    return row?.[0] as number
  }
  const before = await size()
  world.clock.set(start + blockMs + keepMs)
  expect(await world.ledger.shrinkSamples(keepMs, [hourMs], 999)).toBe(50_017)
  expect(await size()).toBeLessThan(before / 10)
})

test('a block that someone reads from for long stays as it is, and nobody fails', async () => {
  await using here = await openInBlock()
  const { world } = here
  const post = await postAt(world, start)
  await world.ledger.recordSamples(readings(post.id, often(start)))
  await world.ledger.closePost(post.id, 'closed')
  world.clock.set(start + blockMs + keepMs)
  const reader = await here.connect()
  await reader('begin; select count(*) from secondwind.samples')
  expect(await world.ledger.shrinkSamples(keepMs, [hourMs], 999)).toBe(0)
  await reader('commit')
  expect(await world.ledger.shrinkSamples(keepMs, [hourMs], 999)).toBe(17)
})

test('several keepers, and those who record meanwhile, do not disturb each other', async () => {
  await using here = await openInBlock()
  const { world } = here
  const post = await postAt(world, start)
  await world.ledger.recordSamples(readings(post.id, often(start)))
  await world.ledger.closePost(post.id, 'closed')
  world.clock.set(start + blockMs + keepMs)
  const { ledger: other } = await world.harness.second()
  const late = Array.from({ length: 9 }, (_, index) => start + 2 * index)
  const work: Promise<unknown>[] = []
  for (const [index, ledger] of [world.ledger, other].entries()) {
    work.push(ledger.shrinkSamples(keepMs, [hourMs], 999))
    for (const at of [...late, world.clock.now()]) {
      work.push(ledger.recordSamples(readings(post.id, [at + index])))
    }
  }
  await Promise.all(work)
  await world.ledger.shrinkSamples(keepMs, [hourMs], 999)
  const now = world.clock.now()
  expect(await timesOf(world, post.id)).toEqual([start + hourMs, now, now + 1])
})

test('a decision reads the blocks of its time, and no other', async () => {
  await using here = await openInBlock()
  const { world } = here
  const post = await postAt(world, start)
  await fillHalfYear(here, post)
  const action = await world.plan(await world.post())
  const watcher = await here.connect()
  const countReads = async () => {
    const rows = await watcher(`select relname, (seq_scan + idx_scan)::int from pg_stat_user_tables
      where schemaname = 'secondwind' and relname like 'samples%'`)
    return new Map(rows as [string, number][])
  }
  await world.harness.reopen()
  const before = await countReads()
  const reach = { samplesMs: 8 * dayMs, looksMs: 1, accountMs: 1, accountLimit: 9, platformMs: 1 }
  const look = () => ({ result: 1, changes: {} })
  const { store } = world.harness
  // More than five times: by then the server has settled on a plan for all values.
  for (let turn = 0; turn < 8; turn += 1) {
    expect((await store.readPosts([post.id], reach))[0]?.samples).toHaveLength(1)
    await store.withPost(post.id, reach, look)
    await store.withClaim(action.id, reach, look)
  }
  await world.harness.reopen()
  const isRead = async () => {
    const counts = [...(await countReads())]
    return counts.filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
  }
  // Eight days before the second of a block's days, and whatever may be to come.
  const needed = [...[5, 6, 7].map((n) => `samples_${number + n}`), 'samples_rest']
  // Sessions report what they read when they end.
  await until(async () => (await isRead()).length >= needed.length)
  expect((await isRead()).sort()).toEqual(needed)
})

test('a reading is recorded without a look at those that are there', async () => {
  await using here = await openInBlock()
  const client = await connectOnce(here.connectionString)
  try {
    const text = `explain (generic_plan) ${insertSamples.text('"secondwind"')}`
    const { rows } = await client.query({ text, rowMode: 'array' })
    const scans = rows.map(([line]) => String(line)).filter((line) => line.includes('Scan'))
    expect(scans.length).toBeGreaterThan(2)
    expect(scans.filter((line) => line.includes('samples'))).toEqual([])
  } finally {
    await client.end()
  }
})

test('a ledger of version 7 keeps its readings where they are', async () => {
  const connectionString = await freshDatabase()
  await migrate(connectionString, 'secondwind', migrations.slice(0, 7))
  const client = await connectOnce(connectionString)
  const file = async (table: string) => {
    const text = `select pg_relation_filepath('secondwind.${table}')`
    return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0]
  }
  const times = [-5, 0.25, Date.UTC(2026, 0, 1), 1e13]
  for (const at of times) {
    const text = `insert into secondwind.samples values ('p', ${at}, null, 7, '{"likes":1}')`
    await client.query({ text })
  }
  const before = await file('samples')
  await using here = await openPostgresWorld(connectionString)
  expect(await file('samples_early')).toBe(before)
  await client.end()
  const rest = { impressions: null, engagements: 7, interactions: { likes: 1 } }
  const kept = await here.world.harness.store.listSamples('p' as PostId)
  expect(kept).toEqual(times.map((at) => Object.assign({ at }, rest)))
  const sql = await here.connect()
  const early = 'samples_early'
  expect(await placesOf(sql, 'p' as PostId)).toEqual([early, early, early, 'samples_rest'])
})
