/** Owns the messages between a client and a relay (NIP-01, NIP-42, NIP-45), as they are parsed. */

import { z } from 'zod'
import { eventSchema } from './event.ts'
import type { NostrEvent } from './event.ts'

/** What is asked for. All its fields must fit an event. */
export interface Filter {
  readonly ids?: readonly string[]
  readonly authors?: readonly string[]
  readonly kinds?: readonly number[]
  readonly '#e'?: readonly string[]
  readonly '#q'?: readonly string[]
  readonly since?: number
  readonly until?: number
  readonly limit?: number
}

export type RelayMessage =
  | { readonly kind: 'event'; readonly subscription: string; readonly event: NostrEvent }
  /** All that was stored has been sent. */
  | { readonly kind: 'end'; readonly subscription: string }
  | { readonly kind: 'closed'; readonly subscription: string; readonly reason: string }
  | { readonly kind: 'count'; readonly subscription: string; readonly count: number }
  | {
      readonly kind: 'ok'
      readonly eventId: string
      readonly isAccepted: boolean
      readonly reason: string
    }
  | { readonly kind: 'challenge'; readonly challenge: string }
  /** For people, or of a kind that is not known here. */
  | { readonly kind: 'other' }

const name = z.string().max(256)
const reason = z.string().catch('')

const schemas = {
  EVENT: z
    .tuple([z.literal('EVENT'), name, eventSchema], z.unknown())
    .transform(([, subscription, event]) => ({ kind: 'event', subscription, event }) as const),
  EOSE: z
    .tuple([z.literal('EOSE'), name], z.unknown())
    .transform(([, subscription]) => ({ kind: 'end', subscription }) as const),
  CLOSED: z
    .tuple([z.literal('CLOSED'), name, reason.optional()], z.unknown())
    .transform(([, subscription, why = '']) => {
      return { kind: 'closed', subscription, reason: why } as const
    }),
  COUNT: z
    .tuple([z.literal('COUNT'), name, z.object({ count: z.int().min(0) })], z.unknown())
    .transform(([, subscription, { count }]) => ({ kind: 'count', subscription, count }) as const),
  OK: z
    .tuple([z.literal('OK'), name, z.boolean(), reason.optional()], z.unknown())
    .transform(([, eventId, isAccepted, why = '']) => {
      return { kind: 'ok', eventId, isAccepted, reason: why } as const
    }),
  AUTH: z
    .tuple([z.literal('AUTH'), z.string().max(4096)], z.unknown())
    .transform(([, challenge]) => ({ kind: 'challenge', challenge }) as const),
}

/** Null where it is no message of a relay at all, or one of a known kind in a wrong form. */
export function parseRelayMessage(text: string): RelayMessage | null {
  const value = parseJson(text)
  if (!Array.isArray(value) || typeof value[0] !== 'string') return null
  const [type] = value as [string, ...unknown[]]
  if (!Object.hasOwn(schemas, type)) return { kind: 'other' }
  const parsed = schemas[type as keyof typeof schemas].safeParse(value)
  if (parsed.success) return parsed.data
  // One event in a strange form is left out; the others of the answer are good.
  return type === 'EVENT' ? { kind: 'other' } : null
}

/** Null where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether an event is one that was asked for. A relay may give more, or something else. */
export function fits(event: NostrEvent, filter: Filter): boolean {
  const { ids, authors, kinds, since, until } = filter
  if (ids !== undefined && !ids.includes(event.id)) return false
  if (authors !== undefined && !authors.includes(event.pubkey)) return false
  if (kinds !== undefined && !kinds.includes(event.kind)) return false
  if (since !== undefined && event.created_at < since) return false
  if (until !== undefined && event.created_at > until) return false
  return (['e', 'q'] as const).every((letter) => {
    const wanted = filter[`#${letter}`]
    if (wanted === undefined) return true
    return event.tags.some(([key, value = '']) => key === letter && wanted.includes(value))
  })
}
