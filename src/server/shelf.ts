/** Owns reading a whole collection of the ledger's shelf, for those that are small by nature. */

import type { Ledger } from '../ledger/ledger.ts'

const pageSize = 200
/** More than this is no collection that people made by hand. */
const mostItems = 10_000

export async function readShelf(ledger: Ledger, collection: string) {
  const items: Awaited<ReturnType<Ledger['listItems']>>[number][] = []
  let after: string | null = null
  while (items.length < mostItems) {
    const page: Awaited<ReturnType<Ledger['listItems']>> = await ledger.listItems(collection, {
      after,
      limit: pageSize,
    })
    items.push(...page)
    if (page.length < pageSize) break
    after = page.at(-1)?.id ?? null
  }
  return items
}
