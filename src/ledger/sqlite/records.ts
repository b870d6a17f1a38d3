/** Policies, accounts, posts and their readings: what is written without a step. */

import type { NewEvent } from '../../core/events.ts'
import type { AccountId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import type { Sample } from '../../core/sample.ts'
import type { AccountRow, OwnReplyRow, PostRow } from '../rows.ts'
import { trackedEvent } from '../steps/post.ts'
import type { PostSample } from '../store.ts'
import { insertInto, upsertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { ledgerError } from './errors.ts'
import { appendEvents } from './events.ts'
import { accounts, ownReplies, posts, samples } from './tables.ts'
import { readPost, sampleReader } from './views.ts'

export function savePolicy(connection: Connection, policy: Policy): 'saved' | 'known' | 'differs' {
  const text = JSON.stringify(policy)
  const stored = readPolicyText(connection, policyId(policy))
  if (stored !== null) return stored === text ? 'known' : 'differs'
  connection.run('INSERT INTO policies (id, body) VALUES (?, ?)', policyId(policy), text)
  return 'saved'
}

export function readPolicyText(connection: Connection, id: string): string | null {
  const found = connection.get('SELECT body FROM policies WHERE id = ?', id)
  return found === null ? null : String(found[0])
}

export function listPolicies(connection: Connection): readonly string[] {
  return connection.all('SELECT id FROM policies ORDER BY id').map(([id]) => String(id))
}

const upsertAccount = upsertInto(accounts, ['id'])

export function saveAccount(
  connection: Connection,
  account: AccountRow,
  events: readonly NewEvent[],
  now: Instant,
): void {
  connection.write(upsertAccount, account)
  appendEvents(connection, events, now)
}

export function setDiscoverAt(connection: Connection, id: AccountId, at: Instant | null): void {
  connection.run('UPDATE accounts SET discover_at = ? WHERE id = ?', at, id)
}

/** A post that is not watched is left alone. */
export function setNextCheckAt(connection: Connection, ids: readonly PostId[], at: Instant): void {
  const sql = `UPDATE posts SET next_check_at = ? WHERE id = ? AND status = 'watched'`
  for (const id of ids) connection.run(sql, at, id)
}

const insertPost = insertInto(posts)
const postByRemoteId = `SELECT ${posts.list} FROM posts WHERE account_id = ? AND remote_id = ?`

export function readByRemoteId(
  connection: Connection,
  accountId: AccountId,
  remoteId: string,
): PostRow | null {
  return connection.row(posts, postByRemoteId, accountId, remoteId)
}

export function trackPosts(
  connection: Connection,
  given: readonly PostRow[],
  now: Instant,
): readonly PostRow[] {
  return given.map((post) => {
    const known = readByRemoteId(connection, post.accountId, post.remoteId)
    if (known !== null) return known
    connection.write(insertPost, post)
    appendEvents(connection, [trackedEvent(post)], now)
    return post
  })
}

/** A post that the ledger knows already stays as it is. */
export function addPost(connection: Connection, post: PostRow): void {
  if (readPost(connection, post.id) === null) connection.write(insertPost, post)
}

const insertSample = `INSERT INTO samples (post, ${samples.list}) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (post, at) DO NOTHING`

export function recordSamples(connection: Connection, batch: readonly PostSample[]): number {
  const numbers = new Map<PostId, number>()
  let added = 0
  for (const { postId, sample } of batch) {
    const number = numbers.get(postId) ?? findPostNumber(connection, postId)
    numbers.set(postId, number)
    const { at, impressions, engagements, interactions } = sample
    const named = interactions === undefined ? null : JSON.stringify(interactions)
    added += connection.run(insertSample, number, at, impressions, engagements, named)
  }
  return added
}

function findPostNumber(connection: Connection, postId: PostId): number {
  const found = connection.get('SELECT number, shrunk FROM posts WHERE id = ?', postId)
  if (found === null) {
    throw ledgerError('conflict', connection.path, `Post ${postId} is not in it`)
  }
  const [number, shrunk] = found.map(Number) as [number, number]
  // There is something to shrink again.
  if (shrunk === 1) connection.run('UPDATE posts SET shrunk = 0 WHERE number = ?', number)
  return number
}

const samplesOfPost = `SELECT ${samples.list} FROM samples
  WHERE post = (SELECT number FROM posts WHERE id = ?) ORDER BY at`

export function listSamples(connection: Connection, postId: PostId): readonly Sample[] {
  return connection.rows(sampleReader, samplesOfPost, postId)
}

const upsertReply = upsertInto(ownReplies, ['postId', 'remoteId'])

export function recordOwnReplies(connection: Connection, replies: readonly OwnReplyRow[]): void {
  for (const reply of replies) connection.write(upsertReply, reply)
}
