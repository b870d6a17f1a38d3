/**
 * Owns the choice among ways to act, by Thompson's rule: each is taken as often as it is likely to
 * be the best. The chance itself is computed and then drawn from with one number,
 *
 *   P(a is best) = ∫ φ(z) · Π Φ((μ_a + σ_a·z − μ_b) / σ_b) dz,   p_a = (1 − ε)·P(a is best) + ε/k
 *
 * because a choice is only of use later if the chance it was made with is known exactly. With ε > 0
 * none of the k ways is ever given up for good.
 */

import { InputError, shown } from '../input-error.ts'
import type { Belief } from './belief.ts'

/** One of the ways there were, and the chance it was given. */
export interface Option {
  readonly name: string
  readonly chance: number
}

/** What was chosen, from what, and how likely that was. */
export interface Choice {
  readonly chosen: string
  readonly propensity: number
  readonly options: readonly Option[]
}

export interface ChoiceInput {
  readonly names: readonly string[]
  /** One for each name. */
  readonly beliefs: readonly Belief[]
  /** ε: the share of choices that are made evenly. */
  readonly evenShare: number
  /** At least 0 and below 1. */
  readonly draw: number
}

/** Throws where there is nothing to choose from. */
export function choose({ names, beliefs, evenShare, draw }: ChoiceInput): Choice {
  if (names.length === 0 || names.length !== beliefs.length) {
    throw new InputError('names', `there are ${names.length} for ${beliefs.length} beliefs`)
  }
  if (!(draw >= 0 && draw < 1)) throw new InputError('draw', `${shown(draw)} is not in [0, 1)`)
  const best = chancesToBeBest(beliefs)
  const options = names.map((name, index) => ({
    name,
    chance: (1 - evenShare) * (best[index] as number) + evenShare / names.length,
  }))
  let rest = draw
  const index = options.findIndex(({ chance }) => (rest -= chance) < 0)
  // Sums of chances may miss 1 by their last bits.
  const { name, chance } = options.at(index) as Option
  return { chosen: name, propensity: chance, options }
}

/** z from −6 to 6 in steps of 0.05. */
const reach = 6
const step = 0.05
const points: readonly { readonly z: number; readonly weight: number }[] = Array.from(
  { length: (2 * reach) / step + 1 },
  (_, index) => {
    const z = index * step - reach
    return { z, weight: Math.exp((-z * z) / 2) }
  },
)

/** They sum to 1. */
export function chancesToBeBest(beliefs: readonly Belief[]): readonly number[] {
  const areas = beliefs.map(({ mean, deviation }, index) => {
    let area = 0
    for (const { z, weight } of points) {
      let product = weight
      beliefs.forEach((other, place) => {
        if (place === index) return
        product *= normalBelow((mean + deviation * z - other.mean) / other.deviation)
      })
      area += product
    }
    return area
  })
  const all = areas.reduce((sum, area) => sum + area, 0)
  return areas.map((area) => area / all)
}

/** Φ: the share of a normal distribution below z (Abramowitz & Stegun 26.2.17, to 7.5e-8). */
export function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
  return z >= 0 ? 1 - above : above
}
