/** Owns what is remembered of a past post: its counts at the baseline ages, and how it counts. */

import type { Instant } from '../instant.ts'
import type { Sample } from '../sample.ts'
import { baselineAgesMs, horizonMs } from './ages.ts'
import { countAt, steady } from './series.ts'
import type { Series, Steadied } from './series.ts'

/** A matured post that was never acted on. */
export interface Curve {
  readonly publishedAt: Instant
  /** Engagements at `baselineAgesMs`, null where it was not observed. */
  readonly counts: readonly (number | null)[]
  /** Impressions at the same ages; null where the network gives none. */
  readonly impressions: readonly (number | null)[] | null
  /**
   * How many posts it stands for: 1, or 1 / π₀ for one that was held out, because the others like
   * it were acted on and so are missing here.
   */
  readonly weight: number
  /** Whether it is the account's own, or borrowed from another account on the platform. */
  readonly own: boolean
}

/** Why a post cannot be remembered. */
export type CurveLack = 'no_publication_time' | 'not_matured' | 'counter_fell'

export type CurveResult =
  | { readonly kind: 'curve'; readonly curve: Curve }
  | { readonly kind: 'no_curve'; readonly reason: CurveLack }

/** The two counters of a post, by age. */
export interface PostSeries {
  readonly engagements: Steadied
  /** Null where no reading carries impressions. */
  readonly impressions: Series | null
}

/** Samples by age, in ascending order of time. Those from before the publication are left out. */
export function seriesOf(samples: readonly Sample[], publishedAt: Instant): PostSeries {
  const agesMs: number[] = []
  const counts: number[] = []
  const shownAgesMs: number[] = []
  const shown: number[] = []
  for (const sample of samples) {
    const ageMs = sample.at - publishedAt
    if (ageMs < 0) continue
    agesMs.push(ageMs)
    counts.push(sample.engagements)
    if (sample.impressions === null) continue
    shownAgesMs.push(ageMs)
    shown.push(sample.impressions)
  }
  const impressions = shown.length === 0 ? null : steady(shownAgesMs, shown)
  return {
    engagements: steady(agesMs, counts),
    // Impressions only help; a counter of them that fell is as good as none.
    impressions: impressions?.kind === 'steady' ? impressions.series : null,
  }
}

/** Reduces a matured post to its curve. The samples come in ascending order of time. */
export function curveOf(
  samples: readonly Sample[],
  publishedAt: Instant | null,
  { weight, own }: Pick<Curve, 'weight' | 'own'>,
): CurveResult {
  if (publishedAt === null) return { kind: 'no_curve', reason: 'no_publication_time' }
  const { engagements, impressions } = seriesOf(samples, publishedAt)
  if (engagements.kind === 'fell') return { kind: 'no_curve', reason: 'counter_fell' }
  if (countAt(engagements.series, horizonMs) === null) {
    return { kind: 'no_curve', reason: 'not_matured' }
  }
  const curve = {
    publishedAt,
    counts: atBaselineAges(engagements.series),
    impressions: impressions === null ? null : atBaselineAges(impressions),
    weight,
    own,
  }
  return { kind: 'curve', curve }
}

function atBaselineAges(series: Series): (number | null)[] {
  return baselineAgesMs.map((ageMs) => countAt(series, ageMs))
}
