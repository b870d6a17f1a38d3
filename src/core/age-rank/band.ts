/** Owns the band that people are shown: how past posts stood at each age. */

import { neighboursOf } from './baseline.ts'
import type { Baseline } from './baseline.ts'
import type { Band } from './column.ts'

/** Where most past posts stood at one age. */
export interface BandPoint extends Band {
  readonly ageMs: number
  /** How many past posts it rests on, and how many of them are the account's own. */
  readonly curves: number
  readonly ownCurves: number
}

/**
 * The expected band of an account, for the chart of a post: a point for each baseline age at which
 * any past post was observed, in ascending order. Between two points it is drawn as a line, as the
 * detector compares.
 *
 * @param baseline - what `layOut` made of the account's past posts; `readBand` gives the same
 * straight from a ledger.
 */
export function expectedBand({ ages }: Baseline): readonly BandPoint[] {
  return ages.flatMap(({ ageMs, count, band }) =>
    band === null ? [] : [{ ageMs, curves: count.size, ownCurves: count.ownSize, ...band }],
  )
}

/** The band at any age, on the line between the two baseline ages around it; null outside. */
export function bandAt(baseline: Baseline, ageMs: number): Band | null {
  const around = neighboursOf(baseline, ageMs)
  if (around === null) return null
  const { earlier, later, share } = around
  const [from, to] = [earlier.band, later.band]
  if (from === null || to === null) return null
  const mix = (a: number, b: number): number => a + (b - a) * share
  return {
    low: mix(from.low, to.low),
    middle: mix(from.middle, to.middle),
    high: mix(from.high, to.high),
  }
}
