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
  /** Replies to the same post with the same text that were there before; they are not ours. */
  known: z.array(z.string()),
  /** The post's own time: a reply is younger. */
  notBefore: z.number(),
})

const editSchema = z.strictObject({
  kind: z.literal('edit'),
  /** The version that is edited. Every edit makes a new one. */
  id: z.string(),
  text: z.string(),
})

const tokenSchema = z.discriminatedUnion('kind', [replySchema, editSchema])

export type ReplyToken = z.infer<typeof replySchema>
export type EditToken = z.infer<typeof editSchema>
export type Token = z.infer<typeof tokenSchema>

export function parseToken(token: Json): Token {
  return parseWith(tokenSchema, token, 'token')
}
