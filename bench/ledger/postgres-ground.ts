/** Postgres for the measurements: a server of its own, on the disk, that flushes every commit. */

import { startPostgres } from '../../test/support/postgres.ts'
import type { TestPostgres } from '../../test/support/postgres.ts'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import type { SingleClient } from '../../src/ledger/postgres/pg.ts'
import { openPostgresStore } from '../../src/ledger/postgres/postgres-store.ts'
import { createLedger } from '../../src/ledger/stored-ledger.ts'
import { systemClock } from '../../src/system.ts'
import { rawBody } from './ground.ts'
import type { Ground, RawTransactions } from './ground.ts'
import { sameRows, waitingPlans } from './same-rows.ts'
import type { WaitingPlan } from './same-rows.ts'

const connections = 16

/** The server keeps its data in the folder that `TMPDIR` names. */
export async function newPostgresGround(): Promise<Ground> {
  const server = await startPostgres({ durable: true })
  const databases = new Map<string, Promise<string>>()
  const databaseOf = (name: string) => {
    const known = databases.get(name) ?? server.freshDatabase()
    databases.set(name, known)
    return known
  }
  return {
    store: 'postgres',
    version: await readVersion(server),
    callers: connections,
    open: async (name) => {
      const connectionString = await databaseOf(name)
      const store = await openPostgresStore({ connectionString, poolSize: connections })
      const ledger = createLedger(store)
      return { store, ledger, [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose]() }
    },
    execute: async (name, sql) => {
      await using client = await connectTo(await databaseOf(name))
      await client.query({ text: 'set search_path to secondwind' })
      // Rows that are copied as they are need none of the checks that triggers make.
      await client.query({ text: 'set session_replication_role to replica' })
      await client.query({ text: sql })
    },
    openRaw: async () => openRaw(await databaseOf('raw')),
    openSameRows: async (name) => openSameRows(await databaseOf(name)),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

type Line = SingleClient & AsyncDisposable

async function connectTo(connectionString: string): Promise<Line> {
  const client = await connectOnce(connectionString)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

async function readVersion({ url }: TestPostgres): Promise<string> {
  await using client = await connectTo(url)
  const { rows } = await client.query({ text: 'show server_version', rowMode: 'array' })
  return String(rows[0]?.[0])
}

function connectAll(connectionString: string): Promise<readonly Line[]> {
  return Promise.all(Array.from({ length: connections }, () => connectTo(connectionString)))
}

async function openRaw(connectionString: string): Promise<RawTransactions> {
  await using first = await connectTo(connectionString)
  await first.query({ text: 'create table raw (id bigint primary key, body text not null)' })
  const lines = await connectAll(connectionString)
  let count = 0
  return {
    runTwo: async (caller) => {
      const line = lineOf(lines, caller)
      count += 1
      await runOne(line, 'insert into raw (id, body) values ($1, $2)', count)
      await runOne(line, 'update raw set body = $2 where id = $1', count)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(lines.map((line) => line.end()))
    },
  }
}

function lineOf(lines: readonly Line[], caller: number): Line {
  const line = lines[caller]
  if (line === undefined) throw new Error(`There is no connection ${caller}`)
  return line
}

/** One statement after the other, as the raw ones. */
async function openSameRows(connectionString: string): Promise<RawTransactions> {
  const lines = await connectAll(connectionString)
  for (const line of lines) await line.query({ text: 'set search_path to secondwind' })
  const { rows } = await lineOf(lines, 0).query({ text: waitingPlans, rowMode: 'array' })
  const plans = (rows as unknown as WaitingPlan[]).values()
  const transactions = sameRows({ name: 'txn', sql: 'pg_current_xact_id()::text::bigint' })
  return {
    runTwo: async (caller) => {
      const line = lineOf(lines, caller)
      const { value: plan } = plans.next()
      if (plan === undefined) throw new Error('There are no plans left')
      for (const writes of transactions) {
        await line.query({ text: 'begin' })
        const now = systemClock.now()
        for (const { name, sql, values } of writes) {
          await line.query({ name, text: sql, values: values(plan, now) })
        }
        await line.query({ text: 'commit' })
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(lines.map((line) => line.end()))
    },
  }
}

async function runOne(line: Line, text: string, id: number): Promise<void> {
  await line.query({ text: 'begin' })
  await line.query({ name: text, text, values: [id, rawBody] })
  await line.query({ text: 'commit' })
}
