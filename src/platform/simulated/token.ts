/**
 * Owns what a prepared write is made of. The ledger stores it as JSON and hands it back unchanged,
 * perhaps years later and to another version, so it is parsed like anything from outside.
 */

import { hash } from 'node:crypto'
import { z } from 'zod'
import { parseWith } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'
import type { WriteRequest } from '../platform.ts'
import { audiences } from './protocol.ts'

const extrasSchema = z.strictObject({
  media: z.array(z.string()),
  warning: z.string().nullable(),
  language: z.string().nullable(),
})

const replySchema = z.strictObject({
  kind: z.literal('reply'),
  action: z.enum(['comment', 'thread']),
  segment: z.int().min(0),
  parentId: z.string(),
  texts: z.array(z.string()).min(1),
  audience: z.enum(audiences),
  createdAt: z.number(),
  recordKeys: z.array(z.string()).nullable(),
  idempotencyKey: z.string().nullable(),
  /** The network's own time before it was sent; what it made cannot be older. */
  notBefore: z.number(),
})

const editSchema = z.strictObject({
  kind: z.literal('edit'),
  id: z.string(),
  text: z.string(),
  baseText: z.string(),
  baseVersion: z.string(),
  extras: extrasSchema,
})

const tokenSchema = z.discriminatedUnion('kind', [replySchema, editSchema])

export type ReplyToken = z.infer<typeof replySchema>
export type EditToken = z.infer<typeof editSchema>
export type Token = z.infer<typeof tokenSchema>

export function parseToken(token: Json): Token {
  return parseWith(tokenSchema, token, 'token')
}

/**
 * A key for each post that one call makes. It hangs on the moment of preparation, as a real one
 * does: who prepares again instead of using the stored token writes another record.
 */
export function recordKeysFor({ key, segment, texts, preparedAt }: WriteRequest): string[] {
  return texts.map((text, index) => {
    const content = JSON.stringify([key, segment + index, preparedAt, text])
    return hash('sha256', content, 'hex').slice(0, 26)
  })
}
