/** Reads recorded posts from a ledger: their samples, and whether anyone acted on them. */

import { mayHaveLanded } from '../../core/states.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { recordedFrom } from './recorded-post.ts'
import type { RecordedPost } from './recorded-post.ts'

const pageSize = 500

/** All posts of the ledger, or of one account. Those that were never read are left out. */
export async function readLedger(
  ledger: Ledger,
  filter: { readonly accountId?: AccountId } = {},
): Promise<readonly RecordedPost[]> {
  const recorded: RecordedPost[] = []
  let after: string | null = null
  for (;;) {
    const rows: readonly PostRow[] = await ledger.listPosts(filter, { after, limit: pageSize })
    for (const row of rows) {
      const post = await readPost(ledger, row)
      if (post.agesMs.length > 0) recorded.push(post)
    }
    if (rows.length < pageSize) return recorded
    after = rows.at(-1)?.id ?? null
  }
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
