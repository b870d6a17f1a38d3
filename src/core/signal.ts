/**
 * The second stage: turns evidence into a score from 0 (thriving) to 1 (stalled), with the numbers
 * behind it. A detector that cannot tell says so; it never guesses.
 */

import type { Instant } from './instant.ts'
import type { Sample } from './sample.ts'
import { detectByRate } from './detectors/rate.ts'
import type { RateNumbers, RateSettings } from './detectors/rate.ts'

/** Which detector a policy uses, with its settings. One member a detector. */
export type DetectorSettings = RateSettings

/** What any detector may look at. */
export interface DetectorInput {
  /** Cleaned, in ascending order of time. */
  readonly samples: readonly Sample[]
  readonly publishedAt: Instant | null
  readonly now: Instant
}

/** A score with the numbers it was made of. */
export type Signal = { readonly kind: 'signal'; readonly score: number } & RateNumbers

/** The detector could not tell, and why. */
export interface NoSignal {
  readonly kind: 'no_signal'
  readonly detector: DetectorSettings['detector']
  readonly reason: 'no_impressions' | 'too_few_impressions'
  readonly count: number
  readonly minimum: number
}

/** Every detector has this shape; which one runs is a value in the policy. */
export type Detector<Settings> = (input: DetectorInput, settings: Settings) => Signal | NoSignal

export function detect(input: DetectorInput, settings: DetectorSettings): Signal | NoSignal {
  switch (settings.detector) {
    case 'rate':
      return detectByRate(input, settings)
  }
}
