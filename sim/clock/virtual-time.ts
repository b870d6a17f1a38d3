/**
 * Owns true time in the simulation. It stands still while code runs and leaps to the next thing
 * that is due. Things due together happen one after another in the order they were asked for, each
 * only when all that the one before set off has come to rest, so that one seed gives one history.
 */

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
  /** A binary heap, the next to ring first. */
  readonly #alarms: Alarm[] = []
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
    this.#push(alarm)
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
    for (let next = this.#alarms[0]; next !== undefined; next = this.#alarms[0]) {
      if (next.at > end || this.#stopped) break
      this.#drop()
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

  #push(alarm: Alarm): void {
    const heap = this.#alarms
    let place = heap.length
    heap.push(alarm)
    while (place > 0) {
      const parent = (place - 1) >>> 1
      if (!isBefore(alarm, heap[parent] as Alarm)) break
      heap[place] = heap[parent] as Alarm
      place = parent
    }
    heap[place] = alarm
  }

  #drop(): void {
    const heap = this.#alarms
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, heap[child] as Alarm)) child += 1
      if (!isBefore(heap[child] as Alarm, last)) break
      heap[place] = heap[child] as Alarm
      place = child
    }
    heap[place] = last
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
