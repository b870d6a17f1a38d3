/** Owns the band that people are shown: how past posts stood at each age. */

import type { Baseline } from './baseline.ts'
import { quantile } from './column.ts'

/** At one age a tenth of past posts stood at `low` or below, half at `middle`, 90 % at `high`. */
export interface BandPoint {
  readonly ageMs: number
  /** How many past posts it rests on, and how many of them are the account's own. */
  readonly curves: number
  readonly ownCurves: number
  readonly low: number
  readonly middle: number
  readonly high: number
}

/** The expected band, with a point for each baseline age that any past post was observed at. */
export function expectedBand({ ages }: Baseline): readonly BandPoint[] {
  return ages
    .filter(({ count }) => count.size > 0)
    .map(({ ageMs, count }) => ({
      ageMs,
      curves: count.size,
      ownCurves: count.ownSize,
      low: quantile(count, 0.1),
      middle: quantile(count, 0.5),
      high: quantile(count, 0.9),
    }))
}
