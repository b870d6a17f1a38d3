/**
 * Plays random calls of several clients against every store and compares with a simple model:
 * I1, I2, I3, I4, I7, I8 and what of I6 and I11 the ledger keeps. SECONDWIND_TEST_RUNS plays more
 * runs, SECONDWIND_TEST_SEED others.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewLedgerData } from '../src/testing/index.ts'
import { ledgerCommands } from './model/commands.ts'
import { newMemoryData } from './model/memory-data.ts'
import { plantedBugs } from './model/planted-bugs.ts'
import { newPostgresData } from './model/postgres-data.ts'
import { Real, settle } from './model/real.ts'
import type { MakeLedger } from './model/real.ts'
import { newSqliteData } from './model/sqlite-data.ts'
import { verifyEvents } from './model/verify.ts'

const seed = Number(process.env['SECONDWIND_TEST_SEED'] ?? 20_260_302)
const more = Number(process.env['SECONDWIND_TEST_RUNS'] ?? 0)
const timeoutMs = Math.max(120_000, more * 2000)

/** One run: a fresh ledger, a line of commands, and at the end what the events say. */
function runs(newData: NewLedgerData, maxCommands: number, make?: MakeLedger) {
  return fc.asyncProperty(ledgerCommands(maxCommands), async (commands) => {
    await using real = await Real.open(newData, make)
    const model = await settle(real)
    await fc.asyncModelRun(() => ({ model, real }), commands)
    await verifyEvents(model, real.client(0))
  })
}

/** The shortest line of commands that fails, and how. */
function describeFailure<Drawn>(details: fc.RunDetails<Drawn>): string {
  return `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}`
}

const stores = [
  { store: 'memory', newData: newMemoryData, numRuns: 300, maxCommands: 300 },
  { store: 'SQLite', newData: newSqliteData, numRuns: 60, maxCommands: 150 },
  { store: 'Postgres', newData: newPostgresData, numRuns: 10, maxCommands: 100 },
]

describe('random calls of three clients', () => {
  test.each(stores)(
    'keep every promise on $store',
    async ({ newData, numRuns, maxCommands }) => {
      const property = runs(newData, maxCommands)
      const details = await fc.check(property, { seed, numRuns: Math.max(numRuns, more) })
      expect(details.failed ? describeFailure(details) : null).toBeNull()
    },
    timeoutMs,
  )
})

describe('the model finds', () => {
  test.each(Object.entries(plantedBugs))(
    '%s',
    async (_, make) => {
      const property = runs(newMemoryData, 200, make)
      const { failed } = await fc.check(property, { seed, numRuns: 200, endOnFailure: true })
      expect(failed).toBe(true)
    },
    timeoutMs,
  )
})
