/**
 * Reads the posts of one account that are due, in batches as large as the network allows, and
 * stores every reading, unchanged ones too: a stalled post is one that does not change.
 */

import { minuteMs } from '../core/duration.ts'
import type { PostId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { AccountRow, ActionRow, AttemptRow, PostRow } from '../ledger/rows.ts'
import { saysSame } from '../ledger/steps/post.ts'
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
    live.push(await takeOver(parts, post, observation))
    samples.push({ postId: post.id, sample: observation.sample })
    await storeForeignReplies(parts, post, observation)
  }
  await parts.ledger.recordSamples(samples)
  return live
}

/** The owner may have changed the post; what is said next is about what stands there now. */
async function takeOver(
  { ledger }: Parts,
  post: PostRow,
  { text, contentVersion }: Observation & { kind: 'live' },
): Promise<PostRow> {
  const seen = { text, contentVersion }
  return saysSame(post, seen) ? post : ((await ledger.recordContent(post.id, seen)) ?? post)
}

/**
 * Replies that we did not make are the owner's own doing; they count in window and cooldown. While
 * nobody knows whether a send of ours landed, a reply from after it may be that one: it is counted
 * when that is known. Until then the open action keeps every other one from beginning.
 */
async function storeForeignReplies(
  parts: Parts,
  post: PostRow,
  { ownReplies }: Observation & { kind: 'live' },
): Promise<void> {
  if (ownReplies.length === 0) return
  const { remoteIds, unclear } = await listOurs(parts, post.id)
  const mayBeOurs = (at: Instant) => unclear.some(({ from, to }) => at >= from && at <= to)
  const foreign = ownReplies
    .filter(({ remoteId, at }) => !remoteIds.has(remoteId) && !mayBeOurs(at))
    .map(({ remoteId, at }) => ({ postId: post.id, remoteId, at }))
  if (foreign.length > 0) await parts.ledger.recordOwnReplies(foreign)
}

/** A network's clock is not ours: what it dates a little earlier may still be our send. */
const clockToleranceMs = 5 * minuteMs

interface Ours {
  /** What we made on this post, by the ids that the network gave it. */
  readonly remoteIds: ReadonlySet<string>
  /** When something of ours may have been made of which the id is not known. */
  readonly unclear: readonly { readonly from: Instant; readonly to: Instant }[]
}

async function listOurs({ ledger, settings }: Parts, postId: PostId): Promise<Ours> {
  const remoteIds = new Set<string>()
  const unclear: Ours['unclear'][number][] = []
  for (const row of await ledger.listActions({ postId }, { after: null, limit: 100 })) {
    // What was never sent has no ids.
    if (row.attempts === 0) continue
    for (const id of landedIds(row.outcome)) remoteIds.add(id)
    for (const { remoteId, result, startedAt, deadlineAt } of await ledger.listAttempts(row.id)) {
      if (remoteId !== null) remoteIds.add(remoteId)
      else if (mayBeOut(row, result)) {
        const to = deadlineAt + settings.notFoundProvesMs
        unclear.push({ from: startedAt - clockToleranceMs, to })
      }
    }
  }
  return { remoteIds, unclear }
}

/** Where the row failed, someone has made sure that nothing of it is out. */
function mayBeOut({ action, state, undoes }: ActionRow, result: AttemptRow['result']): boolean {
  if (action === 'edit' || undoes !== null || state === 'failed') return false
  return result === 'pending' || result === 'unknown'
}
