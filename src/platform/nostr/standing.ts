/**
 * Owns how some notes stand: which of them the relays have, and which of them the account has asked
 * to be deleted (NIP-09). What a relay gives out is believed only with its author's signature.
 */

import { isGenuine, kinds } from './event.ts'
import type { NostrEvent } from './event.ts'
import type { Filter } from './relay-message.ts'
import type { Answers, Relays } from './relays.ts'

export interface Standing {
  /** What a relay has, deleted or not, by id. */
  readonly shown: ReadonlyMap<string, Shown>
  readonly deleted: ReadonlySet<string>
  /** Why some relays gave no answer: what is missing may be there. */
  readonly failures: readonly unknown[]
}

export interface Shown {
  readonly event: NostrEvent
  /** The first of the account's relays that has it. */
  readonly relay: string
}

/** More requests to delete than this are not looked through. */
const mostDeletions = 500

/** Asks for deletions of certain notes, and for the newest of all: those of replies are there. */
export function deletionFilters(author: string, ids: readonly string[]): readonly Filter[] {
  const byAuthor = { kinds: [kinds.deletion], authors: [author], limit: mostDeletions }
  return [{ ...byAuthor, '#e': ids }, byAuthor]
}

export async function readStanding(relays: Relays, ids: readonly string[]): Promise<Standing> {
  const { publicKey } = relays.credentials.signer
  const filters = [{ ids }, ...deletionFilters(publicKey, ids)]
  return toStanding(await relays.ask((session) => session.query(filters)))
}

/** Of what was asked for: deletions are only ever asked for of the account itself. */
export function toStanding({ answers, failures }: Answers<readonly NostrEvent[]>): Standing {
  const shown = new Map<string, Shown>()
  const deleted = new Set<string>()
  for (const { relay, result } of answers) {
    for (const event of result) {
      if (shown.has(event.id) || !isGenuine(event)) continue
      shown.set(event.id, { event, relay })
      if (event.kind !== kinds.deletion) continue
      for (const [key, id] of event.tags) if (key === 'e' && id !== undefined) deleted.add(id)
    }
  }
  return { shown, deleted, failures }
}

export type Place =
  | { readonly kind: 'there'; readonly shown: Shown }
  | { readonly kind: 'gone' }
  /** No relay that answered has it, and others did not answer. */
  | { readonly kind: 'unread' }

export function placeOfNote({ shown, deleted, failures }: Standing, id: string): Place {
  if (deleted.has(id)) return { kind: 'gone' }
  const found = shown.get(id)
  if (found !== undefined) return { kind: 'there', shown: found }
  return failures.length === 0 ? { kind: 'gone' } : { kind: 'unread' }
}
