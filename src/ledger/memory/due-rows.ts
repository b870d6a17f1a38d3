/** Keeps each row in the lists in which it can fall due, and says what is due. */

import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { AccountRow, ActionRow, MeasurementRow, PostRow } from '../rows.ts'
import { dueKinds, dueStates } from '../store.ts'
import type { ActionDueKind, DueKind } from '../store.ts'
import { DueIndex } from './due-index.ts'

/** Which of an action's times each kind goes by. */
const actionTimes: Readonly<Record<ActionDueKind, 'dueAt' | 'expiresAt' | 'noticeAt'>> = {
  send: 'dueAt',
  expire: 'expiresAt',
  notice: 'noticeAt',
  reconcile: 'dueAt',
  lease: 'dueAt',
}
const actionKinds = Object.keys(actionTimes) as readonly ActionDueKind[]

export class DueRows {
  readonly #indexes = new Map<DueKind, DueIndex>(dueKinds.map((kind) => [kind, new DueIndex()]))
  readonly #measurements = new DueIndex()

  noteAccount(row: AccountRow): void {
    this.#set('discover', row.id, row.status === 'active' ? row.discoverAt : null)
  }

  notePost(row: PostRow): void {
    this.#set('check', row.id, row.nextCheckAt)
  }

  noteAction(row: ActionRow): void {
    for (const kind of actionKinds) {
      const isDue = dueStates[kind].includes(row.state)
      this.#set(kind, row.id, isDue ? row[actionTimes[kind]] : null)
    }
  }

  /** `place` is the row's own; of two that are due together the one that came first is first. */
  noteMeasurement(place: number, { dueAt, takenAt }: MeasurementRow): void {
    this.#measurements.set(toId(place), takenAt === null ? dueAt : null)
  }

  #set(kind: DueKind, id: AccountId | PostId | ActionId, at: Instant | null): void {
    this.#indexOf(kind).set(id, at)
  }

  list(kind: DueKind, now: Instant, limit: number): readonly string[] {
    return this.#indexOf(kind).list(now, limit)
  }

  listMeasurements(now: Instant, limit: number): readonly number[] {
    return this.#measurements.list(now, limit).map(Number)
  }

  get firstAt(): Instant | null {
    let first = this.#measurements.firstAt
    for (const { firstAt } of this.#indexes.values()) {
      if (firstAt !== null && (first === null || firstAt < first)) first = firstAt
    }
    return first
  }

  #indexOf(kind: DueKind): DueIndex {
    return this.#indexes.get(kind) as DueIndex
  }
}

/** Padded, because the index orders ids as text. */
function toId(place: number): string {
  return String(place).padStart(12, '0')
}
