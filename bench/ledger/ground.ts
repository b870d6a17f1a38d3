/** Owns what the measurements stand on: a store's data on a disk, opened in two ways. */

import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'

/** One store with its data. Disposing of it removes the data. */
export interface Ground extends AsyncDisposable {
  readonly store: 'sqlite' | 'postgres'
  /** Of the database. */
  readonly version: string
  /** How many callers and connections the comparison with raw transactions has. */
  readonly callers: number
  /** Opens the ledger of that name; where there is none, an empty one. */
  open(name: string): Promise<OpenedLedger>
  /** Works on that ledger's tables past the ledger itself, to fill them fast. */
  execute(name: string, sql: string): Promise<void>
  /** The same database without a ledger. */
  openRaw(): Promise<RawTransactions>
  /** The plans of that ledger, claimed and settled past it: its rows written, and nothing read. */
  openSameRows(name: string): Promise<RawTransactions>
}

export interface OpenedLedger extends AsyncDisposable {
  readonly store: Store
  readonly ledger: Ledger
}

/** What a ledger is compared with. */
export interface RawTransactions extends AsyncDisposable {
  /** Two explicit transactions; raw ones are BEGIN, one insert or update, COMMIT. */
  runTwo(caller: number): Promise<void> | void
}

/** About as long as what the ledger writes for a claim, so that both write as many pages. */
export const rawBody = 'x'.repeat(400)
