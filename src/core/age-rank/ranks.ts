/** Owns how a post compares with past posts at its age. */

import { windowMs } from './ages.ts'
import { neighboursOf } from './baseline.ts'
import type { Baseline, BaselineAge } from './baseline.ts'
import { midRank, midRankOfRow } from './column.ts'
import { countAt, gainBetween } from './series.ts'
import type { Series } from './series.ts'

/** What is measured on the post itself at one age. */
export interface Standing {
  readonly ageMs: number
  /** All engagements so far. */
  readonly count: number
  /** What came in since half this age: the same share of any post's life. */
  readonly gainSinceHalf: number
  /** What came in during the last 90 minutes. */
  readonly gainInWindow: number
  /** Impressions since half this age, null where the network gives none. */
  readonly impressionsSinceHalf: number | null
}

/** Where a post stands among past posts at its age: 0 is below all of them, 1 above all. */
export interface Ranks {
  readonly count: number
  readonly gainSinceHalf: number
  readonly gainInWindow: number
  /** Null where the post or the past posts have no impressions. */
  readonly impressionsSinceHalf: number | null
}

/** The ranks, and how many past posts they rest on. */
export interface Comparison {
  readonly ranks: Ranks
  readonly curves: number
  readonly ownCurves: number
}

/** Reads the post at an age; null where it was not observed then. */
export function standingAt(
  engagements: Series,
  impressions: Series | null,
  ageMs: number,
): Standing | null {
  const count = countAt(engagements, ageMs)
  const gainSinceHalf = gainBetween(engagements, ageMs / 2, ageMs)
  const gainInWindow = gainBetween(engagements, ageMs - windowMs, ageMs)
  if (count === null || gainSinceHalf === null || gainInWindow === null) return null
  const impressionsSinceHalf =
    impressions === null ? null : gainBetween(impressions, ageMs / 2, ageMs)
  return { ageMs, count, gainSinceHalf, gainInWindow, impressionsSinceHalf }
}

/**
 * Compares a post with past posts. Between two baseline ages its ranks are on the line between the
 * ranks at both. Null outside the baseline ages, and where no past post was observed.
 */
export function compare(baseline: Baseline, standing: Standing): Comparison | null {
  const around = neighboursOf(baseline, standing.ageMs)
  if (around === null) return null
  const { earlier, later, share } = around
  // What was observed less often is what the comparison rests on.
  const fewest = later.count.size < earlier.count.size ? later.count : earlier.count
  if (fewest.size === 0) return null
  const ranks = ranksAt(earlier, standing)
  return {
    ranks: share === 0 ? ranks : mixed(ranks, ranksAt(later, standing), share),
    curves: fewest.size,
    ownCurves: fewest.ownSize,
  }
}

function ranksAt(age: BaselineAge, standing: Standing): Ranks {
  const gainSinceHalf = midRank(age.gainSinceHalf, standing.gainSinceHalf)
  const { impressionsSinceHalf: impressions, gainInWindow } = age
  const shown = standing.impressionsSinceHalf
  return {
    count: midRank(age.count, standing.count),
    gainSinceHalf,
    gainInWindow:
      gainInWindow === null ? gainSinceHalf : midRank(gainInWindow, standing.gainInWindow),
    impressionsSinceHalf:
      impressions === null || impressions.size === 0 || shown === null
        ? null
        : midRank(impressions, shown),
  }
}

function mixed(a: Ranks, b: Ranks, share: number): Ranks {
  const mix = (from: number, to: number): number => from + (to - from) * share
  const shown = a.impressionsSinceHalf
  const shownLater = b.impressionsSinceHalf
  return {
    count: mix(a.count, b.count),
    gainSinceHalf: mix(a.gainSinceHalf, b.gainSinceHalf),
    gainInWindow: mix(a.gainInWindow, b.gainInWindow),
    impressionsSinceHalf: shown === null || shownLater === null ? null : mix(shown, shownLater),
  }
}

/** How a past post stood among the others at a baseline age; null where it was not observed. */
export function ranksOfCurve(age: BaselineAge, row: number, weight: number): Ranks | null {
  if (Number.isNaN(age.count.values[row])) return null
  const gainSinceHalf = midRankOfRow(age.gainSinceHalf, row, weight)
  const { impressionsSinceHalf: impressions, gainInWindow } = age
  const shown = impressions !== null && !Number.isNaN(impressions.values[row])
  return {
    count: midRankOfRow(age.count, row, weight),
    gainSinceHalf,
    gainInWindow: gainInWindow === null ? gainSinceHalf : midRankOfRow(gainInWindow, row, weight),
    impressionsSinceHalf: shown ? midRankOfRow(impressions, row, weight) : null,
  }
}
