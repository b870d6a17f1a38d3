/**
 * Owns how a standing becomes a probability of stagnation:
 *
 *   P(stagnant) = σ(β·x), with the features x of features.ts
 *
 * A new account begins with the weights below. They were fitted on the first 70 % of the Facebook
 * curves of "News Popularity in Multiple Social Media Platforms" (Moniz & Torgo, 2018,
 * arXiv:1801.07055, topic Palestine, CC BY 4.0); `bench/detector.ts` fits them again. With its own
 * matured posts an account's weights move to what these show.
 */

import { hourMs } from '../duration.ts'
import { stagnantShare } from './ages.ts'
import { borrowUpTo } from './baseline.ts'
import type { Baseline } from './baseline.ts'
import { featuresOf, lowerBounds } from './features.ts'
import { dot, fitLogistic, sigmoid } from './logistic.ts'
import { ranksOfCurve } from './ranks.ts'
import type { Ranks } from './ranks.ts'

/** The weights in use, and how many of the account's own posts shaped them. */
export interface Model {
  readonly weights: readonly number[]
  readonly ownPosts: number
}

/** The weights of an account without a past of its own. */
export const priorModel: Model = {
  weights: [-0.52, 0.29, 0.29, 0.39, 0.12, 0.09, 0],
  ownPosts: 0,
}

/** From this many own posts on nothing is borrowed, and the weights are the account's. */
export const ownFitFrom = borrowUpTo

/**
 * The prior counts like this many posts, so the account's own take over little by little: half at
 * 20, four fifths at 80. Tried on Facebook curves cut into accounts of 20 to 300 posts: where the
 * prior is right the fit costs less than .001 of AUC, and where it is wrong most of the loss is
 * made good by 80 posts. With 80 in place of 20 it was made good far too slowly.
 */
const priorPosts = 20

/** The ages at which past posts are asked whether they went stagnant. */
const fitFromMs = hourMs
const fitToMs = 8 * hourMs

/** P(stagnant) of a post with these ranks at this age. */
export function probability(model: Model, ranks: Ranks, ageMs: number): number {
  return sigmoid(dot(model.weights, featuresOf(ranks, ageMs)))
}

/**
 * Fits the account's weights to its own past, pulled towards the prior. It costs milliseconds where
 * a look costs a microsecond, so it is done once for each baseline and not at each look.
 */
export function fitModel(baseline: Baseline): Model {
  if (baseline.ownSize < ownFitFrom) return priorModel
  const { rows, labels, weights } = examplesOf(baseline)
  const centre = priorModel.weights
  const pull = centre.map(() => 0)
  for (const [index, row] of rows.entries()) {
    const p = sigmoid(dot(centre, row))
    const information = ((weights[index] as number) * p * (1 - p) * priorPosts) / baseline.ownSize
    row.forEach((value, feature) => {
      pull[feature] = (pull[feature] as number) + information * value * value
    })
  }
  const fitted = fitLogistic({ rows, labels, weights, centre, pull, lowerBounds })
  return { weights: fitted, ownPosts: baseline.ownSize }
}

/** Past posts at several ages, with what became of them. */
export interface Examples {
  readonly rows: readonly (readonly number[])[]
  /** 1 where the post went stagnant. */
  readonly labels: readonly number[]
  /** All ages of a post count together as the post. */
  readonly weights: readonly number[]
}

/** Every own curve at the ages of the fit, ranked among the others and never among itself. */
export function examplesOf(baseline: Baseline): Examples {
  const rows: (readonly number[])[] = []
  const labels: number[] = []
  const weights: number[] = []
  const mean = baseline.weights.reduce((sum, weight) => sum + weight, 0) / baseline.size
  const ages = baseline.ages.filter(({ ageMs }) => ageMs >= fitFromMs && ageMs <= fitToMs)
  for (const age of ages) {
    const stagnantBelow = stagnantShare * age.expectedGain
    for (let row = 0; row < baseline.size; row += 1) {
      if (baseline.own[row] === 0) continue
      const weight = baseline.weights[row] as number
      const ranks = ranksOfCurve(age, row, weight)
      if (ranks === null) continue
      rows.push(featuresOf(ranks, age.ageMs))
      labels.push(Number((age.gainToCome[row] as number) < stagnantBelow))
      weights.push(weight / mean / ages.length)
    }
  }
  return { rows, labels, weights }
}
