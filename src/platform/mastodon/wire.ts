/** Owns the shapes of the API's answers, as far as they are used. All else is ignored. */

import { z } from 'zod'
import { parseInstant } from '../../core/instant.ts'
import type { Instant } from '../../core/instant.ts'

const instant = z.string().transform((text, context): Instant => {
  try {
    return parseInstant(text, 'time')
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a time' })
    return z.NEVER
  }
})

/** A counter that a server leaves out, or gives as null, is absent. */
const counter = z.int().nonnegative().nullish()

const pollSchema = z.object({
  expires_at: instant.nullable(),
  expired: z.boolean(),
  multiple: z.boolean(),
  options: z.array(z.object({ title: z.string(), votes_count: z.number().nullish() })),
})
export type WirePoll = z.infer<typeof pollSchema>

export const statusSchema = z.object({
  id: z.string().min(1),
  created_at: instant,
  edited_at: z.string().nullish(),
  url: z.string().nullish(),
  content: z.string(),
  /** What the author typed; few servers give it here. */
  text: z.string().nullish(),
  visibility: z.string(),
  language: z.string().nullish(),
  spoiler_text: z.string().nullish(),
  sensitive: z.boolean().nullish(),
  in_reply_to_id: z.string().nullish(),
  reblog: z.unknown(),
  account: z.object({ id: z.string() }),
  replies_count: counter,
  reblogs_count: counter,
  favourites_count: counter,
  quotes_count: counter,
  media_attachments: z.array(z.object({ id: z.string() })),
  mentions: z.array(z.object({ acct: z.string(), url: z.string() })),
  poll: pollSchema.nullish(),
})
export type Status = z.infer<typeof statusSchema>

export const statusesSchema = z.array(statusSchema)

export const contextSchema = z.object({ descendants: statusesSchema })

export const sourceSchema = z.object({
  text: z.string(),
  spoiler_text: z.string().nullish(),
  /** Where posts can be formatted: text/plain, text/markdown… */
  content_type: z.string().nullish(),
})
export type Source = z.infer<typeof sourceSchema>

export const accountSchema = z.object({ id: z.string().min(1), acct: z.string().min(1) })

const limits = {
  max_characters: z.int().positive().nullish(),
  characters_reserved_per_url: z.int().positive().nullish(),
}

/** Both versions of it: the first has `uri`, the second `domain`. */
export const instanceSchema = z.object({
  uri: z.string().nullish(),
  domain: z.string().nullish(),
  version: z.string(),
  max_toot_chars: z.int().positive().nullish(),
  configuration: z.object({ statuses: z.object(limits).nullish() }).nullish(),
  pleroma: z
    .object({ metadata: z.object({ features: z.array(z.string()).nullish() }).nullish() })
    .nullish(),
})
export type Instance = z.infer<typeof instanceSchema>

export const nodeLinksSchema = z.object({
  links: z.array(z.object({ rel: z.string(), href: z.string() })),
})

export const nodeSchema = z.object({
  software: z.object({ name: z.string(), version: z.string() }),
})

export const appSchema = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
})
