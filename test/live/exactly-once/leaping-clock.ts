/** Owns a clock that runs like the machine's and can be moved on to what is due next. */

import type { Clock } from '../../../src/core/clock.ts'
import type { Instant } from '../../../src/core/instant.ts'
import { systemClock } from '../../../src/system.ts'

export class LeapingClock implements Clock {
  #aheadMs = 0

  now(): Instant {
    return systemClock.now() + this.#aheadMs
  }

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs
  }

  /** Deadlines of calls are waited for: the network does not leap. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(durationMs, signal)
  }

  leapTo(at: Instant): void {
    this.#aheadMs += Math.max(0, at - this.now())
  }
}
