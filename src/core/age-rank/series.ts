/**
 * Owns one counter of one post over its life, and how it is read at an age where nobody looked:
 * on the straight line between two readings, and never past the last one.
 */

/** Readings of one counter, in ascending order of age; no count is below the one before it. */
export interface Series {
  readonly agesMs: readonly number[]
  readonly counts: readonly number[]
}

/** Either it only rises, or it fell and has not come back: then nothing can be read off it. */
export type Steadied =
  | { readonly kind: 'steady'; readonly series: Series }
  | { readonly kind: 'fell'; readonly count: number; readonly minimum: number }

/** A like withdrawn is a small fall; anything deeper is a counter that cannot be believed. */
const fallShare = 0.1
const fallCount = 3

/**
 * Makes a counter that only rises. A small fall is read as no gain. A reading after a deep fall is
 * passed over like a missed poll, if the counter came back later; if it did not, the counter fell.
 * Ages must not fall; of several readings at one age the greatest counts.
 */
export function steady(agesMs: readonly number[], counts: readonly number[]): Steadied {
  // Nearly every counter only rises; this runs for every look.
  if (onlyRises(agesMs, counts)) return { kind: 'steady', series: { agesMs, counts } }
  const kept: { agesMs: number[]; counts: number[] } = { agesMs: [], counts: [] }
  let top = 0
  let fallen: Steadied | null = null
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index] as number
    const minimum = top - Math.max(fallCount, top * fallShare)
    if (count < minimum) {
      fallen = { kind: 'fell', count, minimum }
      continue
    }
    fallen = null
    if (count > top) top = count
    if (agesMs[index] === kept.agesMs.at(-1)) kept.counts.pop()
    else kept.agesMs.push(agesMs[index] as number)
    kept.counts.push(top)
  }
  return fallen ?? { kind: 'steady', series: kept }
}

function onlyRises(agesMs: readonly number[], counts: readonly number[]): boolean {
  for (let index = 1; index < counts.length; index += 1) {
    if ((counts[index] as number) < (counts[index - 1] as number)) return false
    if ((agesMs[index] as number) === (agesMs[index - 1] as number)) return false
  }
  return true
}

/** The count at an age, or null where no reading stands on both sides of it. */
export function countAt(series: Series, ageMs: number): number | null {
  const { agesMs, counts } = series
  const after = firstAtOrAfter(agesMs, ageMs)
  if (after === agesMs.length) return null
  const afterMs = agesMs[after] as number
  const afterCount = counts[after] as number
  if (afterMs === ageMs) return afterCount
  if (after === 0) return null
  return between(
    ageMs,
    agesMs[after - 1] as number,
    counts[after - 1] as number,
    afterMs,
    afterCount,
  )
}

/**
 * The count from which a gain is measured. Every post began with nothing, so before the first
 * reading the line from there counts: leaving it out would call all of a late first reading a gain.
 */
export function countBefore(series: Series, ageMs: number): number | null {
  if (ageMs <= 0) return 0
  const firstMs = series.agesMs[0]
  if (firstMs === undefined) return null
  if (ageMs >= firstMs) return countAt(series, ageMs)
  return between(ageMs, 0, 0, firstMs, series.counts[0] as number)
}

/** What came in between two ages. */
export function gainBetween(series: Series, fromMs: number, toMs: number): number | null {
  const from = countBefore(series, fromMs)
  const to = countAt(series, toMs)
  return from === null || to === null ? null : to - from
}

function between(atMs: number, fromMs: number, from: number, toMs: number, to: number): number {
  return from + ((to - from) * (atMs - fromMs)) / (toMs - fromMs)
}

/** The first place whose age is at least this one; the length where there is none. */
export function firstAtOrAfter(agesMs: readonly number[], ageMs: number): number {
  let low = 0
  let high = agesMs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((agesMs[middle] as number) < ageMs) low = middle + 1
    else high = middle
  }
  return low
}
