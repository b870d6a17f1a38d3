/** The events of the memory store, and the chain over them. */

import type { LedgerEvent, NewEvent } from '../../core/events.ts'
import { chainStart, sealEvent } from '../audit.ts'
import type { AuditEntry } from '../audit.ts'
import { accountsOf } from '../pages.ts'
import type { Cursor, EventFilter, EventPage, SealedEvent } from '../store.ts'

export class EventLog {
  readonly #events: (LedgerEvent | null)[] = []
  readonly #audit: AuditEntry[] = []

  append(events: readonly NewEvent[]): void {
    for (const event of events) this.#events.push({ ...event, seq: this.#events.length + 1 })
  }

  read(after: Cursor | null, filter: EventFilter, limit: number): EventPage {
    const ids = accountsOf(filter)
    const events: LedgerEvent[] = []
    let position = after === null ? 0 : Number(after)
    while (position < this.#events.length && events.length < limit) {
      const event = this.#events[position] ?? null
      position += 1
      if (event === null) continue
      if (filter.types !== undefined && !filter.types.includes(event.type)) continue
      if (ids !== null && (event.accountId === null || !ids.includes(event.accountId))) continue
      events.push(event)
    }
    return { events, cursor: String(position) }
  }

  /** From before a number on, back to the first. */
  *newestFirst(before: number): Iterable<LedgerEvent> {
    for (let seq = Math.min(before - 1, this.#events.length); seq > 0; seq -= 1) {
      const event = this.#events[seq - 1] ?? null
      if (event !== null) yield event
    }
  }

  seal(limit: number): number {
    const fresh = this.#events.slice(this.#audit.length, this.#audit.length + limit)
    for (const event of fresh) {
      if (event === null) continue
      const previous = this.#audit.at(-1)?.hash ?? chainStart
      this.#audit.push(sealEvent(previous, this.#audit.length + 1, event))
    }
    return fresh.length
  }

  readAudit(afterNumber: number, limit: number): readonly SealedEvent[] {
    return this.#audit
      .slice(afterNumber, afterNumber + limit)
      .map((entry) => ({ entry, event: this.#events[entry.seq - 1] ?? null }))
  }

  /** @internal Damage done behind the ledger's back, so that tests can see it found. */
  damageEvent(seq: number, change: (event: LedgerEvent) => LedgerEvent | null): void {
    const event = this.#events[seq - 1] ?? null
    if (event !== null) this.#events[seq - 1] = change(event)
  }

  /** @internal */
  damageEntry(number: number, change: (entry: AuditEntry) => AuditEntry): void {
    const entry = this.#audit[number - 1]
    if (entry !== undefined) this.#audit[number - 1] = change(entry)
  }

  countUnsealed(): number {
    return this.#events.length - this.#audit.length
  }
}
