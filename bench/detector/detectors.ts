/**
 * The detectors that are compared. Each says how stagnant it holds a post to be at one look. The
 * maths is the engine's own; what stands here only names it.
 */

import { hourMs } from '../../src/core/duration.ts'
import { windowMs } from '../../src/core/age-rank/ages.ts'
import type { Baseline } from '../../src/core/age-rank/baseline.ts'
import { lag } from '../../src/core/age-rank/features.ts'
import { sigmoid } from '../../src/core/age-rank/logistic.ts'
import { fitModel, priorModel, probability } from '../../src/core/age-rank/model.ts'
import type { Ranks, Standing } from '../../src/core/age-rank/ranks.ts'
import { detectByRate } from '../../src/core/detectors/rate.ts'
import type { RateSettings } from '../../src/core/detectors/rate.ts'
import type { Sample } from '../../src/core/sample.ts'

/** A post as it stood at one age. */
export interface PostLook {
  /** Up to this look, never empty. */
  readonly samples: readonly Sample[]
  readonly standing: Standing
  readonly ranks: Ranks
  /** Whether age-rank gives a signal here, or says that it cannot tell. */
  readonly sufficient: boolean
}

export interface Detector {
  readonly name: string
  /** Whether its score claims to be a probability, so that a Brier score means something. */
  readonly probabilistic: boolean
  /** Whether it can say "cannot tell", and then flags nothing. */
  readonly canAbstain: boolean
  score(look: PostLook): number
}

const classicSettings: RateSettings = {
  detector: 'rate',
  multiplier: 20,
  minimumImpressions: 0,
  withoutImpressions: 'stalled',
}

/** Every detector, with what it may learn from the past posts. */
export function detectorsFor(past: Baseline): readonly Detector[] {
  const model = fitModel(past)
  return [
    { name: 'classic', probabilistic: true, canAbstain: false, score: scoreByRate },
    {
      name: 'last-90-min',
      probabilistic: false,
      canAbstain: false,
      score: ({ standing }) => -standing.gainInWindow,
    },
    {
      name: 'cumulative-quantile',
      probabilistic: true,
      canAbstain: false,
      score: ({ ranks }) => 1 - ranks.count,
    },
    { name: 'four-constants', probabilistic: true, canAbstain: true, score: scoreByFourConstants },
    {
      name: 'age-rank-prior',
      probabilistic: true,
      canAbstain: true,
      score: ({ ranks, standing }) => probability(priorModel, ranks, standing.ageMs),
    },
    {
      name: 'age-rank',
      probabilistic: true,
      canAbstain: true,
      score: ({ ranks, standing }) => probability(model, ranks, standing.ageMs),
    },
  ]
}

/** The engagement rate of the last 90 minutes; without impressions every post scores 1. */
function scoreByRate({ samples, standing }: PostLook): number {
  const recent = samples.filter(({ at }) => at >= standing.ageMs - windowMs)
  const signal = detectByRate(recent, classicSettings)
  if (signal.kind === 'no_signal') throw new Error('The classic score never abstains')
  return signal.score
}

/** The simplest form that was tried: the count and the last 90 minutes, with one weight each. */
function scoreByFourConstants({ ranks, standing }: PostLook): number {
  const { count, gainInWindow } = ranks
  const age = Math.log(standing.ageMs / hourMs)
  return sigmoid(-0.323 + 0.835 * lag(count) + 0.306 * lag(gainInWindow) + 0.125 * age)
}
