/**
 * Owns what a prepared write is made of: the whole of each record, under a key chosen beforehand.
 * The ledger stores it and hands it back, perhaps to another version, so it is parsed like anything
 * from outside.
 */

import { z } from 'zod'
import { parseWith } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'
import { jsonObjectSchema } from './json-object.ts'

const replySchema = z.strictObject({
  kind: z.literal('reply'),
  did: z.string(),
  /** The post that is replied to; it has to stand when the reply is sent. */
  parentUri: z.string(),
  posts: z
    .array(z.strictObject({ rkey: z.string(), cid: z.string(), record: jsonObjectSchema }))
    .min(1),
})

const editSchema = z.strictObject({
  kind: z.literal('edit'),
  did: z.string(),
  rkey: z.string(),
  record: jsonObjectSchema,
  baseCid: z.string(),
  baseRecord: jsonObjectSchema,
})

const tokenSchema = z.discriminatedUnion('kind', [replySchema, editSchema])

export type ReplyToken = z.infer<typeof replySchema>
export type EditToken = z.infer<typeof editSchema>
export type Token = z.infer<typeof tokenSchema>

export function parseToken(token: Json): Token {
  return parseWith(tokenSchema, token, 'token')
}
