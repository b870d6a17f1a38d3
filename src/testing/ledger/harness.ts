/**
 * Owns what a case of the ledger's conformance suite runs on: fresh data, a clock that only moves
 * when it is told to, and as many clients as a case wants. Knows no store and no test runner.
 */

import type { Clock } from '../../core/clock.ts'
import type { Instant } from '../../core/instant.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Store } from '../../ledger/store.ts'
import { createLedger } from '../../ledger/stored-ledger.ts'

/** Fresh, empty data of the store under test. Disposing of it removes the data. */
export interface LedgerData extends AsyncDisposable {
  /** Opens a client on the data: a connection or handle of its own, where the store has such. */
  open(): Promise<Store>
  readonly tamper: Tamper
}

/** Damage done behind the ledger's back, as someone with access to the data could. */
export interface Tamper {
  /** Changes what the event says: its time, by 1 ms. */
  changeEvent(seq: number): Promise<void>
  /** Removes the event and leaves its audit entry. */
  deleteEvent(seq: number): Promise<void>
  /** Exchanges what two entries of the audit log hold, by their numbers. */
  swapAudit(a: number, b: number): Promise<void>
}

/** Makes the data of one case. The store must take its time from the clock. */
export type NewLedgerData = (clock: Pick<Clock, 'now'>) => Promise<LedgerData>

/** A Monday at noon in UTC. */
export const noon: Instant = Date.UTC(2026, 2, 2, 12)

/** A clock that stands still until it is told otherwise. */
export class ManualClock implements Pick<Clock, 'now'> {
  #now: Instant

  constructor(now: Instant = noon) {
    this.#now = now
  }

  now(): Instant {
    return this.#now
  }

  set(now: Instant): void {
    this.#now = now
  }

  /** Moves on, or back where it is negative. */
  advance(durationMs: number): void {
    this.#now += durationMs
  }
}

/** One way into the data. */
export interface Client {
  readonly store: Store
  readonly ledger: Ledger
}

/** The data of one case, with a first client and as many others as it asks for. */
export class LedgerHarness implements AsyncDisposable {
  readonly clock: ManualClock
  readonly #data: LedgerData
  readonly #others: Client[] = []
  #first: Client

  private constructor(data: LedgerData, clock: ManualClock, first: Client) {
    this.#data = data
    this.clock = clock
    this.#first = first
  }

  static async open(newData: NewLedgerData): Promise<LedgerHarness> {
    const clock = new ManualClock()
    const data = await newData(clock)
    return new LedgerHarness(data, clock, await connect(data))
  }

  get ledger(): Ledger {
    return this.#first.ledger
  }

  get store(): Store {
    return this.#first.store
  }

  get tamper(): Tamper {
    return this.#data.tamper
  }

  /** Closes the first client and opens the same data again, as after a restart. */
  async reopen(): Promise<void> {
    await this.#first.ledger[Symbol.asyncDispose]()
    this.#first = await connect(this.#data)
  }

  /** Another client on the same data. */
  async second(): Promise<Client> {
    const client = await connect(this.#data)
    this.#others.push(client)
    return client
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { ledger } of [...this.#others, this.#first]) await ledger[Symbol.asyncDispose]()
    await this.#data[Symbol.asyncDispose]()
  }
}

async function connect(data: LedgerData): Promise<Client> {
  const store = await data.open()
  return { store, ledger: createLedger(store) }
}
