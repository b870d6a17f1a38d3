/** Owns the ages at which past posts are remembered, and the question that a score answers. */

import { hourMs, minuteMs } from '../duration.ts'

/**
 * A past post keeps its counts at these ages and no others. They are dense where posts differ, and
 * half of most of them, or the moment 90 minutes before, is an age of the list as well.
 */
export const baselineAgesMs: readonly number[] = [
  20 * minuteMs,
  40 * minuteMs,
  hourMs,
  1.5 * hourMs,
  2 * hourMs,
  2.5 * hourMs,
  3 * hourMs,
  4 * hourMs,
  4.5 * hourMs,
  6 * hourMs,
  8 * hourMs,
  9.5 * hourMs,
  12 * hourMs,
  24 * hourMs,
  48 * hourMs,
]

/** A post is matured at this age: what it gains later is not asked for. */
export const horizonMs = 48 * hourMs

/** Younger than the first age that is remembered, no post can be compared. */
export const youngestMs = 20 * minuteMs

/** The recent gain is what came in during this long. */
export const windowMs = 90 * minuteMs

/**
 * Up to this age the baseline ages are close enough to read 90 minutes off a curve. Later the gain
 * since half the age stands in for it.
 */
export const windowUpToMs = 12 * hourMs

/** A post is stagnant if from now to the horizon it gains less than this share of the usual. */
export const stagnantShare = 0.25
