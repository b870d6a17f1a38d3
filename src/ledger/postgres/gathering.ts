/**
 * Owns the moment at which those who came together are taken together. Callers that were answered
 * at once come back at once, but not all within one microtask; so it is waited while more keep
 * coming. Nothing here takes time: it is all one turn of the event loop.
 */

/** How many microtasks may pass without anyone coming. */
const quietTurns = 8

export class Gathering {
  readonly #count: () => number
  readonly #take: () => void
  #isOn = false

  /** `count` tells how many wait, and `take` is called when no more come. */
  constructor(count: () => number, take: () => void) {
    this.#count = count
    this.#take = take
  }

  begin(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#wait(this.#count(), quietTurns)
  }

  #wait(seen: number, turnsLeft: number): void {
    queueMicrotask(() => {
      const count = this.#count()
      if (turnsLeft > 0) {
        this.#wait(count, count > seen ? quietTurns : turnsLeft - 1)
        return
      }
      this.#isOn = false
      this.#take()
    })
  }
}
