/** Nothing on the way of a decision reads a table from end to end, however long the history is. */

import { expect, test } from 'vitest'
import { toAccountId, toPostId } from '../src/core/ids.ts'
import type { PostRow } from '../src/ledger/rows.ts'
import { dueKinds } from '../src/ledger/store.ts'
import type { ActionOrder, PostOrder, Store } from '../src/ledger/store.ts'
import type { PostView } from '../src/ledger/views.ts'
import { openPostgresWorld, until } from './support/postgres-world.ts'
import type { Sql } from './support/postgres-world.ts'

const rows = 4000
/** These have a row or a few, whatever the ledger holds. */
const small = new Set(['ledger_state', 'migrations', 'pauses'])

/** Many accounts with their history, as copies of the one that there is. */
async function fill(sql: Sql): Promise<void> {
  const copy = (table: string, changes: Readonly<Record<string, string>>) => {
    const set = Object.entries({ number: 'null::bigint', ...changes })
    const fields = set.map(([name, value]) => `'${name}', ${value}`).join(', ')
    return `insert into secondwind.${table} overriding user value
      select (jsonb_populate_record(t, jsonb_build_object(${fields}))).*
      from secondwind.${table} t, generate_series(1, ${rows}) i`
  }
  const id = (name: string) => `'${name}-' || i`
  await sql(`set session_replication_role = replica`)
  await sql(copy('accounts', { id: id('a') }))
  await sql(copy('posts', { id: id('p'), account_id: id('a'), remote_id: id('r') }))
  // Many, of which some are due and handed out; those are passed over one by one.
  await sql(`insert into secondwind.checks (id, at, handed_until)
    select ${id('p')}, case when i % 250 = 0 then 0 else 1e15 end,
      case when i % 250 = 0 then 1e15 end from generate_series(1, ${10 * rows}) i`)
  await sql(copy('samples', { post_id: id('p') }))
  await sql(copy('verdicts', { post_id: id('p') }))
  await sql(copy('own_replies', { post_id: id('p') }))
  const ended = { state: `'success'`, ended_at: '1', due_at: 'null' }
  const keys = { id: id('x'), key: id('k'), post_id: id('p'), account_id: id('a') }
  await sql(copy('actions', { ...keys, ...ended }))
  await sql(copy('attempts', { id: id('t'), action_id: id('x'), number: '1', platform: id('n') }))
  await sql(copy('incidents', { action_id: id('x') }))
  await sql(copy('without_lift', { account_id: id('a') }))
  await sql(copy('measurements', { post_id: id('p') }))
  await sql(`insert into secondwind.events (txn, at, type, data)
    select i, 1, 'restored', '{}' from generate_series(1, ${rows}) i`)
  await sql(`insert into secondwind.items (collection, id, expires_at)
    select 'notes', 'i-' || i, 1e15 from generate_series(1, ${rows}) i`)
  // As many as one could have who looks for the others.
  await sql(`update secondwind.posts set status = 'closed', latest_kind = 'healthy',
    latest_stalled = false where id like 'p-%'`)
  await sql(`set session_replication_role = origin`)
  await sql('vacuum analyze')
}

/** All but the newest, as the last of many pages. */
const place = { at: 1e15, id: '' }

async function readPages({ pages, items }: Store, post: PostRow): Promise<void> {
  const accounts = { kind: 'accounts', ids: [post.accountId, toAccountId('a-7')] } as const
  const posts: readonly PostOrder[] = [
    accounts,
    { kind: 'all' },
    { kind: 'never_touch' },
    { kind: 'latest', latest: 'plan' },
    { kind: 'status', status: 'gone' },
  ]
  for (const by of posts) await pages.posts(by, place, 10)
  const ofPost = { kind: 'post', postId: post.id } as const
  const actions: readonly ActionOrder[] = [
    accounts,
    ofPost,
    { kind: 'all' },
    { kind: 'open', states: ['running', 'waiting'] },
  ]
  for (const by of actions) await pages.actions(by, place, 10)
  for (const by of [accounts, ofPost, { kind: 'all' }] as const) await pages.events(by, null, 10)
  await pages.news([post.id, toPostId('p-7')])
  await pages.overview(null)
  await pages.overview(accounts.ids)
  await items.get('notes', 'i-7')
  await items.list('notes', { after: 'i-7', limit: 10 })
  await items.put('notes', 'new', 1, null, 1)
  await items.delete('notes', 'i-8', null)
  await items.sweep(10)
}

/**
 * The tables and indexes of which so much was read that it must have been from end to end. Sessions
 * report what they read when they end. A block of readings that is empty is read whole, as the
 * server knows that there is nothing in it.
 */
async function readWhole(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const found = await sql(`select relname, seq_scan::int from pg_stat_user_tables
      where schemaname = 'secondwind' and pg_relation_size(relid) > 0
    union all select indexrelname, idx_tup_read::int / ${rows} from pg_stat_user_indexes
      where schemaname = 'secondwind'`)
  return new Map(found as [string, number][])
}

/** Work of which nothing is said. */
const jobWriter = { statement: 'select $1::text', toParameter: () => '' }

test('steps, looks, what is due, pages and the shelf use indexes alone', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const { ledger } = world
  const account = await world.account({ discoverAt: 1 })
  const post = await world.post(account)
  await ledger.recordOwnReplies([{ postId: post.id, remoteId: 'r', at: 1 }])
  await ledger.setWithoutLift(account.id, 'edit', 1)
  const { verdict } = await world.look(post)
  await ledger.setNextCheckAt([post.id], 1)
  const { attempt } = await world.sending(post)
  const sql = await here.connect()
  await sql(`insert into secondwind.incidents values ('${attempt.actionId}', 1, 'x', null);
    insert into secondwind.verdicts (post_id, policy, at, evaluated_at, kind, score, stalled)
      values ('${post.id}', 'p', 1, 1, 'hold', 1, true)`)
  await fill(sql)

  const watcher = await here.connect()
  const before = await readWhole(watcher)
  const store = await here.open({ poolSize: 1, jobWriter })
  const reach = { samplesMs: 1e9, looksMs: 1e9, accountMs: 1e9, accountLimit: 26, platformMs: 1e9 }
  const look = () => ({ result: 1, changes: {} })
  // More than five times: by then the server has settled on a plan for all values.
  for (let turn = 0; turn < 8; turn += 1) {
    await store.withPost(post.id, reach, look)
    await store.withClaim(attempt.actionId, reach, look)
    await store.withAction(attempt.actionId, look, 1e9)
    await store.recordSamples([
      { postId: post.id, sample: { at: turn, impressions: 1, engagements: 1 } },
    ])
    await store.readPosts([post.id], reach)
    await store.recordLooks([{ postId: post.id, verdict, nextCheckAt: turn }])
    expect(await store.handingOut?.handOutChecks({ limit: 20_000, batch: 1, forMs: 1e9 })).toBe(1)
    await store.handingOut?.listDueActions(null, 10)
    await store.handingOut?.readLag()
    for (const kind of dueKinds) await store.due(kind, 10)
    await store.dueMeasurements(10)
    await store.nextDueAt()
    await store.listActions({ states: ['running'] }, { after: null, limit: 10 })
    await store.listRecentTexts(account.id, 10)
    await readPages(store, post)
  }
  await store[Symbol.asyncDispose]()

  const whole: string[] = []
  for (const [name, count] of await readWhole(watcher)) {
    if (count > (before.get(name) ?? 0)) whole.push(name)
  }
  expect(whole.filter((name) => !small.has(name))).toEqual([])
  const counted = await sql(`select count(*)::int from secondwind.actions`)
  expect(counted).toEqual([[rows + 1]])
})

test('what an account has reserved is found by an index of nothing else', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const post = await world.post()
  const { dueAt } = await world.plan(post)
  const sql = await here.connect()
  await fill(sql)
  const countReads = async () => {
    const [row] = await sql(`select idx_scan::int, idx_tup_read::int from pg_stat_user_indexes
      where schemaname = 'secondwind' and indexrelname = 'actions_reserved'`)
    return row as [scans: number, rows: number]
  }
  const [scans, found] = await countReads()
  const reach = { samplesMs: 1, looksMs: 1, accountMs: 1, accountLimit: 26, platformMs: 1 }
  const store = await here.open({ poolSize: 1 })
  for (let turn = 0; turn < 8; turn += 1) {
    const look = ({ accountReserved }: PostView) => ({ result: accountReserved, changes: {} })
    expect(await store.withPost(post.id, reach, look)).toEqual([dueAt])
  }
  await store[Symbol.asyncDispose]()
  await until(async () => (await countReads())[0] >= scans + 8)
  expect(await countReads()).toEqual([scans + 8, found + 8])
})
