/**
 * Owns what one post says about the effect (augmented inverse propensity weighting):
 *
 *   ψ = m₁(x) − m₀(x) + a·(y − m₁(x)) / π − (1 − a)·(y − m₀(x)) / (1 − π)
 *
 * Its mean is the effect, whatever m₁ and m₀ predict, because the arm was drawn with the known
 * chance π. They are predicted from earlier posts alone, or among the first ones from each other,
 * and never from the post itself, so what a post has once said stays.
 */

import type { Arm } from '../decision-input.ts'
import type { Instant } from '../instant.ts'
import { InputError, shown } from '../input-error.ts'
import { addTo, coefficientsOf, emptySums } from './regression.ts'
import type { Sums } from './regression.ts'

/** A post whose time is up, in the arm it was drawn into, whatever was then done. */
export interface MeasuredPost {
  readonly postId: string
  readonly arm: Arm
  /** How likely it was to be acted on, as logged with the draw. */
  readonly propensity: number
  /** Y, see outcome.ts. */
  readonly outcome: number
  /** What was known before the draw and may foretell the outcome, of about unit scale. */
  readonly covariates: readonly number[]
  readonly maturedAt: Instant
}

/** Nobody looks before there are this many posts, so these may be predicted from each other. */
export const firstBlock = 30

/** What each post says, in the order in which their time was up. */
export function effectScores(posts: readonly MeasuredPost[]): readonly number[] {
  const observed = byMaturity(posts).map(observe)
  const size = observed[0]?.features.length ?? 0
  for (const { features, post } of observed) {
    if (features.length !== size) {
      throw new InputError('covariates', `post ${post.postId} has another number of them`)
    }
  }
  const sums = emptySums(size)
  const block = observed.slice(0, firstBlock)
  for (const { features, post } of block) addTo(sums, features, post.outcome, 1)
  const scores = block.map((one) => {
    addTo(sums, one.features, one.post.outcome, -1)
    const score = scoreOf(one, sums)
    addTo(sums, one.features, one.post.outcome, 1)
    return score
  })
  for (const one of observed.slice(firstBlock)) {
    scores.push(scoreOf(one, sums))
    addTo(sums, one.features, one.post.outcome, 1)
  }
  return scores
}

interface Observed {
  readonly post: MeasuredPost
  readonly features: readonly number[]
}

/** By maturity; of several at one instant the order is that of their names, not of arrival. */
export function byMaturity<Post extends MeasuredPost>(posts: readonly Post[]): readonly Post[] {
  return posts.toSorted(
    (a, b) => a.maturedAt - b.maturedAt || (a.postId < b.postId ? -1 : a.postId > b.postId ? 1 : 0),
  )
}

function observe(post: MeasuredPost): Observed {
  const { propensity, outcome, covariates } = post
  if (!(propensity > 0 && propensity < 1)) {
    throw new InputError('propensity', `${shown(propensity)} of post ${post.postId} was no draw`)
  }
  if (![outcome, ...covariates].every(Number.isFinite)) {
    throw new InputError('outcome', `post ${post.postId} has a number that is not finite`)
  }
  return { post, features: [1, Number(post.arm === 'act') - propensity, ...covariates] }
}

function scoreOf({ post, features }: Observed, others: Sums): number {
  const { arm, propensity, outcome } = post
  const coefficients = coefficientsOf(others)
  const effect = coefficients[1] as number
  let level = 0
  features.forEach((value, index) => {
    if (index !== 1) level += value * (coefficients[index] as number)
  })
  const ifActed = level + effect * (1 - propensity)
  const ifLeft = level - effect * propensity
  const surprise =
    arm === 'act' ? (outcome - ifActed) / propensity : -(outcome - ifLeft) / (1 - propensity)
  return ifActed - ifLeft + surprise
}
