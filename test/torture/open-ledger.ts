/** Owns how several processes find the same ledger: an address that fits into an argument. */

import type { Clock } from '../../src/core/clock.ts'
import { LedgerError } from '../../src/ledger/ledger-error.ts'
import type { LedgerErrorKind } from '../../src/ledger/ledger-error.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgresStore } from '../../src/ledger/postgres/postgres-store.ts'
import { openSqliteStore } from '../../src/ledger/sqlite/sqlite-store.ts'
import type { Store } from '../../src/ledger/store.ts'
import { createLedger } from '../../src/ledger/stored-ledger.ts'
import { systemClock } from '../../src/system.ts'

export type StoreAddress =
  | { readonly store: 'sqlite'; readonly path: string }
  | { readonly store: 'postgres'; readonly connectionString: string }

/** Where a clock is null the ledger's time is the real one: on Postgres, the server's. */
export function openStore(address: StoreAddress, clock: Pick<Clock, 'now'> | null): Promise<Store> {
  switch (address.store) {
    case 'sqlite':
      return openSqliteStore({ path: address.path, clock: clock ?? systemClock })
    case 'postgres': {
      const { connectionString } = address
      return openPostgresStore({ connectionString, poolSize: 4, ...(clock && { clock }) })
    }
  }
}

export async function openLedger(
  address: StoreAddress,
  clock: Pick<Clock, 'now'> | null,
): Promise<Ledger> {
  return createLedger(await untilDone(address, () => openStore(address, clock)))
}

/** What may pass by itself: on a file others may hold it, while a server may also be down. */
const mayPass: Readonly<Record<StoreAddress['store'], readonly LedgerErrorKind[]>> = {
  sqlite: ['busy'],
  postgres: ['busy', 'unavailable'],
}

const mostTries = 2000
const restMs = 5

/** Repeats a call with the same ids and tokens, as the errors advise. All others are findings. */
export async function untilDone<Result>(
  { store }: StoreAddress,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      const passes = error instanceof LedgerError && mayPass[store].includes(error.kind)
      if (!passes || tries === mostTries) throw error
      await systemClock.sleep(restMs)
    }
  }
}
