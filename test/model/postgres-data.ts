/** Ledger data in Postgres; each client has connections of its own to it. */

import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import { openPostgresStore } from '../../src/ledger/postgres/postgres-store.ts'
import type { NewLedgerData } from '../../src/testing/index.ts'
import { freshDatabase } from '../support/postgres.ts'

const schema = 'ledger'
/** The rows that a new ledger begins with, copied once. */
const beginnings = 'beginnings'

/** One database serves a test file: emptying its tables is much faster than making them. */
let database: Promise<string> | null = null

export const newPostgresData: NewLedgerData = async (clock) => {
  database ??= newDatabase()
  const connectionString = await database
  const run = (sql: string) => execute(connectionString, sql)
  await run(emptyTables)
  return {
    open: () => openPostgresStore({ connectionString, clock, schema, poolSize: 2 }),
    tamper: {
      changeEvent: (seq) => run(`update ${schema}.events set at = at + 1 where seq = ${seq}`),
      deleteEvent: (seq) => run(`delete from ${schema}.events where seq = ${seq}`),
      swapAudit: (a, b) =>
        run(`update ${schema}.audit set number = 0 where number = ${a};
             update ${schema}.audit set number = ${a} where number = ${b};
             update ${schema}.audit set number = ${b} where number = 0`),
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function newDatabase(): Promise<string> {
  const connectionString = await freshDatabase()
  const store = await openPostgresStore({ connectionString, schema })
  await store[Symbol.asyncDispose]()
  await execute(connectionString, copyBeginnings)
  return connectionString
}

/** Works past the triggers, as whoever can write to the database could. */
async function execute(connectionString: string, sql: string): Promise<void> {
  const client = await connectOnce(connectionString)
  try {
    await client.query({
      text: `begin; set local session_replication_role = replica; ${sql}; commit`,
    })
  } finally {
    await client.end()
  }
}

const copyBeginnings = `
  create schema ${beginnings};
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = '${schema}' loop
      execute format('create table ${beginnings}.%I as table ${schema}.%I', name, name);
    end loop;
  end $$`

/** Deleting a few rows takes less time than a new file for each table and index would. */
const emptyTables = `
  do $$ declare name text; filled boolean; begin
    for name in select tablename from pg_tables where schemaname = '${beginnings}' loop
      execute format('delete from ${schema}.%I', name);
      execute format('select exists (select from ${beginnings}.%I)', name) into filled;
      if filled then
        execute format('insert into ${schema}.%I select * from ${beginnings}.%I', name, name);
      end if;
    end loop;
  end $$`
