/** The small world of the conformance suite on a Postgres of which the test knows every part. */

import type { SingleClient } from '../../src/ledger/postgres/pg.ts'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import { openPostgresStore } from '../../src/ledger/postgres/postgres-store.ts'
import type {
  PostgresStore,
  PostgresStoreSettings,
} from '../../src/ledger/postgres/postgres-store.ts'
import { LedgerHarness } from '../../src/testing/ledger/harness.ts'
import { World } from '../../src/testing/ledger/world.ts'
import { freshDatabase } from './postgres.ts'

export interface PostgresWorld extends AsyncDisposable {
  readonly world: World
  readonly connectionString: string
  /** A connection past the store, which is closed with the world. */
  connect(): Promise<Sql>
  /** Another store on the same data, with the server's clock. */
  open(settings?: Partial<PostgresStoreSettings>): Promise<PostgresStore>
}

/** Runs one or more statements and returns the rows of the last, as arrays. */
export type Sql = (text: string) => Promise<readonly (readonly unknown[])[]>

export async function openPostgresWorld(given?: string): Promise<PostgresWorld> {
  const connectionString = given ?? (await freshDatabase())
  const clients: SingleClient[] = []
  const noTamper = async () => {
    throw new Error('this world is not tampered with')
  }
  const harness = await LedgerHarness.open(async (clock) => ({
    open: () => openPostgresStore({ connectionString, clock, poolSize: 4 }),
    tamper: { changeEvent: noTamper, deleteEvent: noTamper, swapAudit: noTamper },
    [Symbol.asyncDispose]: async () => {},
  }))
  return {
    world: new World(harness),
    connectionString,
    connect: async () => {
      const client = await connectOnce(connectionString)
      clients.push(client)
      return (text) => runSql(client, text)
    },
    open: (settings) => openPostgresStore({ connectionString, ...settings }),
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) await client.end()
      await harness[Symbol.asyncDispose]()
    },
  }
}

async function runSql(client: SingleClient, text: string) {
  const result = await client.query({ text, rowMode: 'array' })
  const last = Array.isArray(result) ? (result.at(-1) as typeof result) : result
  return last.rows
}

/** Asks until it is so. Every question is a round trip to the server, and there is an end to it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const most = 20_000
  for (let asked = 0; asked < most; asked += 1) if (await isSo()) return
  throw new Error('what was waited for did not happen')
}

/** How many connections of this database wait for a lock at the moment. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql(`select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.[0] as number
}
