/** Owns what workers say of themselves on the shelf, so that people see who works and how far. */

import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { Ledger } from '../../ledger/ledger.ts'

/** A worker as the others and the dashboard see it. */
export interface WorkerReport {
  readonly id: string
  readonly host: string
  readonly version: string
  readonly startedAt: Instant
  readonly seenAt: Instant
  /** Jobs it may do at once, and those that it is doing. */
  readonly places: number
  readonly busy: number
  /** Since it started. */
  readonly done: number
  readonly failed: number
}

/** How far all of them are. */
export interface DeliveryState {
  readonly at: Instant
  readonly leader: string
  /** Jobs that could begin now. */
  readonly ready: number
  /** How long the post that has waited longest is due. */
  readonly checkMs: number
  readonly actionMs: number
}

const workers = 'workers'
const delivery = 'delivery'
/** Who says nothing for so long is gone. */
const presenceMs = 60_000

type Shelf = Pick<Ledger, 'now' | 'getItem' | 'putItem' | 'deleteItem' | 'listItems'>

export async function savePresence(
  ledger: Shelf,
  report: Omit<WorkerReport, 'seenAt'>,
): Promise<void> {
  const now = await ledger.now()
  await put(ledger, workers, report.id, { ...report, seenAt: now }, now + presenceMs)
}

export async function removePresence(ledger: Shelf, id: string): Promise<void> {
  await ledger.deleteItem(workers, id)
}

export async function saveDeliveryState(
  ledger: Shelf,
  state: Omit<DeliveryState, 'at'>,
): Promise<void> {
  const now = await ledger.now()
  await put(ledger, delivery, 'state', { ...state, at: now }, now + presenceMs)
}

async function put(
  ledger: Shelf,
  collection: string,
  id: string,
  value: Json,
  expiresAt: Instant,
): Promise<void> {
  const stored = await ledger.getItem(collection, id)
  // Where someone else was faster, theirs is as new.
  await ledger.putItem(collection, id, value, stored?.version ?? null, expiresAt)
}

const workerSchema = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  startedAt: z.number(),
  seenAt: z.number(),
  places: z.number(),
  busy: z.number(),
  done: z.number(),
  failed: z.number(),
})

const stateSchema = z.object({
  at: z.number(),
  leader: z.string(),
  ready: z.number(),
  checkMs: z.number(),
  actionMs: z.number(),
})

const mostWorkers = 500

/** Those that were heard of lately. What another version wrote and cannot be read is left out. */
export async function listWorkers(ledger: Shelf): Promise<readonly WorkerReport[]> {
  const items = await ledger.listItems(workers, { after: null, limit: mostWorkers })
  return items.flatMap(({ value }) => workerSchema.safeParse(value).data ?? [])
}

/** Null where no worker leads. */
export async function readDeliveryState(ledger: Shelf): Promise<DeliveryState | null> {
  const item = await ledger.getItem(delivery, 'state')
  return stateSchema.safeParse(item?.value).data ?? null
}
