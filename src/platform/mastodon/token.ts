/**
 * Owns what a prepared write is made of. The ledger stores it as JSON and hands it back unchanged,
 * perhaps years later and to another version, so it is parsed like anything from outside.
 */

import { z } from 'zod'
import { parseWith } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'

const replySchema = z.strictObject({
  kind: z.literal('reply'),
  parentId: z.string(),
  text: z.string(),
  visibility: z.string(),
  spoilerText: z.string(),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  idempotencyKey: z.string(),
  /** The server's own time before it was sent; what it made cannot be older. */
  notBefore: z.number(),
})

/** An edit replaces all of a post, so all that is to stay is sent with it. */
const keptSchema = z.strictObject({
  spoilerText: z.string(),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  mediaIds: z.array(z.string()),
  poll: z
    .strictObject({
      options: z.array(z.string()),
      multiple: z.boolean(),
      hidesTotals: z.boolean(),
      endsAt: z.number(),
    })
    .nullable(),
  contentType: z.string().nullable(),
})

const editSchema = z.strictObject({
  kind: z.literal('edit'),
  id: z.string(),
  text: z.string(),
  baseText: z.string(),
  baseVersion: z.string(),
  kept: keptSchema,
})

const tokenSchema = z.discriminatedUnion('kind', [replySchema, editSchema])

export type ReplyToken = z.infer<typeof replySchema>
export type EditToken = z.infer<typeof editSchema>
export type Kept = z.infer<typeof keptSchema>
export type Token = z.infer<typeof tokenSchema>

export function parseToken(token: Json): Token {
  return parseWith(tokenSchema, token, 'token')
}
