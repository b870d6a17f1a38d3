/**
 * The detector that needs no impressions: it compares a post with the account's past posts at the
 * same age, and says how likely it is that hardly anything will follow.
 *
 *   score = P(gain up to 48 h < 25 % of what posts of this age usually still gain)
 *
 * Where past posts are too few, or gain too little for a stall to mean anything, it says so.
 */

import type { Instant } from '../instant.ts'
import { minuteMs } from '../duration.ts'
import type { Sample } from '../sample.ts'
import { youngestMs } from './ages.ts'
import { bandAt } from './band.ts'
import { expectedGainAt } from './baseline.ts'
import type { Baseline } from './baseline.ts'
import type { Band } from './column.ts'
import { seriesOf } from './curve.ts'
import { probability } from './model.ts'
import type { Model } from './model.ts'
import { compare, standingAt } from './ranks.ts'
import type { Ranks, Standing } from './ranks.ts'

/** Fewer past posts than this, own and others' together, are no yardstick. */
export const minimumCurves = 5

/** Where posts of this age usually gain less than this, a quarter of it is no number at all. */
export const minimumExpectedGain = 2

export interface AgeRankInput {
  /** The post's samples since its publication, in ascending order of time. */
  readonly samples: readonly Sample[]
  readonly publishedAt: Instant | null
  readonly baseline: Baseline
  readonly model: Model
}

/** The numbers behind a score. */
export interface AgeRankNumbers extends Standing {
  readonly detector: 'age-rank'
  /** At the newest sample: a look is at what was read, not at the time of asking. */
  readonly ageMs: number
  readonly ranks: Ranks
  /** Where most past posts stood at this age. */
  readonly band: Band
  /** What posts of this age usually still gain up to 48 h. */
  readonly expectedGain: number
  /** How many past posts were observed at this age, and how many of them are the account's own. */
  readonly curves: number
  readonly ownCurves: number
  /** How many own posts shaped the weights; 0 where they are the prior's. */
  readonly fittedPosts: number
}

export type AgeRankSignal = { readonly kind: 'signal'; readonly score: number } & AgeRankNumbers

/** What was missing: `count` of it was there, `minimum` is needed. */
export interface NoAgeRankSignal {
  readonly kind: 'no_signal'
  readonly detector: 'age-rank'
  readonly reason:
    | 'no_publication_time'
    | 'no_reading'
    /** In minutes of age. */
    | 'too_young'
    /** The counter shows `count` where at least `minimum` was there before. */
    | 'counter_fell'
    /** Past posts observed at this age; past 48 h there are none. */
    | 'too_few_curves'
    /** The gain that posts of this age usually still make. */
    | 'quiet_baseline'
  readonly count: number
  readonly minimum: number
}

export function ageRank(input: AgeRankInput): AgeRankSignal | NoAgeRankSignal {
  const { samples, publishedAt, baseline, model } = input
  if (publishedAt === null) return lack('no_publication_time', 0, 1)
  const { engagements, impressions } = seriesOf(samples, publishedAt)
  if (engagements.kind === 'fell') {
    return lack('counter_fell', engagements.count, engagements.minimum)
  }
  const ageMs = engagements.series.agesMs.at(-1)
  if (ageMs === undefined) return lack('no_reading', 0, 1)
  if (ageMs < youngestMs) return lack('too_young', ageMs / minuteMs, youngestMs / minuteMs)

  const standing = standingAt(engagements.series, impressions, ageMs)
  const comparison = standing === null ? null : compare(baseline, standing)
  const expectedGain = expectedGainAt(baseline, ageMs)
  const band = bandAt(baseline, ageMs)
  if (standing === null || comparison === null || expectedGain === null || band === null) {
    return lack('too_few_curves', 0, minimumCurves)
  }
  const { ranks, curves, ownCurves } = comparison
  if (curves < minimumCurves) return lack('too_few_curves', curves, minimumCurves)
  if (expectedGain < minimumExpectedGain) {
    return lack('quiet_baseline', expectedGain, minimumExpectedGain)
  }
  return {
    kind: 'signal',
    detector: 'age-rank',
    score: probability(model, ranks, ageMs),
    ...standing,
    ranks,
    band,
    expectedGain,
    curves,
    ownCurves,
    fittedPosts: model.ownPosts,
  }
}

function lack(reason: NoAgeRankSignal['reason'], count: number, minimum: number): NoAgeRankSignal {
  return { kind: 'no_signal', detector: 'age-rank', reason, count, minimum }
}
