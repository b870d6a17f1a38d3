/** Fills a ledger with watched posts, by the server itself: a million of them in a minute. */

import { minuteMs, hourMs } from '../../src/core/duration.ts'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { addStillAccount } from '../../test/builders/still-network.ts'

export interface Crowd {
  readonly accounts: number
  readonly posts: number
  /** Whether they were looked at before and were well, as most posts are most of the time. */
  readonly hasLooks: boolean
}

/** Readings that each post has already, and how old they are. */
export const agesMs = [120, 90, 60, 30].map((minutes) => minutes * minuteMs)

export async function fill(
  ledger: Ledger,
  connectionString: string,
  { accounts, posts, hasLooks }: Crowd,
): Promise<void> {
  for (let number = 0; number < accounts; number += 1) await addStillAccount(ledger, `a-${number}`)
  const now = await ledger.now()
  const publishedAt = now - 6 * hourMs
  const latest = hasLooks ? `'healthy', false` : 'null, null'
  const client = await connectOnce(connectionString)
  try {
    await client.query({ text: `set search_path to secondwind` })
    // Rows that are made all at once need none of what triggers do for each.
    await client.query({ text: 'set session_replication_role to replica' })
    await client.query({
      text: `insert into posts (id, account_id, platform, remote_id, text, published_at, status,
          never_touch, next_check_at, tracked_at, latest_kind, latest_stalled)
        select 'p-' || n, 'a-' || n % ${accounts}, 'still', 'p-' || n, 'A post.',
          ${publishedAt}, 'watched', false, ${now}, ${publishedAt}, ${latest}
        from generate_series(0, ${posts - 1}) n`,
    })
    await client.query({ text: `insert into checks select id, next_check_at from posts` })
    for (const [index, ageMs] of agesMs.entries()) {
      const shown = (index + 1) * 10_000
      await client.query({
        text: `insert into samples (post_id, at, impressions, engagements)
          select 'p-' || n, ${now - ageMs}, ${shown}, ${hasLooks ? shown / 2 : 0}
          from generate_series(0, ${posts - 1}) n`,
      })
    }
    if (hasLooks) {
      await client.query({
        text: `insert into verdicts (post_id, policy, at, evaluated_at, kind, score, stalled, trace)
          select 'p-' || n, 'still@1', ${now - 30 * minuteMs}, ${now - 30 * minuteMs}, 'healthy', 0,
            false, '{}' from generate_series(0, ${posts - 1}) n`,
      })
    }
    await client.query({ text: 'vacuum analyze' })
  } finally {
    await client.end()
  }
}
