/** Owns a clock that stands still until it is moved, and that wakes sleepers in their order. */

import type { Clock } from '../../core/clock.ts'
import type { Instant } from '../../core/instant.ts'

interface Sleeper {
  readonly wakesAt: number
  readonly wake: () => void
}

/** How many turns code gets to run on before the next sleeper is woken. */
const turnsPerWake = 50

async function runOn(): Promise<void> {
  for (let turn = 0; turn < turnsPerWake; turn += 1) await Promise.resolve()
}

/** A Monday at noon in UTC. */
const monday: Instant = Date.UTC(2026, 2, 2, 12)

export class VirtualClock implements Clock {
  #now: Instant
  readonly #start: Instant
  /** The next to wake first. */
  #sleepers: readonly Sleeper[] = []

  constructor(now: Instant = monday) {
    this.#now = now
    this.#start = now
  }

  now(): Instant {
    return this.#now
  }

  monotonicMs(): number {
    return this.#now - this.#start
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake)
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper)
        resolve()
      }
      const sleeper = { wakesAt: this.#now + durationMs, wake }
      signal?.addEventListener('abort', wake)
      this.#sleepers = [...this.#sleepers, sleeper].sort((a, b) => a.wakesAt - b.wakesAt)
    })
  }

  /** Lets time go by. Whoever wakes meanwhile runs at the moment of waking. */
  async advance(durationMs: number): Promise<void> {
    const end = this.#now + durationMs
    await runOn()
    for (let next = this.#sleepers[0]; next !== undefined; next = this.#sleepers[0]) {
      if (next.wakesAt > end) break
      this.#now = Math.max(this.#now, next.wakesAt)
      next.wake()
      await runOn()
    }
    this.#now = end
  }
}
