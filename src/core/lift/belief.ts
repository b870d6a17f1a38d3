/**
 * Owns what is held to be true of the effect of each way to act, from what posts said about it
 * (ψ, see effect-scores.ts): a normal belief whose evidence fades with its age.
 *
 *   precision = 1/τ² + Σw/σ²,   mean = (μ/τ² + Σw·ψ/σ²) / precision,   w = 2^(−age / half-life)
 *
 * As all evidence fades, a belief widens towards its prior again, so that a way that once did not
 * help is tried anew: what works today need not work next year (discounted Thompson sampling, Raj &
 * Kalyani, 2017, arXiv:1707.09727).
 */

import type { Instant } from '../instant.ts'

/** What one post said about the way that was wanted for it, in either arm. */
export interface Observation {
  readonly option: string
  /** ψ of the post. */
  readonly score: number
  readonly maturedAt: Instant
}

export interface Belief {
  readonly mean: number
  readonly deviation: number
}

/** τ: until more is seen, ways to act are held to differ from each other by about ×1.5. */
export const priorDeviation = 0.4

/** σ: how much scores deviate, as measured on real posts; it counts like this many posts. */
const usualDeviation = 2
const usualPosts = 10

export interface BeliefInput {
  readonly options: readonly string[]
  /** Those of other options are passed over. */
  readonly observations: readonly Observation[]
  readonly now: Instant
  /** After this long an observation counts half. */
  readonly halfLifeMs: number
}

/** A belief for each option, in their order. */
export function beliefsOf(input: BeliefInput): readonly Belief[] {
  const faded = fade(input)
  const variance = varianceOf(faded)
  // What was never tried is taken to do as well as the others do on the whole.
  const all = combine(0, variance, faded.reduce(add, nothing))
  return faded.map((sums) => combine(all.mean, variance, sums))
}

/** Weighted sums over one option's scores. */
interface Sums {
  readonly weight: number
  readonly scores: number
  readonly squares: number
}

const nothing: Sums = { weight: 0, scores: 0, squares: 0 }

function add(a: Sums, b: Sums): Sums {
  return {
    weight: a.weight + b.weight,
    scores: a.scores + b.scores,
    squares: a.squares + b.squares,
  }
}

function fade({ options, observations, now, halfLifeMs }: BeliefInput): readonly Sums[] {
  const sums = new Map<string, Sums>(options.map((option) => [option, nothing]))
  for (const { option, score, maturedAt } of observations) {
    const known = sums.get(option)
    if (known === undefined) continue
    const weight = 2 ** (-Math.max(0, now - maturedAt) / halfLifeMs)
    sums.set(option, add(known, { weight, scores: weight * score, squares: weight * score ** 2 }))
  }
  return options.map((option) => sums.get(option) ?? nothing)
}

/** σ², around each option's own mean, pulled to the usual while there is little. */
function varianceOf(faded: readonly Sums[]): number {
  let squares = usualPosts * usualDeviation ** 2
  let weight = usualPosts
  for (const one of faded) {
    if (one.weight === 0) continue
    squares += Math.max(0, one.squares - one.scores ** 2 / one.weight)
    weight += one.weight
  }
  return squares / weight
}

function combine(priorMean: number, variance: number, { weight, scores }: Sums): Belief {
  const priorPrecision = 1 / priorDeviation ** 2
  const precision = priorPrecision + weight / variance
  const mean = (priorMean * priorPrecision + scores / variance) / precision
  return { mean, deviation: Math.sqrt(1 / precision) }
}
