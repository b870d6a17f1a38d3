/** Reads from the ledger every post that has an arm, with what it came to at one horizon. */

import type { Arm } from '../../core/decision-input.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Explored } from '../../core/lift/explore.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { readChoices } from './choices.ts'
import { drawnOf, readingOf } from './drawn.ts'
import type { Entry } from './groups.ts'

const pageSize = 500

/** Of one account, or of all. */
export async function readEntries(
  ledger: Ledger,
  horizonMs: number,
  accountId: AccountId | undefined,
): Promise<readonly Entry[]> {
  const filter = accountId === undefined ? {} : { accountId }
  const choices = await readChoices(ledger)
  const entries: Entry[] = []
  let after: string | null = null
  for (;;) {
    const posts: readonly PostRow[] = await ledger.listPosts(filter, { after, limit: pageSize })
    for (const post of posts) {
      if (post.arm === null) continue
      const explored = choices.get(post.id) ?? null
      entries.push(await readEntry(ledger, post, post.arm, horizonMs, explored))
    }
    if (posts.length < pageSize) return entries
    after = posts.at(-1)?.id ?? null
  }
}

async function readEntry(
  ledger: Ledger,
  post: PostRow,
  arm: Arm,
  horizonMs: number,
  explored: Explored | null,
): Promise<Entry> {
  const rows = await ledger.listMeasurements(post.id)
  const row = rows.find((each) => each.horizonMs === horizonMs)
  const drawn = row === undefined ? null : drawnOf(row)
  const subject = { arm, platform: post.platform, account: post.accountId, explored }
  if (row === undefined || drawn === null) {
    return { ...subject, reading: 'lost', post: null, action: 'unknown', tier: 'unknown' }
  }
  const reading = readingOf(post, row, drawn)
  return {
    ...subject,
    reading: reading.kind,
    post: reading.kind === 'measured' ? reading.post : null,
    action: drawn.action,
    tier: drawn.tier,
  }
}
