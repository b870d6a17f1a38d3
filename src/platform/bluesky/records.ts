/**
 * Owns what is read of records: the account's own, as its server has them, and counters, as the
 * app's index gives them. Whatever else a record holds is kept as it is.
 */

import { z } from 'zod'
import { AnswerError, requireOk } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { parsePostUri, postCollection } from './at-uri.ts'
import { jsonObjectSchema } from './json-object.ts'
import type { JsonObject } from './json-object.ts'
import type { Session } from './session.ts'
import { errorNameOf, query } from './xrpc.ts'

/** Names a version of a record. */
const referenceSchema = z.object({ uri: z.string(), cid: z.string() })
export type Reference = z.infer<typeof referenceSchema>

const postSchema = z.object({
  text: z.string(),
  createdAt: z.string(),
  reply: z.object({ root: referenceSchema, parent: referenceSchema }).optional(),
  langs: z.array(z.string()).optional(),
})
export type Post = z.infer<typeof postSchema>

/** A record as it stands, with the part of it that we understand. */
export interface StoredPost {
  readonly uri: string
  readonly cid: string
  readonly value: JsonObject
  readonly post: Post
}

export const recordSchema = z.object({
  uri: z.string(),
  cid: z.string(),
  value: jsonObjectSchema,
})
export type StoredRecord = z.infer<typeof recordSchema>

/** Null for a record that is no post, which any program may have written. */
export function toPost({ uri, cid, value }: StoredRecord): StoredPost | null {
  const parsed = postSchema.safeParse(value)
  return parsed.success ? { uri, cid, value, post: parsed.data } : null
}

/** Null where the server says that there is none. Anything else that is not an answer throws. */
export async function findRecord(
  session: Session,
  name: { readonly did: string; readonly collection: string; readonly rkey: string },
): Promise<StoredRecord | null> {
  const { did: repo, collection, rkey } = name
  const method = 'com.atproto.repo.getRecord'
  const response = await session.ask(query(method, { repo, collection, rkey }))
  return isMissing(response) ? null : requireOk(response).parse(recordSchema)
}

function isMissing(response: GuardedResponse): boolean {
  const isRefused = response.status === 400 || response.status === 404
  return isRefused && errorNameOf(response) === 'RecordNotFound'
}

/** Null where it is gone; throws where what stands there is no post. */
export async function findPost(session: Session, uri: string): Promise<StoredPost | null> {
  const { did, rkey } = parsePostUri(uri, 'remoteId')
  const record = await findRecord(session, { did, collection: postCollection, rkey })
  return record === null ? null : (toPost(record) ?? notAPost(uri))
}

function notAPost(uri: string): never {
  throw new Error(`The record ${uri} is not a post`)
}

const counter = z.int().nonnegative().optional()

const viewSchema = z.object({
  uri: z.string(),
  likeCount: counter,
  repostCount: counter,
  replyCount: counter,
  quoteCount: counter,
  bookmarkCount: counter,
  labels: z
    .array(z.object({ src: z.string(), val: z.string(), neg: z.boolean().optional() }))
    .optional(),
  threadgate: z
    .object({ record: z.object({ allow: z.array(z.json()).optional() }).optional() })
    .optional(),
  viewer: z.object({ replyDisabled: z.boolean().optional() }).optional(),
})
export type PostView = z.infer<typeof viewSchema>

const viewsSchema = z.object({ posts: z.array(viewSchema) })

/** Posts as the app shows them, by URI. One that it does not show is missing. */
export async function readViews(
  session: Session,
  uris: readonly string[],
): Promise<ReadonlyMap<string, PostView>> {
  if (uris.length === 0) return new Map()
  const response = await session.call(query('app.bsky.feed.getPosts', { uris }))
  return new Map(response.parse(viewsSchema).posts.map((view) => [view.uri, view]))
}

const identitySchema = z.object({ did: z.string().regex(/^did:/) })

/** Null where nobody has the handle. */
export async function findDid(session: Session, handle: string): Promise<string | null> {
  const response = await session.ask(query('com.atproto.identity.resolveHandle', { handle }))
  if (response.ok) return response.parse(identitySchema).did
  const name = errorNameOf(response)
  if (response.status === 400 && (name === 'HandleNotFound' || name === 'InvalidRequest')) {
    return null
  }
  throw new AnswerError(response)
}
