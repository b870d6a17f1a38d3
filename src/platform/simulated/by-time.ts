/** Owns searching in lists that ascend in time. */

import type { Instant } from '../../core/instant.ts'

/** How many entries lie at or before a moment, found by halving. */
export function countUntil<Entry>(
  entries: readonly Entry[],
  at: Instant,
  timeOf: (entry: Entry) => Instant,
): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeOf(entries[middle] as Entry) <= at) low = middle + 1
    else high = middle
  }
  return low
}
