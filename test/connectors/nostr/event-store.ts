/**
 * Owns what one relay has stored, with the filters of NIP-01 and the deletions of NIP-09. It is
 * also the eyes and hands of tests, which do not go through the connector.
 */

import type { NostrEvent } from '../../../src/platform/nostr/event.ts'

/** As it comes over the wire; tags are asked for by `#` and a letter. */
export type WireFilter = Readonly<Record<string, unknown>>

export class EventStore {
  readonly #events = new Map<string, NostrEvent>()
  readonly #deleted = new Set<string>()

  /** What it has now, the newest first. */
  all(): readonly NostrEvent[] {
    return this.find({})
  }

  has(id: string): boolean {
    return this.#events.has(id)
  }

  isDeleted(id: string): boolean {
    return this.#deleted.has(id)
  }

  /** A request to delete takes effect, and is kept itself. */
  put(event: NostrEvent): void {
    this.#events.set(event.id, event)
    if (event.kind !== 5) return
    for (const [key, id = ''] of event.tags) {
      if (key !== 'e' || this.#events.get(id)?.pubkey !== event.pubkey) continue
      this.#events.delete(id)
      this.#deleted.add(id)
    }
  }

  find(filter: WireFilter): readonly NostrEvent[] {
    const fitting = [...this.#events.values()]
      .filter((event) => matches(event, filter))
      .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
    return fitting.slice(0, (filter['limit'] as number | undefined) ?? fitting.length)
  }
}

function matches(event: NostrEvent, filter: WireFilter): boolean {
  return Object.entries(filter).every(([key, value]) => {
    switch (key) {
      case 'ids':
        return (value as string[]).includes(event.id)
      case 'authors':
        return (value as string[]).includes(event.pubkey)
      case 'kinds':
        return (value as number[]).includes(event.kind)
      case 'since':
        return event.created_at >= (value as number)
      case 'until':
        return event.created_at <= (value as number)
      case 'limit':
        return true
      default:
        return event.tags.some(
          ([name = '', text = '']) => `#${name}` === key && (value as string[]).includes(text),
        )
    }
  })
}
