/** A clock that stands still until a test moves it: a deadline is an event then, and not a wait. */

import type { Clock } from '../../src/core/clock.ts'

interface Sleeper {
  readonly dueMs: number
  readonly wake: () => void
}

export class ManualClock implements Clock {
  #nowMs = Date.UTC(2026, 6, 15)
  readonly #sleepers = new Set<Sleeper>()

  now(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  /** How many still wait: none, once a call has ended. */
  get sleepers(): number {
    return this.#sleepers.size
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const sleeper = { dueMs: this.#nowMs + durationMs, wake: () => this.#end(sleeper, resolve) }
    this.#sleepers.add(sleeper)
    if (signal?.aborted === true) sleeper.wake()
    signal?.addEventListener('abort', sleeper.wake, { once: true })
    return promise
  }

  advance(durationMs: number): void {
    this.#nowMs += durationMs
    for (const { dueMs, wake } of this.#sleepers) if (dueMs <= this.#nowMs) wake()
  }

  #end(sleeper: Sleeper, resolve: () => void): void {
    this.#sleepers.delete(sleeper)
    resolve()
  }
}
