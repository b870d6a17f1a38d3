/**
 * Owns the shelf: a small place for what the server and tools remember, and leases on top of it.
 * Nothing that decides about a post is kept here, and no event tells of it.
 */

import { InputError } from '../core/input-error.ts'
import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { ItemStore, Page, Store } from './store.ts'
import { requireText } from './stored-text.ts'

export interface ShelfItem {
  readonly id: string
  readonly value: Json
  /** Another one after each change, and never the same again, not even after a deletion. */
  readonly version: number
}

/** Items by collection and id. One whose time is over by the ledger's time is as good as absent. */
export interface Shelf {
  getItem(collection: string, id: string): Promise<ShelfItem | null>
  /**
   * Stores the value where the item has the expected version, or where there is none and null is
   * expected. False where it is otherwise: read it again.
   */
  putItem(
    collection: string,
    id: string,
    value: Json,
    expected: number | null,
    expiresAt?: Instant | null,
  ): Promise<boolean>
  /** False where there was no such item, or not of the expected version. */
  deleteItem(collection: string, id: string, expected?: number): Promise<boolean>
  /** In the order of their ids. */
  listItems(collection: string, page: Page): Promise<readonly ShelfItem[]>
  /** Takes items away whose time is over. `expire` does so too. Returns how many. */
  sweepItems(limit: number): Promise<number>
}

/** Names that one owner at a time can hold. */
export interface Leases {
  /** True where the owner holds it now: it was free, or it ran out, or it was theirs already. */
  takeLease(name: string, owner: string, forMs: number): Promise<boolean>
  /** False where the owner did not hold it. */
  releaseLease(name: string, owner: string): Promise<boolean>
}

export function createShelf({ items, now }: Pick<Store, 'items' | 'now'>): Shelf & Leases {
  return {
    getItem: (collection, id) => items.get(collection, id),
    putItem: async (collection, id, value, expected, expiresAt = null) => {
      requireName(collection, 'collection')
      requireName(id, 'id')
      return items.put(collection, id, value, expected, expiresAt)
    },
    deleteItem: (collection, id, expected) => items.delete(collection, id, expected ?? null),
    listItems: (collection, page) => items.list(collection, page),
    sweepItems: (limit) => items.sweep(limit),
    takeLease: async (name, owner, forMs) => {
      requireName(name, 'name')
      requireName(owner, 'owner')
      return takeLease(items, name, owner, (await now()) + forMs)
    },
    releaseLease: async (name, owner) => {
      const held = await items.get(leases, name)
      return held?.value === owner && items.delete(leases, name, held.version)
    },
  }
}

function requireName(value: string, field: string): void {
  requireText(value, field)
  if (value === '') throw new InputError(field, 'is empty; give it a name')
}

const leases = 'lease'

/** Whoever loses against another call looks again: it may have been the same owner's. */
async function takeLease(
  items: ItemStore,
  name: string,
  owner: string,
  until: Instant,
): Promise<boolean> {
  for (;;) {
    const held = await items.get(leases, name)
    if (held !== null && held.value !== owner) return false
    if (await items.put(leases, name, owner, held?.version ?? null, until)) return true
  }
}
