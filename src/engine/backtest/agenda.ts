/** Owns the order of looks in a replay: a heap that always gives the earliest one. */

import type { Instant } from '../../core/instant.ts'

export interface Appointment {
  readonly at: Instant
}

export class Agenda<Item extends Appointment> {
  readonly #heap: Item[] = []

  get earliest(): Item | undefined {
    return this.#heap[0]
  }

  add(item: Item): void {
    const heap = this.#heap
    let place = heap.push(item) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if ((heap[parent] as Item).at <= item.at) break
      heap[place] = heap[parent] as Item
      place = parent
    }
    heap[place] = item
  }

  /** The earliest was put off to a later time: finds its new place. */
  sink(): void {
    const item = this.#heap[0]
    if (item !== undefined) this.#settle(item)
  }

  removeEarliest(): void {
    const last = this.#heap.pop()
    if (last !== undefined && this.#heap.length > 0) this.#settle(last)
  }

  /** Puts the item in the first place and lets it sink from there. */
  #settle(item: Item): void {
    const heap = this.#heap
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      const right = child + 1
      if (right < heap.length && (heap[right] as Item).at < (heap[child] as Item).at) child = right
      if ((heap[child] as Item).at >= item.at) break
      heap[place] = heap[child] as Item
      place = child
    }
    heap[place] = item
  }
}
