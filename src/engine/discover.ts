/** Finds new posts on an account's own timeline and begins to watch them. */

import { toPostId } from '../core/ids.ts'
import type { AccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { AccountRow, PostRow } from '../ledger/rows.ts'
import type { RemotePost } from '../platform/platform.ts'
import { tryRead } from './faults.ts'
import type { Parts } from './parts.ts'

export async function discover(parts: Parts, id: AccountId): Promise<void> {
  const { ledger, settings } = parts
  const account = await ledger.getAccount(id)
  if (account === null || account.status !== 'active') return
  const now = await ledger.now()
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  const since = now - settings.discoverMs
  const posts = await tryRead(parts, account, (signal) =>
    platform.discover({ connection, signal, since }),
  )
  if (posts !== null) await ledger.trackPosts(posts.map((post) => toRow(parts, account, post, now)))
  await ledger.setDiscoverAt(id, now + settings.discoverEveryMs)
}

function toRow(parts: Parts, account: AccountRow, post: RemotePost, now: Instant): PostRow {
  return {
    id: toPostId(parts.random.id()),
    accountId: account.id,
    platform: account.platform,
    remoteId: post.remoteId,
    url: post.url,
    text: post.text,
    contentVersion: post.contentVersion,
    publishedAt: post.publishedAt,
    status: 'watched',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: now,
    trackedAt: now,
    closedAt: null,
  }
}
