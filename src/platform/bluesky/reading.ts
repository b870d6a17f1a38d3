/** Owns what is read of an account: who it is, its posts, their counters and own replies. */

import { z } from 'zod'
import { hourMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { Interactions } from '../../core/sample.ts'
import type { Observation, OwnReply, Probed, RemotePost } from '../platform.ts'
import { parsePostUri, postUrl, readPostUri } from './at-uri.ts'
import type { PostName } from './at-uri.ts'
import { publishedAt, readOwnPosts } from './own-posts.ts'
import type { OwnPosts } from './own-posts.ts'
import type { Profile } from './profile.ts'
import { findPost, readViews } from './records.ts'
import type { PostView, StoredPost } from './records.ts'
import type { Session } from './session.ts'
import { timeOfKey } from './tid.ts'
import { query } from './xrpc.ts'

const sessionSchema = z.object({ did: z.string(), handle: z.string() })

export async function probe(session: Session): Promise<Probed> {
  const response = await session.call(query('com.atproto.server.getSession', {}))
  const { handle } = response.parse(sessionSchema)
  const profile: Profile = { did: session.did, pds: session.pds, edits: session.edits }
  return { handle, profile }
}

/** Replies are records of the same kind and are left out; reposts are records of another. */
export async function discover(session: Session, since: Instant): Promise<readonly RemotePost[]> {
  const { posts } = await readOwnPosts(session, since)
  const now = session.clock.now()
  return [...posts.values()]
    .flatMap((stored) => toRemotePost(stored, now))
    .filter((post) => post.publishedAt >= since)
    .toSorted((one, other) => other.publishedAt - one.publishedAt)
}

function toRemotePost(stored: StoredPost, now: Instant): readonly RemotePost[] {
  const { uri, cid, post } = stored
  const name = readPostUri(uri)
  const at = publishedAt(stored, now)
  if (name === null || at === null || post.reply !== undefined) return []
  const url = postUrl(name)
  return [{ remoteId: uri, url, text: post.text, contentVersion: cid, publishedAt: at }]
}

/**
 * Counters come from the app's index, everything else from the account's own server: the index
 * lags, and goes on showing the first version of a post that was edited.
 */
export async function observe(
  session: Session,
  remoteIds: readonly string[],
): Promise<readonly Observation[]> {
  const names = remoteIds.map((remoteId) => parsePostUri(remoteId, 'remoteIds'))
  const views = await readViews(session, remoteIds)
  const at = session.clock.now()
  const own = await readOwnPosts(session, oldest(names, at))
  const replies = ownReplies(own, at)
  const observations: Observation[] = []
  for (const [index, remoteId] of remoteIds.entries()) {
    const stored = await standing(session, own, remoteId, names[index])
    const view = views.get(remoteId)
    const observation =
      stored === null
        ? ({ kind: 'deleted', remoteId } as const)
        : (liveness(session, stored, view, at) ?? {
            kind: 'live',
            remoteId,
            sample: { at, impressions: null, ...countersOf(view) },
            text: stored.post.text,
            contentVersion: stored.cid,
            ownReplies: replies.get(remoteId) ?? [],
          })
    if (observation !== 'unread') observations.push(observation)
  }
  return observations
}

/** Nothing that replies to a post is older than the post. */
function oldest(names: readonly PostName[], now: Instant): Instant {
  return Math.min(now, ...names.map(({ rkey }) => timeOfKey(rkey, now) ?? now))
}

async function standing(
  session: Session,
  own: OwnPosts,
  uri: string,
  name: PostName | undefined,
): Promise<StoredPost | null> {
  const listed = own.posts.get(uri)
  if (listed !== undefined) return listed
  const isCovered = name !== undefined && name.did === session.did && own.covers(name.rkey)
  return isCovered ? null : findPost(session, uri)
}

/**
 * A post that stands on the server and is missing from the index was not indexed yet, or is kept
 * from readers. Only time can tell the two apart.
 */
const indexedWithinMs = 6 * hourMs
const hidingLabels: ReadonlySet<string> = new Set(['!hide', '!takedown'])

/** Null where the post is live. */
function liveness(
  session: Session,
  stored: StoredPost,
  view: PostView | undefined,
  now: Instant,
): (Observation & { readonly kind: 'restricted' | 'deleted' }) | 'unread' | null {
  const restricted = { kind: 'restricted', remoteId: stored.uri } as const
  if (view === undefined) {
    const at = publishedAt(stored, now) ?? now
    return now - at > indexedWithinMs ? restricted : 'unread'
  }
  const isHidden = (view.labels ?? []).some(
    ({ src, val, neg }) => hidingLabels.has(val) && neg !== true && src !== session.did,
  )
  return isHidden ? restricted : null
}

/** A counter that was not given stays absent. */
function countersOf(view: PostView | undefined): {
  readonly engagements: number
  readonly interactions: Interactions
} {
  const given: Record<string, number | undefined> = {
    likes: view?.likeCount,
    reposts: view?.repostCount,
    replies: view?.replyCount,
    quotes: view?.quoteCount,
    bookmarks: view?.bookmarkCount,
  }
  const interactions: Record<string, number> = {}
  let engagements = 0
  for (const [name, count] of Object.entries(given)) {
    if (count === undefined) continue
    interactions[name] = count
    engagements += count
  }
  return { engagements, interactions }
}

/** Replies of the account to its own posts, by the post that each hangs below. */
function ownReplies(own: OwnPosts, now: Instant): ReadonlyMap<string, readonly OwnReply[]> {
  const byParent = new Map<string, OwnReply[]>()
  for (const stored of own.posts.values()) {
    const parent = stored.post.reply?.parent.uri
    const at = publishedAt(stored, now)
    if (parent === undefined || at === null) continue
    const replies = byParent.get(parent) ?? []
    replies.push({ remoteId: stored.uri, at })
    byParent.set(parent, replies)
  }
  return byParent
}
