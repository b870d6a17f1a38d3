/**
 * Rows in the order in which they fall due, as databases keep them in an index: a heap whose
 * outdated entries are passed over when they come up.
 */

import { Heap } from '../../core/heap.ts'
import type { Instant } from '../../core/instant.ts'

interface Entry {
  readonly at: Instant
  readonly id: string
}

export class DueIndex {
  readonly #heap = new Heap<Entry>(isBefore)
  /** When each row is due now; an entry that says otherwise is outdated. */
  readonly #times = new Map<string, Instant>()

  /** Null where the row is not due at all. */
  set(id: string, at: Instant | null): void {
    const before = this.#times.get(id)
    if (at === null) {
      if (before !== undefined) this.#times.delete(id)
    } else if (before !== at) {
      this.#times.set(id, at)
      this.#heap.add({ at, id })
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
      this.#heap.removeFirst()
      // The same row may stand here twice with the same time; it is listed once.
      while (isSame(this.#heap.first, first)) this.#heap.removeFirst()
    }
    for (const entry of due) this.#heap.add(entry)
    return due.map(({ id }) => id)
  }

  #first(): Entry | null {
    for (let { first } = this.#heap; first !== undefined; first = this.#heap.first) {
      if (this.#times.get(first.id) === first.at) return first
      this.#heap.removeFirst()
    }
    return null
  }
}

function isSame(a: Entry | undefined, b: Entry): boolean {
  return a?.id === b.id && a.at === b.at
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}
