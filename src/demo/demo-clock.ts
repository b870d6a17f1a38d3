/**
 * Owns the time of the demo. It stands still while the past is gone through, moved from one thing
 * that is due to the next, and then runs, some dozens of times as fast as the machine's.
 */

import type { Clock } from '../core/clock.ts'
import type { Instant } from '../core/instant.ts'

export class DemoClock implements Clock {
  readonly #real: Clock
  readonly #start: Instant
  readonly speed: number
  #stoodAt: Instant
  /** The machine's time when it began to run; null while it stands. */
  #ranSinceMs: number | null = null

  constructor(real: Clock, start: Instant, speed: number) {
    this.#real = real
    this.#start = start
    this.#stoodAt = start
    this.speed = speed
  }

  now(): Instant {
    if (this.#ranSinceMs === null) return this.#stoodAt
    // The ledger keeps whole milliseconds, and nothing here needs finer ones.
    return Math.floor(this.#stoodAt + (this.#real.monotonicMs() - this.#ranSinceMs) * this.speed)
  }

  monotonicMs(): number {
    return this.now() - this.#start
  }

  /** While it stands nobody is woken: what waits then is a deadline that does not come. */
  async sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#ranSinceMs !== null) return this.#real.sleep(durationMs / this.speed, signal)
    if (signal === undefined) throw new Error('Nobody can sleep while the clock stands still')
    if (signal.aborted) return
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true })
    })
  }

  /** Moves it on while it stands; it never goes back. */
  moveTo(at: Instant): void {
    if (this.#ranSinceMs !== null) throw new Error('The clock runs by itself now')
    this.#stoodAt = Math.max(this.#stoodAt, at)
  }

  run(): void {
    this.#ranSinceMs ??= this.#real.monotonicMs()
  }
}
