/**
 * Owns what time it is for the ledger, between two readings of it. A demonstration's clock runs
 * faster than this computer's, so the pace is taken from the last two readings.
 */

/** A reading of the ledger's clock, and when it was taken here, both in epoch milliseconds. */
export interface ClockReading {
  readonly ledgerMs: number
  readonly takenMs: number
}

/** Readings closer together than this say little about the pace. */
const shortestSpanMs = 2000
/** Closer to 1 than this, the rest is the time a request takes. */
const tolerance = 0.25
/** What lies beyond is a clock that jumped, not one that runs. */
const fastest = 1000

export class LedgerClock {
  #last: ClockReading | null = null
  #pace = 1

  note(reading: ClockReading): void {
    const before = this.#last
    if (before !== null && before.takenMs === reading.takenMs) return
    const spanMs = before === null ? 0 : reading.takenMs - before.takenMs
    if (before !== null && spanMs >= shortestSpanMs) {
      const pace = (reading.ledgerMs - before.ledgerMs) / spanMs
      const isPlausible = pace >= 0 && pace <= fastest
      this.#pace = !isPlausible || Math.abs(pace - 1) < tolerance ? 1 : pace
    }
    this.#last = reading
  }

  /** The ledger's time at a time of this computer; the same where nothing was read yet. */
  at(localMs: number): number {
    if (this.#last === null) return localMs
    const { ledgerMs, takenMs } = this.#last
    return ledgerMs + Math.max(0, localMs - takenMs) * this.#pace
  }
}
