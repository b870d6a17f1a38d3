/**
 * The second stage: turns evidence into a score from 0 (thriving) to 1 (stalled), with the numbers
 * behind it. A detector that cannot tell says so; it never guesses.
 */

import { ageRank } from './age-rank/age-rank.ts'
import type { AgeRankNumbers, NoAgeRankSignal } from './age-rank/age-rank.ts'
import type { Baseline } from './age-rank/baseline.ts'
import type { Model } from './age-rank/model.ts'
import { detectByRate } from './detectors/rate.ts'
import type { NoRateSignal, RateNumbers, RateSettings } from './detectors/rate.ts'
import type { Instant } from './instant.ts'
import { inAscendingTime } from './evidence.ts'
import type { Sample } from './sample.ts'

/** Compares the post with past posts at the same age; needs no impressions. */
export interface AgeRankSettings {
  readonly detector: 'age-rank'
}

/** `age-rank` where enough past posts are known, else `rate` where there are impressions. */
export interface AutoSettings {
  readonly detector: 'auto'
  readonly rate: Omit<RateSettings, 'detector'>
}

/** Which detector a policy uses, with its settings. One member a detector. */
export type DetectorSettings = RateSettings | AgeRankSettings | AutoSettings

/** The detectors that can give a score; each has tiers of its own. */
export type DetectorName = Signal['detector']

/** The past posts of an account, laid out, and the weights that were fitted to them. */
export interface AccountBaseline {
  readonly baseline: Baseline
  readonly model: Model
}

/** What any detector may look at. */
export interface DetectorInput {
  /** Cleaned, from the policy's window, in ascending order of time. */
  readonly samples: readonly Sample[]
  /** Everything that was read of the post. */
  readonly allSamples: readonly Sample[]
  readonly publishedAt: Instant | null
  /** Null where nothing is known of the account's past posts. */
  readonly baseline: AccountBaseline | null
  readonly now: Instant
}

/** A score with the numbers it was made of. */
export type Signal = { readonly kind: 'signal'; readonly score: number } & (
  | RateNumbers
  | AgeRankNumbers
)

/** The detector could not tell, and why. */
export type NoSignal = NoRateSignal | NoAgeRankSignal

export function detect(input: DetectorInput, settings: DetectorSettings): Signal | NoSignal {
  switch (settings.detector) {
    case 'rate':
      return detectByRate(input.samples, settings)
    case 'age-rank':
      return detectByAgeRank(input)
    case 'auto':
      return detectByEither(input, settings)
  }
}

function detectByAgeRank({ allSamples, publishedAt, baseline, now }: DetectorInput) {
  if (baseline === null) return noBaseline
  const known = allSamples.filter(({ at }) => at <= now)
  return ageRank({ samples: inAscendingTime(known).ordered, publishedAt, ...baseline })
}

const noBaseline: NoAgeRankSignal = {
  kind: 'no_signal',
  detector: 'age-rank',
  reason: 'too_few_curves',
  count: 0,
  minimum: 1,
}

/** Where neither can tell and there are no impressions, more past posts are what would help. */
function detectByEither(input: DetectorInput, { rate }: AutoSettings): Signal | NoSignal {
  const byAge = detectByAgeRank(input)
  if (byAge.kind === 'signal') return byAge
  const byRate = detectByRate(input.samples, rate)
  return byRate.kind === 'no_signal' && byRate.reason === 'no_impressions' ? byAge : byRate
}
