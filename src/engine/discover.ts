/**
 * Finds new posts on an account's own timeline and begins to watch them. Once a day it also asks
 * the connector what the account and its server can do.
 */

import { dayMs } from '../core/duration.ts'
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
  const connection = parts.connect(await probed(parts, account, now))
  const since = now - settings.discoverMs
  const posts = await tryRead(parts, account, (signal) =>
    platform.discover({ connection, signal, since }),
  )
  if (posts !== null) await ledger.trackPosts(posts.map((post) => toRow(parts, account, post, now)))
  await ledger.setDiscoverAt(id, now + settings.discoverEveryMs)
}

/** What a server can do changes with its version, and an account's handle may change too. */
const probeEveryMs = dayMs

/** When each account was probed; an item whose time is over is gone, and it is probed again. */
const probes = 'probes'

/** The account with what is known of it. What cannot be read now is read with the next timeline. */
async function probed(parts: Parts, account: AccountRow, now: Instant): Promise<AccountRow> {
  const { ledger } = parts
  const last = await ledger.getItem(probes, account.id)
  if (account.profile !== null && last !== null) return account
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  const found = await tryRead(parts, account, (signal) => platform.probe({ connection, signal }))
  if (found === null) return account
  const { handle, profile } = found
  await ledger.setProfile(account.id, handle, profile)
  await ledger.putItem(probes, account.id, { at: now }, last?.version ?? null, now + probeEveryMs)
  return { ...account, handle, profile }
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
