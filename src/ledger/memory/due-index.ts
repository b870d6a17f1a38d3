/**
 * Rows in the order in which they fall due, as databases keep them in an index: a binary heap whose
 * outdated entries are passed over when they come up.
 */

import type { Instant } from '../../core/instant.ts'

interface Entry {
  readonly at: Instant
  readonly id: string
}

export class DueIndex {
  readonly #heap: Entry[] = []
  /** When each row is due now; an entry that says otherwise is outdated. */
  readonly #times = new Map<string, Instant>()

  /** Null where the row is not due at all. */
  set(id: string, at: Instant | null): void {
    const before = this.#times.get(id)
    if (at === null) {
      if (before !== undefined) this.#times.delete(id)
    } else if (before !== at) {
      this.#times.set(id, at)
      this.#push({ at, id })
    }
  }

  /** The time of the first, or null where nothing is due ever. */
  get firstAt(): Instant | null {
    return this.#first()?.at ?? null
  }

  /** What is due by now, the longest due first and by id where two are due together. */
  list(now: Instant, limit: number): readonly string[] {
    const due: Entry[] = []
    for (let first = this.#first(); first !== null; first = this.#first()) {
      if (first.at > now || due.length >= limit) break
      due.push(first)
      this.#drop()
      // The same row may stand here twice with the same time; it is listed once.
      while (this.#heap[0]?.id === first.id && this.#heap[0].at === first.at) this.#drop()
    }
    for (const entry of due) this.#push(entry)
    return due.map(({ id }) => id)
  }

  #first(): Entry | null {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#times.get(first.id) === first.at) return first
      this.#drop()
    }
    return null
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(entry)
    while (place > 0) {
      const parent = (place - 1) >>> 1
      if (!isBefore(entry, heap[parent] as Entry)) break
      heap[place] = heap[parent] as Entry
      place = parent
    }
    heap[place] = entry
  }

  /** Takes the first away. */
  #drop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && isBefore(right, heap[child] as Entry)) child += 1
      if (!isBefore(heap[child] as Entry, last)) break
      heap[place] = heap[child] as Entry
      place = child
    }
    heap[place] = last
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}
