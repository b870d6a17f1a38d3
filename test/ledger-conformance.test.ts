/** Runs the ledger's conformance suite on every store. No case is left out for one of them. */

import { describe, expect, test } from 'vitest'
import { ledgerCases } from '../src/testing/index.ts'
import { newMemoryData } from './model/memory-data.ts'
import { newPostgresData } from './model/postgres-data.ts'
import { newSqliteData } from './model/sqlite-data.ts'

const stores = [
  { store: 'memory', newData: newMemoryData },
  { store: 'SQLite', newData: newSqliteData },
  { store: 'Postgres', newData: newPostgresData },
]

describe.each(stores)('$store', ({ newData }) => {
  test.each(ledgerCases)('$name', async (statement) => {
    await expect(statement.run(newData)).resolves.toBeUndefined()
  })
})
