/**
 * Owns when an action counts as futile: how many acted-on posts in a row, counted back from the
 * newest, found the action without lift when their time was up.
 *
 * Without lift means that the estimate by then was below the smallest effect that is waited for,
 * and its interval did not show that it helps. Unproven alone is no failing: an action that makes
 * half as much again of a post takes some 300 posts to prove, and a guard that stops it after 40
 * would make sure that it never is. Before there is an estimate nothing was found either way.
 */

import { byMaturity, effectScores } from '../../core/lift/effect-scores.ts'
import type { MeasuredPost } from '../../core/lift/effect-scores.ts'
import { halfWidth } from '../../core/lift/interval.ts'
import { minimumPerArm, minimumPosts, smallestEffect } from '../../core/lift/lift.ts'

/** Posts of one account and one action, in both arms and in any order. */
export function countWithoutLift(posts: readonly MeasuredPost[]): number {
  const ordered = byMaturity(posts)
  const scores = effectScores(posts)
  let mean = 0
  let squares = 0
  let acted = 0
  let inARow = 0
  ordered.forEach(({ arm }, index) => {
    const count = index + 1
    const score = scores[index] as number
    const step = score - mean
    mean += step / count
    squares += step * (score - mean)
    acted += Number(arm === 'act')
    if (count < minimumPosts || Math.min(acted, count - acted) < minimumPerArm) return
    const half = halfWidth(count, Math.sqrt(squares / (count - 1)))
    if (mean >= smallestEffect || mean - half > 0) inARow = 0
    else if (arm === 'act') inARow += 1
  })
  return inARow
}
