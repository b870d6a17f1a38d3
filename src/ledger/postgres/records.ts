/** Owns accounts, policies, posts and their readings in Postgres. */

import type { NewEvent } from '../../core/events.ts'
import type { AccountId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import type { Sample } from '../../core/sample.ts'
import { LedgerError } from '../ledger-error.ts'
import type { AccountRow, OwnReplyRow, PostRow } from '../rows.ts'
import { trackedEvent } from '../steps/post.ts'
import type { PostSample } from '../store.ts'
import type { AccountView } from '../views.ts'
import { arraysOf, insertRows, readRow, toArray, upsertRows } from './columns.ts'
import type { SentRow } from './columns.ts'
import { eventsFrom, eventValues } from './events.ts'
import { call, firstOf, jsonOf } from './operation.ts'
import type { Operation } from './operation.ts'
import type { QueryResult } from './pg.ts'
import { accountTable, ownReplyTable, postTable } from './tables.ts'
import type { Taken } from './task.ts'
import type { Transactions } from './transactions.ts'
import { toSample } from './views.ts'
import type { SentSample } from './views.ts'
import { writeChanges, writeEvents } from './write-changes.ts'

const insertPolicy: Operation = {
  name: 'insert_policy',
  text: (s) => `insert into ${s}.policies (id, body) values ($1, $2::json) on conflict do nothing`,
}

const isSamePolicy: Operation<boolean> = {
  name: 'is_same_policy',
  text: (s) => `select to_json(body::text = $2::text) from ${s}.policies where id = $1`,
}

/** The type json keeps the text as it is, so that equal texts are equal policies. */
export async function savePolicy(db: Transactions, policy: Policy) {
  const values = [policyId(policy), JSON.stringify(policy)]
  const [inserted, same] = (await db.write(
    call(insertPolicy, ...values),
    call(isSamePolicy, ...values),
  )) as [QueryResult, QueryResult]
  if (inserted.rowCount === 1) return 'saved'
  return firstOf(isSamePolicy, same) === true ? 'known' : 'differs'
}

const readPolicy: Operation<Policy> = {
  name: 'read_policy',
  text: (s) => `select body from ${s}.policies where id = $1`,
}

export async function getPolicy(db: Transactions, id: string): Promise<Policy | null> {
  return (await db.read(readPolicy, id))[0] ?? null
}

const allPolicies: Operation<string> = {
  name: 'all_policies',
  text: (s) => `select to_json(id) from ${s}.policies order by id`,
}

export function listPolicies(db: Transactions): Promise<readonly string[]> {
  return db.read(allPolicies)
}

const upsertAccount: Operation = {
  name: 'upsert_account',
  text: (s) => upsertRows(s, accountTable, 'id', 1),
}

export async function saveAccount(
  db: Transactions,
  account: AccountRow,
  events: readonly NewEvent[],
  eventOffset: string,
): Promise<void> {
  const upsert = call(upsertAccount, ...arraysOf(accountTable, [account]))
  await db.write(upsert, ...writeEvents(events, eventOffset))
}

const lockAccount: Operation = {
  name: 'lock_account',
  text: (s) => `select from ${s}.accounts where id = $1 for no key update`,
}

/** A statement of its own: it sees what those wrote whom the lock was waited for. */
const readLocked: Operation<readonly [Instant, SentRow]> = {
  name: 'read_locked_account',
  text: (s) => `select json_build_array(${s}.ledger_now($2), row_to_json(t))
    from ${s}.accounts t where id = $1`,
}

export function withAccount<R>(
  db: Transactions,
  id: AccountId,
  given: Instant | null,
  eventOffset: string,
  take: (view: AccountView) => Taken<R>,
): Promise<R | null> {
  return db.exchange<R | null>([call(lockAccount, id), call(readLocked, id, given)], ([, read]) => {
    const sent = firstOf(readLocked, read as QueryResult)
    if (sent === null) return { result: null, writes: [] }
    const [now, row] = sent
    const taken = take({ now, account: readRow(accountTable, row) })
    return { result: taken.result, writes: writeChanges([taken], eventOffset) }
  })
}

const updateDiscoverAt: Operation = {
  name: 'update_discover_at',
  text: (s) => `update ${s}.accounts set discover_at = $2::float8 where id = $1`,
}

export async function setDiscoverAt(db: Transactions, id: AccountId, at: Instant | null) {
  await db.write(call(updateDiscoverAt, id, at))
}

/** Says of each post that is new that it is tracked now. */
const insertPosts: Operation = {
  name: 'insert_posts',
  text: (s) => `
    with added as (
      ${insertRows(s, postTable, 1)}
      on conflict (account_id, remote_id) do nothing returning id)
    ${eventsFrom(s, 1 + postTable.columns.length)}
    where v.post_id in (select id from added) order by v.ordinality`,
}

const readTracked: Operation<SentRow> = {
  name: 'read_tracked',
  text: (s) => `select row_to_json(p)
    from unnest($1::text[], $2::text[]) with ordinality as v (account_id, remote_id, ordinality)
    join ${s}.posts p on p.account_id = v.account_id and p.remote_id = v.remote_id
    order by v.ordinality`,
}

export async function trackPosts(
  db: Transactions,
  posts: readonly PostRow[],
  eventOffset: string,
): Promise<readonly PostRow[]> {
  if (posts.length === 0) return []
  const events = eventValues(posts.map(trackedEvent), eventOffset)
  const accountIds = toArray(posts.map(({ accountId }) => accountId))
  const remoteIds = toArray(posts.map(({ remoteId }) => remoteId))
  const [, stored] = (await db.write(
    call(insertPosts, ...arraysOf(postTable, posts), ...events),
    call(readTracked, accountIds, remoteIds),
  )) as [QueryResult, QueryResult]
  return jsonOf(readTracked, stored).map((row) => readRow(postTable, row))
}

/** The rows are locked in the order of their ids, so that two callers cannot lock each other up. */
const updateNextCheckAt: Operation = {
  name: 'update_next_check_at',
  text: (s) => `
    with chosen as materialized (
      select id from ${s}.posts where id = any($1::text[]) and status = 'watched'
      order by id for no key update)
    update ${s}.posts set next_check_at = $2::float8 where id in (select id from chosen)`,
}

export async function setNextCheckAt(db: Transactions, ids: readonly PostId[], at: Instant) {
  await db.write(call(updateNextCheckAt, toArray(ids), at))
}

/**
 * Inserts nothing where a post is not known. A reading of a post that was shrunk already makes it
 * one to shrink again.
 */
export const insertSamples: Operation<readonly [added: number, missing: string | null]> = {
  name: 'insert_samples',
  text: (s) => `
    with given as materialized (
      select g.*, p.id as known, p.raw_from
      from unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::text[])
        as g (post_id, at, impressions, engagements, interactions)
      left join ${s}.posts p on p.id = g.post_id),
    missing as materialized (select post_id from given where known is null limit 1),
    added as (
      insert into ${s}.samples (post_id, at, impressions, engagements, interactions)
      select post_id, at, impressions, engagements, interactions::json from given
      where not exists (select from missing) on conflict do nothing returning post_id),
    unshrunk as (
      update ${s}.posts set raw_from = 0
      where id in (select post_id from given where raw_from is distinct from 0)
        and id in (select post_id from added))
    select json_build_array((select count(*) from added), (select post_id from missing))`,
}

export async function recordSamples(
  db: Transactions,
  batch: readonly PostSample[],
): Promise<number> {
  if (batch.length === 0) return 0
  // In one order, so that two that bring the same readings cannot lock each other up.
  const sorted = batch.toSorted(
    (a, b) => (a.postId < b.postId ? -1 : a.postId > b.postId ? 1 : 0) || a.sample.at - b.sample.at,
  )
  const [result] = (await db.write(
    call(
      insertSamples,
      toArray(sorted.map(({ postId }) => postId)),
      toArray(sorted.map(({ sample }) => sample.at)),
      toArray(sorted.map(({ sample }) => sample.impressions)),
      toArray(sorted.map(({ sample }) => sample.engagements)),
      toArray(sorted.map(({ sample }) => toText(sample.interactions))),
    ),
  )) as [QueryResult]
  const [added, missing] = firstOf(insertSamples, result) ?? [0, null]
  if (missing === null) return added
  throw new LedgerError(
    'conflict',
    `Post ${missing} is not in the ledger. Nothing of the batch was written. Track it first.`,
  )
}

function toText(interactions: Sample['interactions']): string | null {
  return interactions === undefined ? null : JSON.stringify(interactions)
}

const readSamples: Operation<SentSample> = {
  name: 'read_samples',
  text: (s) => `select json_build_array(at, impressions, engagements, interactions)
    from ${s}.samples where post_id = $1 order by at`,
}

export async function listSamples(db: Transactions, postId: PostId): Promise<readonly Sample[]> {
  return (await db.read(readSamples, postId)).map(toSample)
}

const upsertOwnReplies: Operation = {
  name: 'upsert_own_replies',
  text: (s) => upsertRows(s, ownReplyTable, 'post_id, remote_id', 1),
}

export async function recordOwnReplies(db: Transactions, replies: readonly OwnReplyRow[]) {
  // One statement cannot write a row twice; of several words about a reply the last counts.
  const last = new Map(
    replies.map((reply) => [JSON.stringify([reply.postId, reply.remoteId]), reply]),
  )
  if (last.size === 0) return
  await db.write(call(upsertOwnReplies, ...arraysOf(ownReplyTable, [...last.values()])))
}
