/** SQLite for the measurements: a file for each ledger, and one without a ledger beside them. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { settings } from '../../src/ledger/sqlite/open.ts'
import { openSqliteStore } from '../../src/ledger/sqlite/sqlite-store.ts'
import { createLedger } from '../../src/ledger/stored-ledger.ts'
import { systemClock } from '../../src/system.ts'
import { rawBody } from './ground.ts'
import type { Ground, RawTransactions } from './ground.ts'
import { sameRows, waitingPlans } from './same-rows.ts'
import type { WaitingPlan, Write } from './same-rows.ts'

export function newSqliteGround(folder: string): Ground {
  return {
    store: 'sqlite',
    version: sqliteVersion(),
    callers: 1,
    open: async (name) => {
      const path = pathOf(folder, name)
      const store = await openSqliteStore({ path, clock: systemClock, quickCheckBytes: 0 })
      const ledger = createLedger(store)
      return { store, ledger, [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose]() }
    },
    execute: async (name, sql) => {
      const options = { enableForeignKeyConstraints: false }
      using database = new DatabaseSync(pathOf(folder, name), options)
      database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; ${sql}`)
    },
    openRaw: async () => openRaw(pathOf(folder, 'raw')),
    openSameRows: async (name) => openSameRows(pathOf(folder, name)),
    // The folder is removed as a whole by whoever made it.
    [Symbol.asyncDispose]: async () => {},
  }
}

export function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.db`)
}

function sqliteVersion(): string {
  using database = new DatabaseSync(':memory:')
  return String(database.prepare('SELECT sqlite_version() AS version').get()?.['version'])
}

/** Flushed as the ledger's commits are. */
function openRaw(path: string): RawTransactions {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    CREATE TABLE raw (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  `)
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const insert = database.prepare('INSERT INTO raw (body) VALUES (?)')
  const update = database.prepare('UPDATE raw SET body = ? WHERE id = ?')
  return {
    runTwo: () => {
      begin.run()
      const { lastInsertRowid } = insert.run(rawBody)
      commit.run()
      begin.run()
      update.run(rawBody, lastInsertRowid)
      commit.run()
    },
    [Symbol.asyncDispose]: async () => database.close(),
  }
}

/** With the ledger's own settings. */
function openSameRows(path: string): RawTransactions {
  const database = new DatabaseSync(path)
  database.exec(settings)
  const list = database.prepare(waitingPlans)
  list.setReturnArrays(true)
  const plans = (list.all() as unknown as WaitingPlan[]).values()
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const prepare = ({ sql, values }: Write) => ({
    statement: database.prepare(sql.replaceAll('$', '?')),
    values,
  })
  const transactions = sameRows({ name: 'written_at', sql: '$1' }).map((writes) =>
    writes.map(prepare),
  )
  return {
    runTwo: () => {
      const { value: plan } = plans.next()
      if (plan === undefined) throw new Error('There are no plans left')
      for (const writes of transactions) {
        begin.run()
        const now = systemClock.now()
        for (const { statement, values } of writes) statement.run(...values(plan, now))
        commit.run()
      }
    },
    [Symbol.asyncDispose]: async () => database.close(),
  }
}
