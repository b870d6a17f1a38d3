/**
 * Owns what is left alone for a while because it failed just now. It stays due in the ledger, but
 * is neither asked for at every turn nor stands in the way of what is due behind it. Nothing of
 * this is worth remembering: after a restart it is simply tried again.
 */

import type { Clock } from '../core/clock.ts'

export class Rests {
  readonly #clock: Clock
  readonly #restMs: number
  /** When each rest ends, by the clock that only ever grows; the first to end comes first. */
  readonly #ends = new Map<string, number>()

  constructor(clock: Clock, restMs: number) {
    this.#clock = clock
    this.#restMs = restMs
  }

  begin(work: string, id: string): void {
    const name = nameOf(work, id)
    this.#ends.delete(name)
    this.#ends.set(name, this.#clock.monotonicMs() + this.#restMs)
  }

  has(work: string, id: string): boolean {
    this.#forgetOver()
    return this.#ends.has(nameOf(work, id))
  }

  /** How many rest: who asks for a batch of what is due has to pass over so many. */
  get count(): number {
    this.#forgetOver()
    return this.#ends.size
  }

  #forgetOver(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const [name, endMs] of this.#ends) {
      if (endMs > nowMs) return
      this.#ends.delete(name)
    }
  }
}

function nameOf(work: string, id: string): string {
  return `${work} ${id}`
}
