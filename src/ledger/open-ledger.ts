/** Opens a ledger on a store. What a store needs is loaded only when that store is asked for. */

import type { Clock } from '../core/clock.ts'
import type { Ledger } from './ledger.ts'
import { MemoryStore } from './memory/memory-store.ts'
import type { HandingOut, JobWriter } from './postgres/jobs.ts'
import type { PostgresStoreSettings } from './postgres/postgres-store.ts'
import type { SqliteOptions } from './sqlite/sqlite-store.ts'
import { createLedger } from './stored-ledger.ts'

/** A ledger that is gone when the process ends: for tests, and to try things out. */
export function openMemoryLedger(clock: Pick<Clock, 'now'>): Ledger {
  return createLedger(new MemoryStore(clock))
}

/** A ledger in one file, which several processes of one machine may share. */
export async function openSqliteLedger(options: SqliteOptions): Promise<Ledger> {
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts')
  return createLedger(await openSqliteStore(options))
}

/** A ledger on a Postgres server, for many workers on many machines. */
export async function openPostgresLedger(settings: PostgresStoreSettings): Promise<Ledger> {
  const { openPostgresStore } = await import('./postgres/postgres-store.ts')
  return createLedger(await openPostgresStore(settings))
}

/** A ledger that tells workers of what becomes due. */
export interface SharedLedger {
  readonly ledger: Ledger
  readonly handingOut: HandingOut
}

/** Like `openPostgresLedger`, for workers that a queue tells what to do. */
export async function openSharedLedger(
  settings: PostgresStoreSettings & { readonly jobWriter: JobWriter },
): Promise<SharedLedger> {
  const { openPostgresStore } = await import('./postgres/postgres-store.ts')
  const store = await openPostgresStore(settings)
  if (store.handingOut === null) throw new Error('A store with a job writer hands out')
  return { ledger: createLedger(store), handingOut: store.handingOut }
}
