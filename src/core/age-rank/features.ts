/**
 * Owns what a score is made of. Everything but the age is a rank, turned so that a lagging post has
 * large values:
 *
 *   L(u) = −logit(clip(u, .01, .99))
 *
 * More engagement can only lower these, so with weights of at least 0 it never raises the score.
 */

import { hourMs } from '../duration.ts'
import { youngestMs } from './ages.ts'
import type { Ranks } from './ranks.ts'

/** The features, in the order of all weights. */
export const featureNames = [
  'one',
  'count',
  'countByAge',
  'gainSinceHalf',
  'gainInWindow',
  'age',
  'impressionsSinceHalf',
] as const

/** Which weights may not be negative: those of features that fall as engagement rises. */
export const lowerBounds: readonly number[] = [-Infinity, 0, 0, 0, 0, -Infinity, -Infinity]

const clip = 0.01

export function featuresOf(ranks: Ranks, ageMs: number): readonly number[] {
  const count = lag(ranks.count)
  return [
    1,
    count,
    // The older the post, the more its count tells. Counted from the youngest age, so it is ≥ 0.
    count * Math.log(Math.max(1, ageMs / youngestMs)),
    lag(ranks.gainSinceHalf),
    lag(ranks.gainInWindow),
    Math.log(ageMs / hourMs),
    // Impressions say how many saw it, not whether they cared: their weight may have either sign.
    ranks.impressionsSinceHalf === null ? 0 : lag(ranks.impressionsSinceHalf),
  ]
}

/** L(u): large where the post lags behind, 0 in the middle. */
export function lag(rank: number): number {
  const u = Math.min(1 - clip, Math.max(clip, rank))
  return Math.log((1 - u) / u)
}
