/** Owns laying samples and the expected band on one axis of time. Pure. */

import type { BandPointView } from '../../../src/server/schema/lift.ts'
import type { SampleView } from '../../../src/server/schema/sample.ts'

/** Columns of equal length, by epoch seconds. Null where a column has nothing to say. */
export interface GrowthData {
  readonly seconds: readonly number[]
  readonly engagements: readonly (number | null)[]
  readonly low: readonly (number | null)[]
  readonly middle: readonly (number | null)[]
  readonly high: readonly (number | null)[]
}

const hourMs = 3_600_000
/** The band goes on a little further than the samples, to show where the post should be next. */
const outlook = 1.2

export function layOutGrowth(
  publishedAt: number,
  samples: readonly SampleView[],
  band: readonly BandPointView[],
): GrowthData {
  const taken = new Map(samples.map(({ at, engagements }) => [Date.parse(at), engagements]))
  const lastAgeMs = Math.max(0, ...[...taken.keys()].map((at) => at - publishedAt))
  const endAgeMs = Math.max(hourMs, lastAgeMs * outlook)
  const bandTimes = band.map(({ ageMs }) => publishedAt + ageMs)
  const inSight = bandTimes.filter((at) => at - publishedAt <= endAgeMs)
  const times = [...new Set([...taken.keys(), ...inSight])].sort((a, b) => a - b)
  const column = (pick: (point: BandPointView) => number) =>
    times.map((at) => interpolate(band, at - publishedAt, pick))
  return {
    seconds: times.map((at) => at / 1000),
    engagements: times.map((at) => taken.get(at) ?? null),
    low: column(({ low }) => low),
    middle: column(({ middle }) => middle),
    high: column(({ high }) => high),
  }
}

/** Between two known ages on the line between them; beyond them nothing is known. */
function interpolate(
  band: readonly BandPointView[],
  ageMs: number,
  pick: (point: BandPointView) => number,
): number | null {
  const after = band.findIndex((point) => point.ageMs >= ageMs)
  const right = band[after]
  if (right === undefined) return null
  if (right.ageMs === ageMs) return pick(right)
  const left = band[after - 1]
  if (left === undefined) return null
  const share = (ageMs - left.ageMs) / (right.ageMs - left.ageMs)
  return pick(left) + share * (pick(right) - pick(left))
}

/** What the chart shows, as a sentence for those who do not see it. */
export function describeGrowth(data: GrowthData): string {
  const last = data.engagements.findLastIndex((count) => count !== null)
  const count = data.engagements[last]
  if (count === null || count === undefined) return 'No sample was taken yet.'
  const [low, high] = [data.low[last], data.high[last]]
  const reached = `${Math.round(count)} engagements at the last sample`
  if (typeof low !== 'number' || typeof high !== 'number') {
    return `${reached}; too few past posts are known to say what is usual.`
  }
  const usual = `${Math.round(low)} to ${Math.round(high)} is usual at that age`
  const where = count < low ? 'below' : count > high ? 'above' : 'within'
  return `${reached}, ${where} the expected band: ${usual}.`
}
