/**
 * Owns the ledger's time as several processes share it: the clock, but never below the highest
 * time that any of them has written (I3). That mark is kept in two places. Most transactions write
 * an event, and the newest event carries the time it was written at; only one that gave out a later
 * time than its events carry has to write the mark itself, which costs a page more.
 */

import type { Clock } from '../../core/clock.ts'
import type { Instant } from '../../core/instant.ts'
import { LedgerTime } from '../ledger-time.ts'
import type { Connection } from './connection.ts'

const readMark = `SELECT max(high_water,
    coalesce((SELECT written_at FROM events ORDER BY seq DESC LIMIT 1), 0)) FROM ledger_time`

export class FileTime {
  readonly #connection: Connection
  readonly #time: LedgerTime
  #given: Instant = 0

  constructor(connection: Connection, clock: Pick<Clock, 'now'>) {
    this.#connection = connection
    this.#time = new LedgerTime(clock)
  }

  now(): Instant {
    this.#given = this.#time.now()
    return this.#given
  }

  /** Catches up with other processes. */
  raise(): void {
    this.#time.raiseTo(this.#mark())
  }

  /** Writes the mark, unless an event of the same transaction carries it already. */
  keep(): void {
    if (this.#mark() >= this.#given) return
    this.#connection.run('UPDATE ledger_time SET high_water = ?', this.#given)
  }

  #mark(): Instant {
    return Number(this.#connection.get(readMark)?.[0] ?? 0)
  }
}
