/**
 * Owns the past posts that a post is compared with, sorted once so that a look only searches. Which
 * curves are in it is decided here; what is made of them is not.
 */

import { baselineAgesMs, horizonMs, windowMs, windowUpToMs } from './ages.ts'
import { bandOf, columnOf } from './column.ts'
import type { Band, Column } from './column.ts'
import type { Curve } from './curve.ts'
import { countAt, countBefore, firstAtOrAfter } from './series.ts'
import type { Series } from './series.ts'

/** The account's newest posts that are remembered: older ones tell of another audience. */
export const rollingWindow = 200

/** With fewer own posts than this, other accounts' posts fill up to it. */
export const borrowUpTo = 20

/** What past posts showed at one of the baseline ages. */
export interface BaselineAge {
  readonly ageMs: number
  readonly count: Column
  /** Where most counts lay; null where no past post was observed at this age. */
  readonly band: Band | null
  readonly gainSinceHalf: Column
  /** Null past the age up to which 90 minutes can be read off a curve. */
  readonly gainInWindow: Column | null
  /** Null where no curve has impressions. */
  readonly impressionsSinceHalf: Column | null
  /** What was still gained from this age to the horizon. */
  readonly gainToCome: Float64Array
  /** B_t, what posts of this age usually still gain; NaN where none was observed at it. */
  readonly expectedGain: number
}

/** Past posts, ready to be compared with. It is built once and read at every look. */
export interface Baseline {
  readonly size: number
  readonly ownSize: number
  /** 1 for the account's own curves, 0 for borrowed ones. */
  readonly own: Uint8Array
  readonly weights: Float64Array
  /** One for each of the baseline ages. */
  readonly ages: readonly BaselineAge[]
}

/**
 * Which curves a post is compared with: the newest own ones, and where these are few, the newest of
 * other accounts on the platform.
 */
export function chooseCurves(curves: readonly Curve[]): readonly Curve[] {
  const newest = curves.toSorted((a, b) => b.publishedAt - a.publishedAt)
  const own = newest.filter((curve) => curve.own).slice(0, rollingWindow)
  const others = newest.filter((curve) => !curve.own)
  return [...own, ...others.slice(0, Math.max(0, borrowUpTo - own.length))]
}

/** Lays out all the given curves. Those that never matured say nothing and are left out. */
export function layOut(curves: readonly Curve[]): Baseline {
  const matured = curves.filter((curve) => (curve.counts.at(-1) ?? null) !== null)
  const rows: Rows = {
    own: Uint8Array.from(matured.map((curve) => Number(curve.own))),
    weights: Float64Array.from(matured.map((curve) => curve.weight)),
    engagements: matured.map((curve) => knownOf(curve.counts)),
    impressions: matured.some((curve) => curve.impressions !== null)
      ? matured.map((curve) => knownOf(curve.impressions ?? []))
      : null,
  }
  return {
    size: matured.length,
    ownSize: rows.own.reduce((sum, one) => sum + one, 0),
    own: rows.own,
    weights: rows.weights,
    ages: baselineAgesMs.map((ageMs) => layOutAge(ageMs, rows)),
  }
}

interface Rows {
  readonly own: Uint8Array
  readonly weights: Float64Array
  readonly engagements: readonly Series[]
  readonly impressions: readonly Series[] | null
}

function layOutAge(ageMs: number, { own, weights, engagements, impressions }: Rows): BaselineAge {
  const count = read(engagements, ageMs, countAt)
  const gainToCome = minus(read(engagements, horizonMs, countAt), count)
  const column = (values: Float64Array): Column => columnOf(values, weights, own)
  const gainSince = (fromMs: number): Column =>
    column(minus(count, read(engagements, fromMs, countBefore)))
  const counts = column(count)
  return {
    ageMs,
    count: counts,
    band: bandOf(counts),
    gainSinceHalf: gainSince(ageMs / 2),
    gainInWindow: ageMs > windowUpToMs ? null : gainSince(ageMs - windowMs),
    impressionsSinceHalf:
      impressions === null
        ? null
        : column(
            minus(read(impressions, ageMs, countAt), read(impressions, ageMs / 2, countBefore)),
          ),
    gainToCome,
    expectedGain: expectedGainOf(gainToCome, weights),
  }
}

/** One reading of every curve; NaN stands for one that was not observed then. */
function read(curves: readonly Series[], ageMs: number, count: typeof countAt): Float64Array {
  const values = new Float64Array(curves.length)
  curves.forEach((series, row) => {
    values[row] = count(series, ageMs) ?? NaN
  })
  return values
}

function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, row) => value - (b[row] as number))
}

/** The readings of a curve; what is missing between two of them lies on their line. */
function knownOf(counts: readonly (number | null)[]): Series {
  const known: { agesMs: number[]; counts: number[] } = { agesMs: [], counts: [] }
  counts.forEach((count, index) => {
    if (count === null) return
    known.agesMs.push(baselineAgesMs[index] as number)
    // A curve from elsewhere may fall; a gain never does.
    known.counts.push(Math.max(count, known.counts.at(-1) ?? 0))
  })
  return known
}

/**
 * What posts of an age usually still gain up to the horizon, the heavy tail taken off:
 *
 *   B_t = expm1(Σ w·ln(1 + gain) / Σ w)
 */
function expectedGainOf(gains: Float64Array, weights: Float64Array): number {
  let sum = 0
  let total = 0
  gains.forEach((gain, row) => {
    if (Number.isNaN(gain)) return
    sum += (weights[row] as number) * Math.log1p(gain)
    total += weights[row] as number
  })
  return Math.expm1(sum / total)
}

/** Two baseline ages with the post's age between them, and how far it is towards the later one. */
export interface Neighbours {
  readonly earlier: BaselineAge
  readonly later: BaselineAge
  readonly share: number
}

/** The baseline ages around an age; null before the first and past the last. */
export function neighboursOf({ ages }: Baseline, ageMs: number): Neighbours | null {
  const at = firstAtOrAfter(baselineAgesMs, ageMs)
  const later = ages[at]
  if (later === undefined) return null
  if (later.ageMs === ageMs) return { earlier: later, later, share: 0 }
  const earlier = ages[at - 1]
  if (earlier === undefined) return null
  const share = (ageMs - earlier.ageMs) / (later.ageMs - earlier.ageMs)
  return { earlier, later, share }
}

/** B_t at any age; between two baseline ages it is on their line. */
export function expectedGainAt(baseline: Baseline, ageMs: number): number | null {
  const around = neighboursOf(baseline, ageMs)
  if (around === null) return null
  const { earlier, later, share } = around
  const expected = earlier.expectedGain + (later.expectedGain - earlier.expectedGain) * share
  return Number.isNaN(expected) ? null : expected
}
