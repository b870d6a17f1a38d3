/** Owns how a page is asked for. The ledger's places are handed out and taken back as they are. */

import type { BackPage } from '../ledger/pages.ts'

export function backPage(query: {
  readonly cursor?: string | undefined
  readonly limit: number
}): BackPage {
  return { before: query.cursor ?? null, limit: query.limit }
}
