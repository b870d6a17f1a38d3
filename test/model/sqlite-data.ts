/** Ledger data in a SQLite file of its own; each client has a handle of its own on it. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '../../src/ledger/sqlite/sqlite-store.ts'
import type { NewLedgerData } from '../../src/testing/index.ts'

export const newSqliteData: NewLedgerData = async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'secondwind-ledger-'))
  const path = join(folder, 'ledger.db')
  return {
    open: () => openSqliteStore({ path, clock }),
    tamper: {
      changeEvent: async (seq) => damage(path, `UPDATE events SET at = at + 1 WHERE seq = ${seq}`),
      deleteEvent: async (seq) => damage(path, `DELETE FROM events WHERE seq = ${seq}`),
      swapAudit: async (a, b) =>
        damage(
          path,
          `UPDATE audit SET number = 0 WHERE number = ${a};
           UPDATE audit SET number = ${a} WHERE number = ${b};
           UPDATE audit SET number = ${b} WHERE number = 0`,
        ),
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Works past the triggers, as whoever can write to the file could. */
function damage(path: string, sql: string): void {
  using database = new DatabaseSync(path)
  const triggers = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all()
    .map(({ name, sql: text }) => ({ name: String(name), text: String(text) }))
  database.exec('BEGIN IMMEDIATE')
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`)
  database.exec(sql)
  for (const { text } of triggers) database.exec(text)
  database.exec('COMMIT')
}
