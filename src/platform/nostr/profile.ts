/**
 * Owns what is known of an account and its relays: what `probe` reads from their information
 * documents (NIP-11) and stores, and what follows from it for the description.
 */

import { z } from 'zod'
import { secondMs } from '../../core/duration.ts'
import type { Json } from '../../core/json.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import type { Description } from '../platform.ts'

const count = z.int().positive().nullable()

const relayFactsSchema = z.object({
  url: z.string(),
  /** Whether it counts by itself (NIP-45). */
  canCount: z.boolean(),
  maximumMessageBytes: count,
  maximumCharacters: count,
  /** How many events it gives for one filter. */
  maximumEvents: count,
  wantsWork: z.boolean(),
  wantsLogin: z.boolean(),
  wantsPayment: z.boolean(),
  /** How old, and how far ahead, an event may be; in seconds. */
  oldestSeconds: count,
  newestSeconds: count,
})
export type RelayFacts = z.infer<typeof relayFactsSchema>

const profileSchema = z.object({ relays: z.array(relayFactsSchema) })
export type NostrProfile = z.infer<typeof profileSchema>

/** As stored by whichever version of the connector; what cannot be read is not known. */
export function parseProfile(profile: Json): NostrProfile {
  const parsed = profileSchema.safeParse(profile)
  return parsed.success ? parsed.data : { relays: [] }
}

const optionalCount = z.int().positive().nullable().catch(null).default(null)
const optionalFlag = z.boolean().catch(false).default(false)

/** Every field may be missing, and many relays fill some of them with something else. */
const documentSchema = z.object({
  supported_nips: z.array(z.unknown()).catch([]).default([]),
  limitation: z
    .object({
      max_message_length: optionalCount,
      max_content_length: optionalCount,
      max_limit: optionalCount,
      min_pow_difficulty: optionalCount,
      auth_required: optionalFlag,
      payment_required: optionalFlag,
      created_at_lower_limit: optionalCount,
      created_at_upper_limit: optionalCount,
    })
    .catch(() => noLimitation)
    .default(() => noLimitation),
})

const noLimitation = {
  max_message_length: null,
  max_content_length: null,
  max_limit: null,
  min_pow_difficulty: null,
  auth_required: false,
  payment_required: false,
  created_at_lower_limit: null,
  created_at_upper_limit: null,
}

const documentLimits = { timeoutMs: 8 * secondMs, maximumBytes: 256 * 1024 }
const countingNip = 45
/** A time since 1970 in place of an age, as some relays give it. */
const noAgeSeconds = 1_000_000_000

/** A relay without such a document is as good as any: then nothing of it is known. */
export async function readRelayFacts(
  fetch: GuardedFetch,
  url: string,
  signal: AbortSignal,
): Promise<RelayFacts> {
  const headers = { accept: 'application/nostr+json' }
  const address = url.replace(/^ws/, 'http')
  const document = await fetch(address, { headers, signal, ...documentLimits })
    .then((response) => (response.ok ? response.parse(documentSchema) : null))
    .catch(() => null)
  const limits = document?.limitation ?? noLimitation
  return {
    url,
    canCount: document?.supported_nips.includes(countingNip) ?? false,
    maximumMessageBytes: limits.max_message_length,
    maximumCharacters: limits.max_content_length,
    maximumEvents: limits.max_limit,
    wantsWork: (limits.min_pow_difficulty ?? 0) > 0,
    wantsLogin: limits.auth_required,
    wantsPayment: limits.payment_required,
    oldestSeconds: toAge(limits.created_at_lower_limit),
    newestSeconds: toAge(limits.created_at_upper_limit),
  }
}

function toAge(seconds: number | null): number | null {
  return seconds !== null && seconds < noAgeSeconds ? seconds : null
}

/** Longer notes are articles, which are written elsewhere. */
const longestNote = 5000
/** A relay that takes less than this cannot be written to; the others can. */
const shortestLimit = 280
/** What an event needs beside its text: key, signature, and tags. */
const envelopeBytes = 4096

/** The length of a text as it is sent: escaped, in UTF-8. No relay counts more than that. */
export function measureText(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

export function longestText({ relays }: NostrProfile): number {
  const limits = relays.flatMap(({ maximumCharacters, maximumMessageBytes }) => [
    maximumCharacters ?? longestNote,
    maximumMessageBytes === null ? longestNote : maximumMessageBytes - envelopeBytes,
  ])
  return Math.max(shortestLimit, Math.min(longestNote, ...limits))
}

export function describeAccount(profile: NostrProfile): Description {
  const { relays } = profile
  const wantWork = relays.length > 0 && relays.every(({ wantsWork }) => wantsWork)
  const writing: Description['actions']['comment'] = wantWork
    ? { supported: false, why: 'Every relay of the account wants a proof of work.' }
    : { supported: true, writeClass: 'A', withinMs: null }
  return {
    platform: 'nostr',
    actions: {
      comment: writing,
      edit: { supported: false, why: 'An event is signed and cannot change.' },
      thread: writing,
    },
    length: { maximum: longestText(profile), measure: measureText },
    threadMaximum: 10,
    threadIsAtomic: false,
    counters: ['likes', 'replies', 'reposts', 'quotes', 'zaps'],
    hasImpressions: false,
    counterLagMs: 0,
    // Some relays answer the same question from memory for a few seconds.
    visibleWithinMs: 15 * secondMs,
    deduplicatesForMs: wantWork ? null : longestAge(relays),
    observeBatch: 20,
    rates: [],
    canUndo: { comment: !wantWork, edit: false, thread: !wantWork },
  }
}

/** How long an event can be sent again before the last relay finds it too old; null: for ever. */
function longestAge(relays: readonly RelayFacts[]): number | null {
  const ages = relays.map(({ oldestSeconds }) => oldestSeconds)
  if (ages.length === 0 || ages.includes(null)) return null
  return Math.max(...ages.map((age) => age ?? 0)) * secondMs
}
