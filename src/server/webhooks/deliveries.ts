/**
 * Owns the log of deliveries and what of it is due. Whoever dies between two writes leaves a
 * delivery that is sent once more, never one that is lost: first it is put where it is found when
 * it is due, then into the log, and one that is due at another time by now is passed over.
 */

import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { Ledger } from '../../ledger/ledger.ts'

const deliveryValue = z.object({
  type: z.string(),
  seq: z.number().nullable(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  createdAt: z.number(),
  nextAttemptAt: z.number().nullable(),
  status: z.number().nullable(),
  detail: z.string().nullable(),
  /** The very bytes, so that a repeat is the same message. */
  body: z.string(),
})
type DeliveryValue = z.infer<typeof deliveryValue>

export interface Delivery extends DeliveryValue {
  readonly id: string
  readonly hookId: string
}

const dueValue = z.object({ hookId: z.string(), id: z.string() })
const due = 'server-deliveries-due'
const logOf = (hookId: string) => `server-deliveries:${hookId}`

/** Numbers written so that texts sort as they do. */
const digits = 16
const padded = (value: number) => String(Math.max(0, Math.floor(value))).padStart(digits, '0')
/** Newest first, as the shelf lists in the order of ids. */
const turned = (value: number) => padded(10 ** (digits - 1) - value)

/** The same event for the same webhook has one id, however often it is collected. */
export function deliveryId(createdAt: Instant, name: string | number): string {
  const last = typeof name === 'number' ? turned(name) : name
  return `${turned(createdAt)}-${last}`
}

export class Deliveries {
  readonly #ledger: Ledger
  readonly #keepMs: number

  constructor(ledger: Ledger, keepMs: number) {
    this.#ledger = ledger
    this.#keepMs = keepMs
  }

  async get(hookId: string, id: string): Promise<Delivery | null> {
    const item = await this.#ledger.getItem(logOf(hookId), id)
    return item === null ? null : { id, hookId, ...deliveryValue.parse(item.value) }
  }

  async page(
    hookId: string,
    { after, limit }: { readonly after: string | null; readonly limit: number },
  ): Promise<{ readonly items: readonly Delivery[]; readonly next: string | null }> {
    const found = await this.#ledger.listItems(logOf(hookId), { after, limit: limit + 1 })
    const items = found
      .slice(0, limit)
      .map(({ id, value }) => Object.assign(deliveryValue.parse(value), { id, hookId }))
    return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
  }

  /** Stores it as it stands now. What is pending is found again when it is due. */
  async save(delivery: Delivery): Promise<void> {
    const { id, hookId, nextAttemptAt, ...rest } = delivery
    if (nextAttemptAt !== null) {
      const place = `${padded(nextAttemptAt)}:${padded(delivery.seq ?? 0)}:${hookId}:${id}`
      await this.#put(due, place, { hookId, id }, null)
    }
    const value: DeliveryValue = { nextAttemptAt, ...rest }
    await this.#put(logOf(hookId), id, value, delivery.createdAt + this.#keepMs)
  }

  /** Unless it is known already. */
  async add(delivery: Delivery): Promise<void> {
    if ((await this.get(delivery.hookId, delivery.id)) === null) await this.save(delivery)
  }

  /** What is due by now, the longest due first, each with its place. */
  async due(now: Instant, limit: number): Promise<readonly DueDelivery[]> {
    const items = await this.#ledger.listItems(due, { after: null, limit })
    return items.flatMap(({ id: place, value }) => {
      const at = Number(place.slice(0, digits))
      const parsed = dueValue.safeParse(value)
      return at > now || !parsed.success ? [] : [{ place, at, ...parsed.data }]
    })
  }

  async settle(place: string): Promise<void> {
    await this.#ledger.deleteItem(due, place)
  }

  async forget(hookId: string): Promise<void> {
    for (;;) {
      const items = await this.#ledger.listItems(logOf(hookId), { after: null, limit: 200 })
      for (const { id } of items) await this.#ledger.deleteItem(logOf(hookId), id)
      if (items.length === 0) return
    }
  }

  async #put(collection: string, id: string, value: Json, expiresAt: Instant | null) {
    for (;;) {
      const known = await this.#ledger.getItem(collection, id)
      const version = known?.version ?? null
      if (await this.#ledger.putItem(collection, id, value, version, expiresAt)) return
    }
  }
}

export interface DueDelivery {
  readonly place: string
  readonly at: Instant
  readonly hookId: string
  readonly id: string
}
