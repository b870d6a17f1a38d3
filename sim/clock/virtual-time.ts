/**
 * Owns true time in the simulation. It stands still while code runs and leaps to the next thing
 * that is due. Things due together happen one after another in the order they were asked for, each
 * only when all that the one before set off has come to rest, so that one seed gives one history.
 */

import { Heap } from '../../src/core/heap.ts'
import type { Instant } from '../../src/core/instant.ts'

export interface Alarm {
  readonly at: Instant
  readonly order: number
  /** Null once it rang or was called off. */
  ring: (() => void) | null
}

export class VirtualTime {
  #now: Instant
  #order = 0
  /** The next to ring first. */
  readonly #alarms = new Heap<Alarm>(isBefore)
  /** Told after each alarm, when all has come to rest. */
  onRest: () => void = () => {}
  #stopped = false

  constructor(start: Instant) {
    this.#now = start
  }

  get now(): Instant {
    return this.#now
  }

  at(at: Instant, ring: () => void): Alarm {
    this.#order += 1
    const alarm: Alarm = { at: Math.max(Math.ceil(at), this.#now), order: this.#order, ring }
    this.#alarms.add(alarm)
    return alarm
  }

  after(durationMs: number, ring: () => void): Alarm {
    return this.at(this.#now + durationMs, ring)
  }

  /** As a clock sleeps: until then, or until the signal aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake)
        alarm.ring = null
        resolve()
      }
      const alarm = this.after(durationMs, wake)
      signal?.addEventListener('abort', wake)
    })
  }

  /** Lets all happen that is due until then. */
  async runUntil(end: Instant): Promise<void> {
    for (let { first: next } = this.#alarms; next !== undefined; next = this.#alarms.first) {
      if (next.at > end || this.#stopped) break
      this.#alarms.removeFirst()
      if (next.ring === null) continue
      this.#now = next.at
      next.ring()
      await rest()
      this.onRest()
    }
    if (!this.#stopped) this.#now = Math.max(this.#now, end)
  }

  /** Nothing rings any more. */
  stop(): void {
    this.#stopped = true
  }
}

function isBefore(a: Alarm, b: Alarm): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** Node runs the next tick only when no promise is left to be continued. No timer is involved. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}
