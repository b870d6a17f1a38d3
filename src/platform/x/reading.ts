/** Owns reading the account's timeline and the counters of its posts. */

import { dayMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { Sample } from '../../core/sample.ts'
import type { Observation, OwnReply, RemotePost } from '../platform.ts'
import { newestId, urlOf } from './api.ts'
import type { Api, Found } from './api.ts'
import type { Profile } from './profile.ts'
import { textOf } from './text.ts'
import type { Tweet } from './wire.ts'

/** X gives the last 800 posts of an account when replies are left out. */
const timelinePages = 8

/** Own replies are counted in the last hours; those before were seen by earlier reads. */
const replyPages = 2
const replyMs = dayMs

export async function discoverPosts(
  api: Api,
  { userId, username }: Profile,
  since: Instant,
): Promise<readonly RemotePost[]> {
  const { found } = await api.listOwn(userId, { since, withReplies: false, pages: timelinePages })
  return found
    .filter((tweet) => parentOf(tweet) === null && tweet.created_at >= since)
    .map((tweet) => ({
      remoteId: tweet.id,
      url: urlOf(username, tweet.id),
      text: textOf(tweet),
      contentVersion: newestId(tweet),
      publishedAt: tweet.created_at,
    }))
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
}

/** Where X does not say, there may be some. */
export function hasReplies({ public_metrics: metrics }: Tweet): boolean {
  return metrics?.reply_count !== 0
}

/** The post that this one replies to, or null. */
export function parentOf({ referenced_tweets: referenced = [] }: Tweet): string | null {
  return referenced.find(({ type }) => type === 'replied_to')?.id ?? null
}

export async function observePosts(
  api: Api,
  { userId }: Profile,
  remoteIds: readonly string[],
  now: Instant,
): Promise<readonly Observation[]> {
  const found = await api.readMany(remoteIds)
  const versions = await readVersions(api, found)
  const live = [...found.values()].flatMap((each) => (each.kind === 'live' ? [each.tweet] : []))
  const replies = await listReplies(api, userId, live, now)
  const observations: Observation[] = []
  for (const remoteId of remoteIds) {
    const each = found.get(remoteId)
    if (each === undefined) continue
    if (each.kind !== 'live') observations.push({ kind: each.kind, remoteId })
    else observations.push(toObservation(remoteId, each.tweet, versions, replies, now))
  }
  return observations
}

/** Every edit makes another post with counters of its own: all of them are the post's. */
async function readVersions(
  api: Api,
  found: ReadonlyMap<string, Found>,
): Promise<ReadonlyMap<string, Tweet>> {
  const known = new Map<string, Tweet>()
  for (const [id, each] of found) if (each.kind === 'live') known.set(id, each.tweet)
  const ids = [...known.values()].flatMap((tweet) => tweet.edit_history_tweet_ids)
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  for (const [id, each] of await api.readMany(missing)) {
    if (each.kind === 'live') known.set(id, each.tweet)
  }
  return known
}

/** X charges for what is read, so nothing is read where nobody has replied. */
async function listReplies(
  api: Api,
  userId: string,
  posts: readonly Tweet[],
  now: Instant,
): Promise<readonly Tweet[]> {
  const answered = posts.filter(hasReplies)
  if (answered.length === 0) return []
  const oldest = Math.min(...answered.map((tweet) => tweet.created_at))
  const since = Math.max(oldest, now - replyMs)
  return (await api.listOwn(userId, { since, withReplies: true, pages: replyPages })).found
}

function toObservation(
  remoteId: string,
  tweet: Tweet,
  versions: ReadonlyMap<string, Tweet>,
  replies: readonly Tweet[],
  at: Instant,
): Observation {
  const ids = tweet.edit_history_tweet_ids
  const shown = versions.get(newestId(tweet)) ?? tweet
  const all = ids.flatMap((id) => versions.get(id) ?? [])
  return {
    kind: 'live',
    remoteId,
    sample: sampleOf(all.length === 0 ? [tweet] : all, at),
    text: textOf(shown),
    contentVersion: newestId(tweet),
    ownReplies: repliesTo(ids, replies),
  }
}

function repliesTo(ids: readonly string[], tweets: readonly Tweet[]): readonly OwnReply[] {
  return tweets
    .filter((tweet) => ids.includes(parentOf(tweet) ?? ''))
    .map((tweet) => ({ remoteId: tweet.id, at: tweet.created_at }))
    .toSorted((a, b) => a.at - b.at)
}

const counters = {
  replies: 'reply_count',
  reposts: 'retweet_count',
  likes: 'like_count',
  quotes: 'quote_count',
  bookmarks: 'bookmark_count',
} as const

function sampleOf(versions: readonly Tweet[], at: Instant): Sample {
  const interactions: Record<string, number> = {}
  let engagements = 0
  for (const [name, field] of Object.entries(counters)) {
    const count = sum(versions.map(({ public_metrics: metrics }) => metrics?.[field]))
    if (count === null) continue
    interactions[name] = count
    engagements += count
  }
  const shown = versions.map(({ public_metrics: metrics }) => metrics?.impression_count)
  return { at, impressions: sum(shown), engagements, interactions }
}

/** Null where none of them is known. */
function sum(counts: readonly (number | undefined)[]): number | null {
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0)
}
