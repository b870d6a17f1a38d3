/** Owns what calls and answers look like as JSON, so that each side parses what the other sent. */

import { z } from 'zod'
import { actions } from '../../core/action.ts'
import type { ActionKey } from '../../core/ids.ts'
import { audiences, refusalCodes } from './protocol.ts'
import type { AnswerData, Call, CallKind } from './protocol.ts'

const instant = z.number()
const text = z.string()
const extras = z.object({
  media: z.array(text),
  warning: text.nullable(),
  language: text.nullable(),
})
const audit = z.object({
  key: text.transform((key) => key as ActionKey),
  action: z.enum(actions),
  segment: z.int().min(0),
})

export const callSchema: z.ZodType<Call> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('timeline'), since: instant }),
  z.object({ kind: z.literal('counters'), ids: z.array(text) }),
  z.object({ kind: z.literal('post'), id: text }),
  z.object({ kind: z.literal('replies'), parentId: text, since: instant }),
  z.object({ kind: z.literal('records'), keys: z.array(text) }),
  z.object({
    kind: z.literal('create'),
    parentId: text,
    texts: z.array(text),
    audience: z.enum(audiences),
    createdAt: instant,
    recordKeys: z.array(text).nullable(),
    idempotencyKey: text.nullable(),
    audit,
  }),
  z.object({
    kind: z.literal('edit'),
    id: text,
    text,
    extras,
    ifVersion: text.nullable(),
    audit: audit.nullable(),
  }),
  z.object({ kind: z.literal('remove'), id: text }),
])

const count = z.number().min(0)
const gone = z.enum(['deleted', 'restricted'])
const reply = z.object({ id: text, url: text, text, at: instant })

const answerSchemas: { readonly [Kind in CallKind]: z.ZodType<AnswerData[Kind]> } = {
  timeline: z.array(z.object({ id: text, url: text, text, version: text.nullable(), at: instant })),
  counters: z.array(
    z.union([
      z.object({ state: gone, id: text }),
      z.object({
        state: z.literal('live'),
        id: text,
        impressions: count.nullable(),
        engagements: count,
        interactions: z.record(text, count),
        text: text.nullable(),
        version: text.nullable(),
        ownReplies: z.array(z.object({ remoteId: text, at: instant })),
      }),
    ]),
  ),
  post: z.union([
    z.object({ state: gone }),
    z.object({
      state: z.literal('live'),
      currentId: text,
      url: text,
      text: text.nullable(),
      version: text.nullable(),
      audience: z.enum(audiences),
      extras,
      at: instant,
    }),
  ]),
  replies: z.array(reply),
  records: z.array(reply),
  create: z.object({ ids: z.array(text).min(1), url: text }),
  edit: z.object({ id: text, url: text, version: text }),
  remove: z.object({ removed: z.boolean() }),
}

const envelopeSchema = z.object({ at: instant, data: z.unknown() })

/** The body of an answer to a call of the given kind, or null where it makes no sense. */
export function parseAnswer<Kind extends CallKind>(kind: Kind, body: unknown) {
  const envelope = envelopeSchema.safeParse(body)
  if (!envelope.success) return null
  const schema = answerSchemas[kind] as z.ZodType<AnswerData[Kind]>
  const data = schema.safeParse(envelope.data.data)
  return data.success ? { at: envelope.data.at, data: data.data } : null
}

const refusalSchema = z.object({ code: z.enum(refusalCodes) })

/** What the server called the reason, where it did. */
export function parseRefusal(body: unknown) {
  const parsed = refusalSchema.safeParse(body)
  return parsed.success ? parsed.data.code : null
}

/** Each kind of call has a path of its own. */
export const callPath = '/calls/'
/** Names the account that calls. */
export const accountHeader = 'x-account'
