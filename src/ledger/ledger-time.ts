/** Owns ledger time where no server keeps it: the given clock, which here never runs backwards. */

import type { Clock } from '../core/clock.ts'
import type { Instant } from '../core/instant.ts'

/** Never below the highest time it has given, nor below a stored mark from before a restart. */
export class LedgerTime {
  readonly #clock: Pick<Clock, 'now'>
  #highWater: Instant

  constructor(clock: Pick<Clock, 'now'>, highWater: Instant = 0) {
    this.#clock = clock
    this.#highWater = highWater
  }

  now(): Instant {
    this.#highWater = Math.max(this.#highWater, this.#clock.now())
    return this.#highWater
  }

  /** Another process may have seen a later time. */
  raiseTo(instant: Instant): void {
    this.#highWater = Math.max(this.#highWater, instant)
  }
}
