/**
 * Reads the posts of one account that are due, in batches as large as the network allows, and
 * stores every reading, unchanged ones too: a stalled post is one that does not change.
 */

import type { PostId } from '../core/ids.ts'
import type { AccountRow, PostRow } from '../ledger/rows.ts'
import type { Observation } from '../platform/platform.ts'
import { tryRead } from './faults.ts'
import { landedIds } from './outcome.ts'
import type { Parts } from './parts.ts'

/** Returns the posts that were read and are live. */
export async function observe(
  parts: Parts,
  account: AccountRow,
  posts: readonly PostRow[],
): Promise<readonly PostRow[]> {
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  const size = platform.describe(connection).observeBatch
  const live: PostRow[] = []
  for (let start = 0; start < posts.length; start += size) {
    const batch = posts.slice(start, start + size)
    const remoteIds = batch.map(({ remoteId }) => remoteId)
    const observations = await tryRead(parts, account, (signal) =>
      platform.observe({ connection, signal, remoteIds }),
    )
    if (observations === null) return live
    live.push(...(await store(parts, batch, observations)))
  }
  return live
}

async function store(
  parts: Parts,
  posts: readonly PostRow[],
  observations: readonly Observation[],
): Promise<readonly PostRow[]> {
  const seen = new Map(observations.map((observation) => [observation.remoteId, observation]))
  const live: PostRow[] = []
  const samples = []
  for (const post of posts) {
    const observation = seen.get(post.remoteId)
    if (observation === undefined) continue
    if (observation.kind !== 'live') {
      await parts.ledger.closePost(post.id, 'gone')
      continue
    }
    live.push(post)
    samples.push({ postId: post.id, sample: observation.sample })
    await storeForeignReplies(parts, post, observation)
  }
  await parts.ledger.recordSamples(samples)
  return live
}

/** Replies that we did not make are the owner's own doing; they count in window and cooldown. */
async function storeForeignReplies(
  parts: Parts,
  post: PostRow,
  { ownReplies }: Observation & { kind: 'live' },
): Promise<void> {
  if (ownReplies.length === 0) return
  const ours = await listOurRemoteIds(parts, post.id)
  const foreign = ownReplies
    .filter(({ remoteId }) => !ours.has(remoteId))
    .map(({ remoteId, at }) => ({ postId: post.id, remoteId, at }))
  if (foreign.length > 0) await parts.ledger.recordOwnReplies(foreign)
}

/** What we made on this post, by the ids that the network gave it. */
async function listOurRemoteIds(parts: Parts, postId: PostId): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const row of await parts.ledger.listActions({ postId }, { after: null, limit: 100 })) {
    // What was never sent has no ids.
    if (row.attempts === 0) continue
    for (const id of landedIds(row.outcome)) ids.add(id)
    for (const { remoteId } of await parts.ledger.listAttempts(row.id)) {
      if (remoteId !== null) ids.add(remoteId)
    }
  }
  return ids
}
