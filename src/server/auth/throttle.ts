/** Owns how often something may be tried: so many times in a window that slides, for each name. */

import type { Clock } from '../../core/clock.ts'

export interface ThrottleSettings {
  readonly maximum: number
  readonly windowMs: number
}

/** Beyond this many names the idle ones are forgotten. */
const mostNames = 10_000

/** A bucket for each name, refilled evenly; empty, it says how long to wait. */
export class Throttle {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #settings: ThrottleSettings
  readonly #buckets = new Map<string, { level: number; atMs: number }>()

  constructor(clock: Pick<Clock, 'monotonicMs'>, settings: ThrottleSettings) {
    this.#clock = clock
    this.#settings = settings
  }

  /** How long this name has to wait before its next try; 0 where it may try now. */
  waitMs(name: string): number {
    const missing = 1 - this.#levelOf(name)
    return missing <= 0 ? 0 : missing * this.#refillMs
  }

  count(name: string): void {
    const level = this.#levelOf(name) - 1
    this.#buckets.delete(name)
    this.#buckets.set(name, { level: Math.max(-1, level), atMs: this.#clock.monotonicMs() })
    if (this.#buckets.size > mostNames) this.#forgetIdle()
  }

  forget(name: string): void {
    this.#buckets.delete(name)
  }

  get #refillMs(): number {
    return this.#settings.windowMs / this.#settings.maximum
  }

  #levelOf(name: string): number {
    const { maximum } = this.#settings
    const bucket = this.#buckets.get(name)
    if (bucket === undefined) return maximum
    const refilled = (this.#clock.monotonicMs() - bucket.atMs) / this.#refillMs
    return Math.min(maximum, bucket.level + refilled)
  }

  /** First those that are full again; then the longest unused, which stand first. */
  #forgetIdle(): void {
    for (const name of this.#buckets.keys()) {
      if (this.#levelOf(name) >= this.#settings.maximum) this.#buckets.delete(name)
    }
    for (const name of this.#buckets.keys()) {
      if (this.#buckets.size <= mostNames / 2) return
      this.#buckets.delete(name)
    }
  }
}
