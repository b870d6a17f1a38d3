/**
 * Owns how long readings are kept in Postgres, and in which blocks; see migration 8. Of a block
 * that is wholly old enough, what has to stay is put in its place. Single rows are deleted only
 * where a block was shrunk before: of posts that were still watched then, and readings that came
 * late. So a reading stays until its block is old enough, up to 28 days longer than it would have
 * to.
 */

import type { Instant } from '../../core/instant.ts'
import { LedgerError } from '../ledger-error.ts'
import { toArray } from './columns.ts'
import { call, firstOf } from './operation.ts'
import type { Operation } from './operation.ts'
import type { QueryResult } from './pg.ts'
import type { Transactions } from './transactions.ts'

const makeSampleBlocks: Operation<number> = {
  name: 'make_sample_blocks',
  text: (s) => `select to_json(${s}.make_sample_blocks($1))`,
}

/** Makes the block of the ledger's time and the next, unless they are there. */
export async function makeBlocks(db: Transactions, given: Instant | null): Promise<void> {
  await unlessBusy(() => db.write(call(makeSampleBlocks, given)))
}

/**
 * Null where someone reads for long, as a backup does. Then the blocks stay as they are until the
 * next time; readings find a place without.
 */
async function unlessBusy<R>(work: () => Promise<R>): Promise<R | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LedgerError && error.kind === 'busy') return null
    throw error
  }
}

/** Copying what stays of a large block may take minutes. */
const takeTime: Operation = {
  name: 'take_time',
  text: () => 'set local statement_timeout = 0',
}

const shrinkSampleBlock: Operation<number | null> = {
  name: 'shrink_sample_block',
  text: (s) => `select to_json(${s}.shrink_sample_block($1, $2::float8[]))`,
}

/** How many readings were dropped with a block, or null where none is to be shrunk now. */
async function shrinkBlock(
  db: Transactions,
  before: Instant,
  keepAgesMs: readonly number[],
): Promise<number | null> {
  const results = await unlessBusy(() =>
    db.write(call(takeTime), call(shrinkSampleBlock, before, toArray(keepAgesMs))),
  )
  return results === null ? null : firstOf(shrinkSampleBlock, results[1] as QueryResult)
}

/** Rows of a block that is still to be shrunk are left to it. */
const rowsBefore: Operation<Instant> = {
  name: 'rows_before',
  text: (s) => `select to_json(least($1::float8, (
    select min(from_at) from ${s}.sample_blocks
    where from_at > '-infinity' and not is_shrunk)))`,
}

/**
 * Shrinks some posts whole. Each then keeps from when on it has anything to drop again, so that a
 * post is not looked at in vain every time.
 */
const shrinkPosts: Operation<readonly [posts: number, samples: number]> = {
  name: 'shrink_posts',
  text: (s) => `
    with chosen as materialized (
      select id, published_at from ${s}.posts
      where status <> 'watched' and raw_from is not null and raw_from < $1::float8
      order by raw_from, id limit $3::int for no key update skip locked),
    kept as materialized (
      select p.id, array_remove(array(
        select (select max(t.at) from ${s}.samples t
          where t.post_id = p.id and t.at <= p.published_at + a.age_ms)
        from unnest($2::float8[]) as a (age_ms)), null) as times
      from chosen p),
    gone as (
      delete from ${s}.samples t using kept k
      where t.post_id = k.id and t.at < $1::float8 and t.at <> all (k.times)
      returning 1),
    noted as (
      update ${s}.posts q set raw_from = (
        select min(t.at) from ${s}.samples t
        where t.post_id = q.id and t.at >= $1::float8 and t.at <> all (k.times))
      from kept k where q.id = k.id)
    select json_build_array((select count(*) from chosen), (select count(*) from gone))`,
}

const postsAtOnce = 20

export interface Shrinking {
  readonly before: Instant
  readonly keepAgesMs: readonly number[]
  /** Blocks and posts are taken whole, so more than this may go. */
  readonly limit: number
}

/** Returns how many readings were dropped. Sees to it first that there is a block for the next. */
export async function shrinkSamples(
  db: Transactions,
  given: Instant | null,
  { before, keepAgesMs, limit }: Shrinking,
): Promise<number> {
  await makeBlocks(db, given)
  let dropped = 0
  for (;;) {
    const count = await shrinkBlock(db, before, keepAgesMs)
    dropped += count ?? 0
    if (dropped >= limit) return dropped
    if (count === null) break
  }
  const [until = before] = await db.read(rowsBefore, before)
  while (dropped < limit) {
    const [shrunk] = (await db.write(
      call(shrinkPosts, until, toArray(keepAgesMs), postsAtOnce),
    )) as [QueryResult]
    const [posts, samples] = firstOf(shrinkPosts, shrunk) ?? [0, 0]
    dropped += samples
    if (posts === 0) break
  }
  return dropped
}
