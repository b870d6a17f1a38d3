/**
 * Owns the clock of the simulated machine: true time with an error that jumps now and then. Its
 * monotonic time knows nothing of the jumps.
 */

import type { Clock } from '../../src/core/clock.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { VirtualTime } from './virtual-time.ts'

interface Jump {
  readonly at: Instant
  readonly offsetMs: number
  /** The highest that the clock had shown up to then. */
  readonly highWater: Instant
}

export class MachineClock implements Clock {
  readonly #time: VirtualTime
  readonly #start: Instant
  readonly #jumps: Jump[]

  constructor(time: VirtualTime) {
    this.#time = time
    this.#start = time.now
    this.#jumps = [{ at: time.now, offsetMs: 0, highWater: time.now }]
  }

  now(): Instant {
    return this.#time.now + this.offsetMs
  }

  monotonicMs(): number {
    return this.#time.now - this.#start
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    return this.#time.sleep(durationMs, signal)
  }

  get offsetMs(): number {
    return (this.#jumps.at(-1) as Jump).offsetMs
  }

  jumpBy(jumpMs: number): void {
    const at = this.#time.now
    const highWater = this.ledgerTimeAt(at)
    this.#jumps.push({ at, offsetMs: this.offsetMs + jumpMs, highWater })
  }

  /** What a ledger that never runs backwards took a moment of true time for. */
  ledgerTimeAt(at: Instant): Instant {
    const last = (this.#jumps.findLast((jump) => jump.at <= at) ?? this.#jumps[0]) as Jump
    return Math.max(last.highWater, at + last.offsetMs)
  }
}
