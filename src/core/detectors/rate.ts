/**
 * The classic score: the engagement rate between the first and the last sample, turned round.
 *
 *   score = 1 − min(1, multiplier × Δengagements / Δimpressions)
 *
 * It needs impressions. Where a network gives none it cannot tell a dead post from a lively one.
 */

import type { Sample } from '../sample.ts'

export interface RateSettings {
  readonly detector: 'rate'
  /** A rate of 1 / multiplier or more scores 0. */
  readonly multiplier: number
  /** Fewer new impressions than this prove nothing. */
  readonly minimumImpressions: number
  /** What to make of a post with no new impressions at all. */
  readonly withoutImpressions: 'stalled' | 'insufficient'
}

export interface RateNumbers {
  readonly detector: 'rate'
  readonly impressionsGained: number
  readonly engagementsGained: number
  readonly rate: number
  readonly multiplier: number
}

export type RateSignal = { readonly kind: 'signal'; readonly score: number } & RateNumbers

/** What was missing: `count` of it was there, `minimum` is needed. */
export interface NoRateSignal {
  readonly kind: 'no_signal'
  readonly detector: 'rate'
  readonly reason: 'no_impressions' | 'too_few_impressions'
  readonly count: number
  readonly minimum: number
}

export function detectByRate(
  samples: readonly Sample[],
  settings: Omit<RateSettings, 'detector'>,
): RateSignal | NoRateSignal {
  const first = samples.find((sample) => sample.impressions !== null)
  const last = lastWithImpressions(samples)
  const impressionsGained = gained(first?.impressions, last?.impressions)
  if (settings.withoutImpressions === 'insufficient') {
    const lack = {
      kind: 'no_signal',
      detector: 'rate',
      minimum: settings.minimumImpressions,
    } as const
    if (first === last) return { ...lack, reason: 'no_impressions', count: 0 }
    if (impressionsGained < settings.minimumImpressions) {
      return { ...lack, reason: 'too_few_impressions', count: impressionsGained }
    }
  }
  const engagementsGained = gained(first?.engagements, last?.engagements)
  const rate = impressionsGained > 0 ? engagementsGained / impressionsGained : 0
  return {
    kind: 'signal',
    detector: 'rate',
    score: 1 - Math.min(1, rate * settings.multiplier),
    impressionsGained,
    engagementsGained,
    rate,
    multiplier: settings.multiplier,
  }
}

/** Searched from the end: it is nearly always the newest. */
function lastWithImpressions(samples: readonly Sample[]): Sample | undefined {
  let index = samples.length - 1
  while (samples[index]?.impressions === null) index -= 1
  return samples[index]
}

/** A counter never loses what it had gained; a fall is noise. */
function gained(first: Sample['impressions'] | undefined, last: Sample['impressions'] | undefined) {
  return Math.max(0, (last ?? 0) - (first ?? 0))
}
