/** Small questions about rows that the memory store asks where others ask SQL. */

import type { Page } from '../store.ts'

export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

export function paged<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { after, limit }: Page,
): readonly Row[] {
  return rows
    .filter(({ id }) => after === null || id > after)
    .sort(byId)
    .slice(0, limit)
}
