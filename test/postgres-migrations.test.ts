/** The schema goes forward only, whole, once, and only where it is this program's to change. */

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '../src/ledger/postgres/migrate.ts'
import type { Migration } from '../src/ledger/postgres/migrations/migration.ts'
import { migrations } from '../src/ledger/postgres/migrations/migrations.ts'
import { connectOnce } from '../src/ledger/postgres/pg.ts'
import { openPostgresStore } from '../src/ledger/postgres/postgres-store.ts'
import { freshDatabase } from './support/postgres.ts'

const schema = 'secondwind'

async function run(connectionString: string, text: string) {
  const client = await connectOnce(connectionString)
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** All that the schema holds, in words that can be compared. */
function describeSchema(connectionString: string) {
  return run(
    connectionString,
    `select 'column', table_name, column_name, data_type || coalesce(collation_name, '')
        || is_nullable from information_schema.columns where table_schema = '${schema}'
      union all select 'index', tablename, indexname, indexdef from pg_indexes
        where schemaname = '${schema}'
      union all select 'function', proname, '', prosrc from pg_proc
        where pronamespace = '${schema}'::regnamespace
      union all select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid)
        from pg_trigger where tgrelid in (
          select oid from pg_class where relnamespace = '${schema}'::regnamespace)
          and not tgisinternal
      union all select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
        from pg_constraint where connamespace = '${schema}'::regnamespace
      order by 1, 2, 3, 4`,
  )
}

/** A migration that was released never changes: a database may hold it already. Add a new one. */
test('the migrations are those that were released', () => {
  const digest = ({ version, name, statements }: Migration) => {
    const text = statements('"secondwind"').join(';')
    return `${version} ${name} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  }
  expect(migrations.map(digest)).toMatchInlineSnapshot(`
    [
      "1 tables 8a797e82b19a9395",
      "2 action law 22f33934d31c6ebd",
      "3 views 01f55f5dffd8938a",
      "4 profiles 95773b934291313a",
      "5 shelf dee17ad8d8d4e57a",
      "6 pages 31b3327e003aed57",
      "7 evidence a0069b2b96609285",
      "8 blocks 46b185210942aa5e",
      "9 checks 2a8fa5f91cf35e49",
      "10 shared accounts d56f783b37fdb988",
      "11 handing out 7de459c6feff2481",
    ]
  `)
})

test('from every earlier version the same schema comes about', async () => {
  const fresh = await freshDatabase()
  await migrate(fresh, schema)
  const whole = await describeSchema(fresh)
  expect(whole.length).toBeGreaterThan(200)
  for (let version = 1; version < migrations.length; version += 1) {
    const older = await freshDatabase()
    await migrate(older, schema, migrations.slice(0, version))
    await migrate(older, schema)
    expect(await describeSchema(older)).toEqual(whole)
  }
})

const insertAccount = `insert into accounts (id, platform, handle, mode, time_zone, policy,
  holdout_share, status, created_at)
  values ('a', 'bluesky', '@a', 'auto', 'UTC', 'p@1', 0, 'active', 0)`

test('posts of an older ledger learn what their latest verdict is', async () => {
  const older = await freshDatabase()
  await migrate(older, schema, migrations.slice(0, 5))
  await run(
    older,
    `set search_path to ${schema};
    ${insertAccount};
    insert into posts (id, account_id, platform, remote_id, published_at, status, never_touch,
      tracked_at)
    select id, 'a', 'bluesky', id, 0, 'watched', false, 0
      from unnest(array['looked', 'looked twice at once', 'new']) as v (id);
    insert into verdicts (post_id, policy, at, evaluated_at, kind, stalled)
    values ('looked', 'p@1', 2, 2, 'hold', true), ('looked', 'p@1', 1, 1, 'healthy', false),
      ('looked twice at once', 'p@1', 1, 1, 'healthy', false),
      ('looked twice at once', 'p@2', 1, 1, 'hold', true)`,
  )
  await migrate(older, schema)
  const read = `select id, latest_kind, latest_stalled from ${schema}.posts order by id`
  expect(await run(older, read)).toEqual([
    ['looked', 'hold', true],
    ['looked twice at once', 'healthy', false],
    ['new', null, null],
  ])
})

test('posts of an older ledger stay due when they were', async () => {
  const older = await freshDatabase()
  await migrate(older, schema, migrations.slice(0, 8))
  await run(
    older,
    `set search_path to ${schema};
    ${insertAccount};
    insert into posts (id, account_id, platform, remote_id, published_at, status, never_touch,
      tracked_at, next_check_at)
    values ('soon', 'a', 'bluesky', 'soon', 0, 'watched', false, 0, 5),
      ('over', 'a', 'bluesky', 'over', 0, 'closed', false, 0, null)`,
  )
  await migrate(older, schema)
  const read = `select id, at from ${schema}.checks order by id`
  expect(await run(older, read)).toEqual([['soon', 5]])
  await run(older, `update ${schema}.posts set next_check_at = 9`)
  expect(await run(older, read)).toEqual([
    ['over', 9],
    ['soon', 9],
  ])
  await run(older, `update ${schema}.posts set next_check_at = null where id = 'soon'`)
  expect(await run(older, read)).toEqual([['over', 9]])
})

test('several that start together migrate once', async () => {
  const connectionString = await freshDatabase()
  const stores = await Promise.all(
    Array.from({ length: 5 }, () => openPostgresStore({ connectionString, poolSize: 1 })),
  )
  const rows = await run(connectionString, `select version from ${schema}.migrations order by 1`)
  expect(rows).toEqual(migrations.map(({ version }) => [version]))
  for (const store of stores) await store[Symbol.asyncDispose]()
})

test('a migration that fails leaves nothing of itself, and can be done again', async () => {
  const connectionString = await freshDatabase()
  const broken: Migration = {
    version: migrations.length + 1,
    name: 'next',
    statements: (s) => [`create table ${s}.half (id int)`, 'select 1 / 0'],
  }
  await migrate(connectionString, schema)
  const before = await describeSchema(connectionString)
  await expect(migrate(connectionString, schema, [...migrations, broken])).rejects.toMatchObject({
    code: '22012',
  })
  expect(await describeSchema(connectionString)).toEqual(before)
  const mended: Migration = { ...broken, statements: (s) => [`create table ${s}.half (id int)`] }
  await migrate(connectionString, schema, [...migrations, mended])
  expect(await run(connectionString, `select count(*)::int from ${schema}.half`)).toEqual([[0]])
})

test('a ledger of a newer program is refused and left alone', async () => {
  const connectionString = await freshDatabase()
  await migrate(connectionString, schema)
  await run(connectionString, `insert into ${schema}.migrations values (99, 'from the future')`)
  const before = await describeSchema(connectionString)
  const opening = openPostgresStore({ connectionString })
  await expect(opening).rejects.toMatchObject({ name: 'LedgerError', kind: 'newer' })
  expect(await describeSchema(connectionString)).toEqual(before)
})

test('tables that are not a ledger’s are refused and left alone', async () => {
  const connectionString = await freshDatabase()
  await run(connectionString, `create schema ${schema}; create table ${schema}.mine (id int)`)
  const opening = openPostgresStore({ connectionString })
  await expect(opening).rejects.toMatchObject({ kind: 'foreign' })
  const tables = `select count(*)::int from pg_tables where schemaname = '${schema}'`
  expect(await run(connectionString, tables)).toEqual([[1]])
})

test('a schema that someone made ready, and left empty, is taken', async () => {
  const connectionString = await freshDatabase()
  await run(connectionString, `create schema ${schema}`)
  await using store = await openPostgresStore({ connectionString })
  expect(await store.listAccounts()).toEqual([])
})

test.each(['actions', 'events', 'items', 'ledger_state'])(
  'a ledger that lost its table %s is damaged, and not made anew',
  async (table) => {
    const connectionString = await freshDatabase()
    await migrate(connectionString, schema)
    await run(connectionString, `drop table ${schema}.${table} cascade`)
    const opening = openPostgresStore({ connectionString })
    await expect(opening).rejects.toMatchObject({ kind: 'damaged' })
    await expect(opening).rejects.toThrow(table)
    const there = `select to_regclass('${schema}.${table}') is null`
    expect(await run(connectionString, there)).toEqual([[true]])
  },
)

test('a ledger whose notes contradict the program is damaged', async () => {
  const connectionString = await freshDatabase()
  await migrate(connectionString, schema)
  await run(connectionString, `update ${schema}.migrations set name = 'other' where version = 2`)
  const opening = openPostgresStore({ connectionString })
  await expect(opening).rejects.toMatchObject({ kind: 'damaged' })
})

test('two ledgers share a database, and nothing outside of them is touched', async () => {
  const connectionString = await freshDatabase()
  await run(connectionString, 'create table public.actions (id int); create schema other')
  await using one = await openPostgresStore({ connectionString })
  await using two = await openPostgresStore({ connectionString, schema: 'second_ledger' })
  await one.settleSetting('name', 'one')
  await two.settleSetting('name', 'two')
  expect([await one.getSetting('name'), await two.getSetting('name')]).toEqual(['one', 'two'])
  const outside = await run(
    connectionString,
    `select schemaname, tablename from pg_tables where schemaname in ('public', 'other')`,
  )
  expect(outside).toEqual([['public', 'actions']])
})

test('a schema’s name that would have to be quoted is refused', async () => {
  const opening = openPostgresStore({ connectionString: 'postgres://nowhere', schema: 'a"b' })
  await expect(opening).rejects.toMatchObject({ name: 'InputError', field: 'schema' })
})
