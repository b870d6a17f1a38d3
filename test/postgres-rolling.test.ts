/** Two versions of the program work on one ledger while a new one is rolled out. */

import { expect, test } from 'vitest'
import { dayMs, minuteMs } from '../src/core/duration.ts'
import { toActionId } from '../src/core/ids.ts'
import { toArray } from '../src/ledger/postgres/columns.ts'
import { begin, commit } from '../src/ledger/postgres/connections.ts'
import { migrate } from '../src/ledger/postgres/migrate.ts'
import type { Migration } from '../src/ledger/postgres/migrations/migration.ts'
import { migrations } from '../src/ledger/postgres/migrations/migrations.ts'
import { connectOnce } from '../src/ledger/postgres/pg.ts'
import type { Query, SingleClient, Value } from '../src/ledger/postgres/pg.ts'
import { openPostgresStore } from '../src/ledger/postgres/postgres-store.ts'
import { freshDatabase } from './support/postgres.ts'
import { countWaiting, openPostgresWorld, until } from './support/postgres-world.ts'

const schema = 'secondwind'
const version = migrations.length

/** One that only adds, unless it says otherwise. */
function later(number: number, usableFrom?: number): Migration {
  return {
    version: number,
    name: `later ${number}`,
    ...(usableFrom === undefined ? {} : { usableFrom }),
    statements: (s) => [`create table ${s}.later_${number} (id int)`],
  }
}

async function migrated(...added: readonly Migration[]): Promise<string> {
  const connectionString = await freshDatabase()
  await migrate(connectionString, schema, [...migrations, ...added])
  return connectionString
}

async function countNotes(connectionString: string): Promise<unknown> {
  const client = await connectOnce(connectionString)
  const text = `select count(*)::int from ${schema}.migrations`
  const { rows } = await client.query({ text, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}

test('a ledger of a newer program is opened where all that was added allows it', async () => {
  const connectionString = await migrated(later(version + 1, version), later(version + 2, 3))
  await using store = await openPostgresStore({ connectionString })
  expect(await store.listAccounts()).toEqual([])
  expect(await countNotes(connectionString)).toBe(version + 2)
})

test.each([
  ['says that it does not', [later(version + 1)]],
  ['names a newer program', [later(version + 1, version + 1)]],
  ['comes before one that would', [later(version + 1), later(version + 2, version)]],
  ['comes after one that would', [later(version + 1, version), later(version + 2, version + 2)]],
])('it is refused where one %s', async (_, added) => {
  const connectionString = await migrated(...added)
  const opening = openPostgresStore({ connectionString })
  await expect(opening).rejects.toMatchObject({ name: 'LedgerError', kind: 'newer' })
  await expect(opening).rejects.toThrow(`knows versions up to ${version}. Nothing was changed.`)
  expect(await countNotes(connectionString)).toBe(version + added.length)
})

test('a ledger of version 8 can be used from version 7 on', async () => {
  const connectionString = await freshDatabase()
  await migrate(connectionString, schema, migrations.slice(0, 8))
  await expect(migrate(connectionString, schema, migrations.slice(0, 7))).resolves.toBeUndefined()
  const older = migrate(connectionString, schema, migrations.slice(0, 6))
  await expect(older).rejects.toMatchObject({ kind: 'newer' })
})

test('a migration that gets in the way of processes at work begins anew', async () => {
  const connectionString = await migrated()
  const client = await connectOnce(connectionString)
  // What a sequence gave is not taken back with the transaction.
  await client.query({ text: 'create sequence public.tries' })
  await client.end()
  const unlucky = (most: number): Migration => ({
    version: version + 1,
    name: 'unlucky',
    statements: () => [
      `do $$ begin
        if nextval('public.tries') <= ${most} then
          raise exception 'two waited for each other' using errcode = '40P01';
        end if;
      end $$`,
    ],
  })
  await migrate(connectionString, schema, [...migrations, unlucky(4)])
  expect(await countNotes(connectionString)).toBe(version + 1)
  const hopeless = { ...unlucky(1e9), version: version + 2 }
  const known = [...migrations, unlucky(4), hopeless]
  await expect(migrate(connectionString, schema, known)).rejects.toMatchObject({ kind: 'busy' })
})

test('a migration waits for those who are at work, and they go on after it', async () => {
  const connectionString = await freshDatabase()
  await migrate(connectionString, schema, migrations.slice(0, 7))
  const [worker, watcher] = [
    await connectOnce(connectionString),
    await connectOnce(connectionString),
  ]
  const read = { text: `select count(*)::int from ${schema}.samples`, rowMode: 'array' } as const
  await worker.query({ text: 'begin' })
  await worker.query(read)
  const migrating = migrate(connectionString, schema)
  const sql = async (text: string) => (await watcher.query({ text, rowMode: 'array' })).rows
  await until(async () => (await countWaiting(sql)) === 1)
  await worker.query({ text: `insert into ${schema}.samples values ('p', 1, null, 1, null)` })
  await worker.query({ text: 'commit' })
  await migrating
  expect((await worker.query(read)).rows).toEqual([[1]])
  await worker.end()
  await watcher.end()
})

/** The statements of version 7 that have to do with readings, as that program sends them. */
const version7 = {
  record: `
    with given as materialized (
      select * from unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::text[])
        as g (post_id, at, impressions, engagements, interactions)),
    missing as materialized (
      select g.post_id from given g
      where not exists (select from ${schema}.posts p where p.id = g.post_id) limit 1),
    added as (
      insert into ${schema}.samples (post_id, at, impressions, engagements, interactions)
      select post_id, at, impressions, engagements, interactions::json from given
      where not exists (select from missing) on conflict do nothing returning post_id),
    unshrunk as (
      update ${schema}.posts set raw_from = 0
      where id in (select post_id from added) and raw_from is distinct from 0)
    select json_build_array((select count(*) from added), (select post_id from missing))`,
  list: `select json_build_array(at, impressions, engagements, interactions)
    from ${schema}.samples where post_id = $1 order by at`,
  decide: `select ${schema}.read_post_2($1, $2, $3, $4, $5, $6, $7)`,
  plan: `select ${schema}.lock_post_2(v.id, $2::bool, $3, $4, $5, $6, $7, $8)
    from unnest($1::text[]) as v (id)`,
  claim: `select ${schema}.lock_claim_2(v.id, $2::bool, $3, $4, $5, $6, $7, $8)
    from unnest($1::text[]) as v (id)`,
  shrink: `
    with chosen as materialized (
      select id, published_at from ${schema}.posts
      where status <> 'watched' and raw_from is not null and raw_from < $1::float8
      order by raw_from, id limit $3::int for no key update skip locked),
    kept as materialized (
      select p.id as post_id, (
        select max(t.at) from ${schema}.samples t
        where t.post_id = p.id and t.at <= p.published_at + a.age_ms) as at
      from chosen p, unnest($2::float8[]) as a (age_ms)),
    gone as (
      delete from ${schema}.samples t using chosen p
      where t.post_id = p.id and t.at < $1::float8
        and not exists (select from kept k where k.post_id = t.post_id and k.at = t.at)
      returning 1),
    noted as (
      update ${schema}.posts q set raw_from = (
        select min(t.at) from ${schema}.samples t
        where t.post_id = q.id and t.at >= $1::float8
          and not exists (select from kept k where k.post_id = t.post_id and k.at = t.at))
      from chosen p where q.id = p.id)
    select json_build_array((select count(*) from chosen), (select count(*) from gone))`,
}

/** A worker of version 7: its statements are prepared once, and each runs as that program does. */
class OldWorker {
  readonly #client: SingleClient
  readonly #now: () => number

  constructor(client: SingleClient, now: () => number) {
    this.#client = client
    this.#now = now
  }

  async #ask(name: keyof typeof version7, ...values: readonly Value[]): Promise<unknown> {
    const query: Query = { name, text: version7[name], values, rowMode: 'array' }
    await this.#client.query(begin)
    const { rows } = await this.#client.query(query)
    await this.#client.query(commit)
    return rows.length > 1 ? rows.map(([item]) => item) : rows[0]?.[0]
  }

  record(postId: string, at: number): Promise<unknown> {
    const values = [toArray([postId]), toArray([at]), '{null}', '{1}', '{null}']
    return this.#ask('record', ...values)
  }

  list(postId: string): Promise<unknown> {
    return this.#ask('list', postId)
  }

  decide(postId: string): Promise<unknown> {
    return this.#ask('decide', postId, this.#now(), dayMs, dayMs, dayMs, 9, minuteMs)
  }

  lock(name: 'plan' | 'claim', id: string): Promise<unknown> {
    const reach = [dayMs, dayMs, dayMs, 9, minuteMs]
    return this.#ask(name, toArray([id]), true, this.#now(), ...reach)
  }

  shrink(before: number): Promise<unknown> {
    return this.#ask('shrink', before, toArray([100 * minuteMs]), 20)
  }
}

test('a worker of version 7 works on while others are of this version', async () => {
  const connectionString = await freshDatabase()
  await migrate(connectionString, schema, migrations.slice(0, 7))
  const client = await connectOnce(connectionString)
  let now = 0
  const old = new OldWorker(client, () => now)
  // It has prepared everything before the new version comes.
  expect(await old.record('nobody', 1)).toEqual([0, 'nobody'])
  expect(await old.list('nobody')).toBeUndefined()
  expect(await old.decide('nobody')).toBeNull()
  for (const name of ['plan', 'claim'] as const) expect(await old.lock(name, 'nobody')).toBeNull()
  expect(await old.shrink(1)).toEqual([0, 0])

  await using here = await openPostgresWorld(connectionString)
  const { world } = here
  now = world.clock.now()
  const post = await world.post()
  const action = await world.plan(post)
  expect(await old.record(post.id, now + 1)).toEqual([1, null])
  expect(await old.record(post.id, now + 1)).toEqual([0, null])
  expect(await old.record(post.id, now + 99 * 365 * dayMs)).toEqual([1, null])
  expect(await old.list(post.id)).toHaveLength(5)
  expect(await world.ledger.listSamples(post.id)).toHaveLength(5)
  const views = [
    await old.decide(post.id),
    await old.lock('plan', post.id),
    await old.lock('claim', action.id),
  ]
  for (const view of views as unknown[][]) {
    expect(view.slice(1, 4)).toMatchObject([{}, { id: post.id }, [{ id: action.id }]])
    expect(view[6]).toHaveLength(5)
  }
  await world.claim({ id: toActionId(action.id) })
  await world.ledger.closePost(post.id, 'closed')
  expect(await old.shrink(now + 2)).toEqual([1, 3])
  expect(await world.ledger.listSamples(post.id)).toHaveLength(2)
  await client.end()
})
