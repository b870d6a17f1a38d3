/**
 * Owns reading the account's own posts from its server, newest first. Unlike the app's index the
 * server never lags, shows every reply, and knows what was deleted.
 */

import { z } from 'zod'
import { hourMs } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'
import type { Instant } from '../../core/instant.ts'
import { postCollection, readPostUri } from './at-uri.ts'
import { recordSchema, toPost } from './records.ts'
import type { StoredPost } from './records.ts'
import type { Session } from './session.ts'
import { timeOfKey } from './tid.ts'
import { query } from './xrpc.ts'

const pageSize = 100
/** A thousand posts: more than anyone writes while a post is watched. */
const mostPages = 10

/** The clocks that make keys differ; a page more is cheaper than a post that is missed. */
const marginMs = hourMs

const pageSchema = z.object({ records: z.array(recordSchema), cursor: z.string().optional() })

export interface OwnPosts {
  readonly posts: ReadonlyMap<string, StoredPost>
  /** Whether a post with this key would have been among them. */
  covers(rkey: string): boolean
}

/** Reads back to a time. Keys sort by the time at which they were made. */
export async function readOwnPosts(session: Session, since: Instant): Promise<OwnPosts> {
  const posts = new Map<string, StoredPost>()
  const now = session.clock.now()
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const { records, cursor: next } = await readPage(session, cursor)
    for (const record of records) {
      const post = toPost(record)
      if (post !== null) posts.set(post.uri, post)
    }
    if (next === undefined || records.length === 0) return { posts, covers: () => true }
    cursor = next
    const reachedAt = timeOfKey(next, now)
    if (reachedAt !== null && reachedAt < since - marginMs) break
  }
  const last = cursor
  return { posts, covers: (rkey) => last === null || rkey >= last }
}

async function readPage(session: Session, cursor: string | null) {
  const response = await session.call(
    query('com.atproto.repo.listRecords', {
      repo: session.did,
      collection: postCollection,
      limit: String(pageSize),
      ...(cursor === null ? {} : { cursor }),
    }),
  )
  return response.parse(pageSchema)
}

/** As the author's program wrote it, which may be nonsense; then by its key, or null. */
export function publishedAt({ uri, post }: StoredPost, now: Instant): Instant | null {
  const rkey = readPostUri(uri)?.rkey ?? ''
  const written = readTime(post.createdAt) ?? timeOfKey(rkey, now)
  // The network, too, never shows a post as written in the future.
  return written === null ? null : Math.min(written, now)
}

function readTime(text: string): Instant | null {
  try {
    return parseInstant(text, 'createdAt')
  } catch {
    return null
  }
}
