/** Owns counting in a window that moves with time: how much is in it, and when there is room. */

import type { TallyEntry } from '../history.ts'
import type { Instant } from '../instant.ts'
import { never, untilTime } from '../until.ts'
import type { Until } from '../until.ts'

export interface WindowCount {
  readonly count: number
  /** When one more fits, or null if it fits now. */
  readonly until: Until | null
}

/**
 * Counts what lies in the window that ends now, its start included. Entries after `now` count too:
 * a send that is under way may still land.
 */
export function countInWindow(
  entries: readonly TallyEntry[],
  now: Instant,
  windowMs: number,
  maximum: number,
): WindowCount {
  const from = now - windowMs
  let count = 0
  for (const entry of entries) if (entry.at >= from) count += entry.count
  if (count < maximum) return { count, until: null }
  const inside = entries.filter((entry) => entry.at >= from)
  return { count, until: whenFree(inside, count, windowMs, maximum) }
}

/** The oldest leave first; the window holds its start, so room comes just after that. */
function whenFree(
  inside: readonly TallyEntry[],
  count: number,
  windowMs: number,
  maximum: number,
): Until {
  let left = count
  for (const entry of inside.toSorted((a, b) => a.at - b.at)) {
    left -= entry.count
    if (left < maximum) return untilTime(Math.floor(entry.at) + windowMs + 1)
  }
  return never
}
