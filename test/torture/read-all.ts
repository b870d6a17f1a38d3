/** Reads all there is of a ledger, page by page, for those who judge it afterwards. */

import type { LedgerEvent } from '../../src/core/events.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { ActionRow, AttemptRow, PostRow } from '../../src/ledger/rows.ts'
import type { Page } from '../../src/ledger/store.ts'

const limit = 500

export function readActions(ledger: Ledger): Promise<readonly ActionRow[]> {
  return readPages((page) => ledger.listActions({}, page))
}

export function readPosts(ledger: Ledger): Promise<readonly PostRow[]> {
  return readPages((page) => ledger.listPosts({}, page))
}

async function readPages<Row extends { readonly id: string }>(
  read: (page: Page) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? null, limit })
    rows.push(...page)
    if (page.length < limit) return rows
  }
}

export async function readAttempts(
  ledger: Ledger,
  actions: readonly ActionRow[],
): Promise<readonly AttemptRow[]> {
  const attempts: AttemptRow[] = []
  for (const { id } of actions) attempts.push(...(await ledger.listAttempts(id)))
  return attempts
}

/** In the order in which readers follow them. */
export async function readEvents(ledger: Ledger): Promise<readonly LedgerEvent[]> {
  const events: LedgerEvent[] = []
  let cursor: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<Ledger['readEvents']>> = await ledger.readEvents(
      cursor,
      {},
      limit,
    )
    events.push(...page.events)
    cursor = page.cursor
    if (page.events.length < limit) return events
  }
}
