/** Owns reading the account's timeline and the counters of its posts. */

import type { Instant } from '../../core/instant.ts'
import type { Interactions } from '../../core/sample.ts'
import type { Observation, OwnReply, RemotePost } from '../platform.ts'
import { textOf, versionOf } from './api.ts'
import type { Api } from './api.ts'
import { lastingId } from './ids.ts'
import type { Profile } from './profile.ts'
import type { Status } from './wire.ts'

/** 400 posts in three days are more than anyone writes. */
const timelinePages = 10

/** Own replies are counted in the last hours; those before were seen by earlier reads. */
const replyPages = 3

export async function discoverPosts(
  api: Api,
  { accountId }: Profile,
  since: Instant,
): Promise<readonly RemotePost[]> {
  const options = { since, withReplies: false, pages: timelinePages }
  const { found } = await api.listOwn(accountId, options)
  return found
    .filter(isPost)
    .map((status) => ({
      remoteId: status.id,
      url: status.url ?? null,
      text: textOf(status),
      contentVersion: versionOf(status),
      publishedAt: status.created_at,
    }))
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
}

/** Servers count a reply to oneself as a post; a message to someone is not one either. */
function isPost(status: Status): boolean {
  const isReply = (status.in_reply_to_id ?? null) !== null
  return !isReply && (status.reblog ?? null) === null && status.visibility !== 'direct'
}

export async function observePosts(
  api: Api,
  profile: Profile,
  remoteIds: readonly string[],
  now: Instant,
): Promise<readonly Observation[]> {
  const statuses = await readAll(api, profile, remoteIds)
  const live = [...statuses.values()].filter((status) => status !== null)
  const replies = live.length === 0 ? [] : await listReplies(api, profile, live)
  return remoteIds.map((remoteId): Observation => {
    const status = statuses.get(remoteId) ?? null
    if (status === null) return { kind: 'deleted', remoteId }
    return {
      kind: 'live',
      remoteId,
      sample: { at: now, impressions: null, ...countersOf(status) },
      text: textOf(status),
      contentVersion: versionOf(status),
      ownReplies: repliesTo(profile, status.id, replies),
    }
  })
}

/** By the ids they were asked by; null where a post is gone. */
async function readAll(
  api: Api,
  { canReadMany }: Profile,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Status | null>> {
  const many = canReadMany ? await api.readMany(ids) : []
  const known = new Map(many.map((status) => [status.id, status]))
  const found = new Map<string, Status | null>()
  for (const id of ids) {
    // One that is missing from many may be so for other reasons; asked for alone it is told.
    found.set(id, known.get(id) ?? (await api.readStatus(id))?.status ?? null)
  }
  return found
}

async function listReplies(
  api: Api,
  { accountId }: Profile,
  posts: readonly Status[],
): Promise<readonly Status[]> {
  const since = Math.min(...posts.map((status) => status.created_at))
  const options = { since, withReplies: true, pages: replyPages }
  return (await api.listOwn(accountId, options)).found
}

function repliesTo(profile: Profile, id: string, statuses: readonly Status[]): readonly OwnReply[] {
  const parent = lastingId(profile, id)
  return statuses
    .filter((status) => lastingId(profile, status.in_reply_to_id ?? '') === parent)
    .map((status) => ({ remoteId: status.id, at: status.created_at }))
}

/** Each that the server gives, and their sum. */
function countersOf(status: Status): {
  readonly engagements: number
  readonly interactions: Interactions
} {
  const given = {
    replies: status.replies_count,
    reposts: status.reblogs_count,
    likes: status.favourites_count,
    quotes: status.quotes_count,
  }
  const interactions: Record<string, number> = {}
  let engagements = 0
  for (const [name, count] of Object.entries(given)) {
    if (typeof count !== 'number') continue
    interactions[name] = count
    engagements += count
  }
  return { engagements, interactions }
}
