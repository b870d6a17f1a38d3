/** The shelf of the memory store. */

import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { LedgerTime } from '../ledger-time.ts'
import type { ShelfItem } from '../shelf.ts'
import type { ItemStore, Page } from '../store.ts'
import { paged } from './lists.ts'

type Kept = ShelfItem & { readonly expiresAt: Instant | null }

export class MemoryItems implements ItemStore {
  readonly #collections = new Map<string, Map<string, Kept>>()
  readonly #time: LedgerTime
  #version = 0

  constructor(time: LedgerTime) {
    this.#time = time
  }

  async get(collection: string, id: string) {
    const kept = this.#find(collection, id)
    return kept === null ? null : toItem(kept)
  }

  async put(
    collection: string,
    id: string,
    value: Json,
    expected: number | null,
    expiresAt: Instant | null,
  ) {
    if ((this.#find(collection, id)?.version ?? null) !== expected) return false
    this.#version += 1
    // A copy: what the caller does with the value afterwards is not stored.
    const kept = { id, value: structuredClone(value), version: this.#version, expiresAt }
    this.#of(collection).set(id, kept)
    return true
  }

  async delete(collection: string, id: string, expected: number | null) {
    const kept = this.#find(collection, id)
    if (kept === null || (expected !== null && kept.version !== expected)) return false
    return this.#of(collection).delete(id)
  }

  async list(collection: string, page: Page) {
    const kept = [...this.#of(collection).values()].filter((item) => this.#isThere(item))
    return paged(kept, page).map(toItem)
  }

  async sweep(limit: number) {
    let swept = 0
    for (const items of this.#collections.values()) {
      for (const item of items.values()) {
        if (swept >= limit) return swept
        if (!this.#isThere(item) && items.delete(item.id)) swept += 1
      }
    }
    return swept
  }

  #find(collection: string, id: string): Kept | null {
    const kept = this.#of(collection).get(id)
    return kept !== undefined && this.#isThere(kept) ? kept : null
  }

  #isThere({ expiresAt }: Kept): boolean {
    return expiresAt === null || expiresAt > this.#time.now()
  }

  #of(collection: string): Map<string, Kept> {
    const items = this.#collections.get(collection) ?? new Map<string, Kept>()
    this.#collections.set(collection, items)
    return items
  }
}

function toItem({ id, value, version }: Kept): ShelfItem {
  return { id, value, version }
}
