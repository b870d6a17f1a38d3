/**
 * Owns the answer to "does it help?": the measured effect against posts held out at random, with an
 * interval that may be looked at any time. Before-and-after is never compared: a post is flagged
 * when it is at its worst, and does better afterwards even if nothing is done.
 */

import { effectScores, firstBlock } from './effect-scores.ts'
import type { MeasuredPost } from './effect-scores.ts'
import { halfWidth, postsToShow } from './interval.ts'

/** An effect smaller than ×1.2 is not waited for. */
export const smallestEffect = Math.log(1.2)

/** Fewer posts than this say nothing. */
export const minimumPosts = firstBlock

/**
 * Nor do fewer in either arm. With 5 of them, a holdout of 20 % raised up to 6.8 % false alarms on
 * heavy tails with many zeros; with 15 it stays below 5 % in every world of bench/lift.ts.
 */
export const minimumPerArm = 15

export type LiftVerdict = 'helps' | 'hurts' | 'unproven'

/** The effect on Y, and as a share: 0.5 is half as much again. */
export interface Effect {
  /** τ̂, the mean of the scores. */
  readonly mean: number
  /** σ̂, their standard deviation. */
  readonly deviation: number
  readonly lower: number
  readonly upper: number
  /** e^τ̂ − 1, with its bounds. */
  readonly lift: number
  readonly lowerLift: number
  readonly upperLift: number
}

export interface Lift {
  readonly verdict: LiftVerdict
  readonly posts: number
  readonly acted: number
  readonly heldOut: number
  /** Null while there are too few posts. */
  readonly effect: Effect | null
  /**
   * About how many more posts would prove the effect if it is what it seems, or ×1.2 if it seems
   * smaller; at least how many, while there are too few. 0 once it is proven, and null where an
   * effect of ×1.2 would have shown by now.
   */
  readonly morePosts: number | null
}

/** Measures the lift over all given posts. The same posts in any order give the same answer. */
export function measureLift(posts: readonly MeasuredPost[]): Lift {
  const acted = posts.filter(({ arm }) => arm === 'act').length
  const heldOut = posts.length - acted
  const counts = { posts: posts.length, acted, heldOut }
  const missing = Math.max(minimumPosts - posts.length, minimumPerArm - Math.min(acted, heldOut))
  if (missing > 0) return { ...counts, verdict: 'unproven', effect: null, morePosts: missing }
  const effect = effectOf(effectScores(posts))
  const verdict = effect.lower > 0 ? 'helps' : effect.upper < 0 ? 'hurts' : 'unproven'
  const morePosts = verdict === 'unproven' ? morePostsFor(effect, posts.length) : 0
  return { ...counts, verdict, effect, morePosts }
}

/** The lift of each group by itself: an action, a tier, a platform, an account. */
export function measureLiftBy<Post extends MeasuredPost>(
  posts: readonly Post[],
  groupOf: (post: Post) => string,
): ReadonlyMap<string, Lift> {
  const groups = Map.groupBy(posts, groupOf)
  const names = [...groups.keys()].sort()
  return new Map(names.map((name) => [name, measureLift(groups.get(name) ?? [])]))
}

/** The estimate and its interval from what each post says. */
export function effectOf(scores: readonly number[]): Effect {
  const posts = scores.length
  const mean = scores.reduce((sum, score) => sum + score, 0) / posts
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (posts - 1))
  const half = halfWidth(posts, deviation)
  return {
    mean,
    deviation,
    lower: mean - half,
    upper: mean + half,
    lift: Math.expm1(mean),
    lowerLift: Math.expm1(mean - half),
    upperLift: Math.expm1(mean + half),
  }
}

function morePostsFor({ mean, deviation, upper }: Effect, posts: number): number | null {
  const seeming = Math.abs(mean)
  const half = upper - mean
  if (seeming < smallestEffect && half <= smallestEffect) return null
  return Math.max(1, postsToShow(Math.max(seeming, smallestEffect), deviation) - posts)
}
