/** Reads recorded posts from a ledger: their samples, and whether anyone acted on them. */

import { rollingWindow } from '../../core/age-rank/baseline.ts'
import { mayHaveLanded } from '../../core/states.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { recordedFrom } from './recorded-post.ts'
import type { RecordedPost } from './recorded-post.ts'

const pageSize = 500

/** Told after so many posts. */
const progressEvery = 100

export interface ReadOptions {
  readonly accountId?: AccountId
  /**
   * Where posts from then on are to be replayed: of those before, each account's newest are read,
   * as many as a baseline holds.
   */
  readonly since?: Instant
  /** Told now and then how many posts are read. */
  readonly onProgress?: (done: number, all: number) => void
}

/** All posts of the ledger, or of one account. Those that were never read are left out. */
export async function readLedger(
  ledger: Ledger,
  { since = -Infinity, onProgress, ...filter }: ReadOptions = {},
): Promise<readonly RecordedPost[]> {
  const rows = neededRows(await listAll(ledger, filter), since)
  const recorded: RecordedPost[] = []
  for (const [index, row] of rows.entries()) {
    if (index % progressEvery === 0) onProgress?.(index, rows.length)
    const post = await readPost(ledger, row)
    if (post.agesMs.length > 0) recorded.push(post)
  }
  onProgress?.(rows.length, rows.length)
  return recorded
}

async function listAll(
  ledger: Ledger,
  filter: { readonly accountId?: AccountId },
): Promise<readonly PostRow[]> {
  const all: PostRow[] = []
  let after: string | null = null
  for (;;) {
    const rows: readonly PostRow[] = await ledger.listPosts(filter, { after, limit: pageSize })
    for (const row of rows) all.push(row)
    if (rows.length < pageSize) return all
    after = rows.at(-1)?.id ?? null
  }
}

/** In the order they came, without those that nothing would be compared with any more. */
function neededRows(rows: readonly PostRow[], since: Instant): readonly PostRow[] {
  const earlier = rows.filter(({ publishedAt }) => publishedAt < since)
  const remembered = new Set<PostRow>()
  for (const own of Map.groupBy(earlier, ({ accountId }) => accountId).values()) {
    const newest = own.toSorted((a, b) => b.publishedAt - a.publishedAt)
    for (const row of newest.slice(0, rollingWindow)) remembered.add(row)
  }
  return rows.filter((row) => row.publishedAt >= since || remembered.has(row))
}

/** One that was held out stands for those like it that were acted on and tell nothing here. */
async function readPost(ledger: Ledger, row: PostRow): Promise<RecordedPost> {
  const actions = await ledger.listActions({ postId: row.id }, { after: null, limit: pageSize })
  const isHeldOut = row.arm === 'holdout' && row.propensity !== null && row.propensity < 1
  const head = {
    id: row.id,
    account: row.accountId,
    platform: row.platform,
    publishedAt: row.publishedAt,
    weight: isHeldOut ? 1 / (1 - (row.propensity ?? 0)) : 1,
    actedOn: actions.some(({ state }) => mayHaveLanded(state)),
  }
  return recordedFrom(head, await ledger.listSamples(row.id))
}
