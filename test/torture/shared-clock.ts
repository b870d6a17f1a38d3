/**
 * Owns the clock of one of several processes. None of them waits for time to pass: whoever has
 * nothing to do moves its clock on, and the ledger, whose time never runs back, takes all along.
 */

import type { Clock } from '../../src/core/clock.ts'
import type { Instant } from '../../src/core/instant.ts'

export class SharedClock implements Pick<Clock, 'now'> {
  #now: Instant

  constructor(now: Instant) {
    this.#now = now
  }

  now(): Instant {
    return this.#now
  }

  /** Never back. */
  moveTo(instant: Instant): void {
    this.#now = Math.max(this.#now, instant)
  }

  advance(durationMs: number): void {
    this.#now += durationMs
  }
}
