/** Tests where each tier begins. */

import { describe, expect, it } from 'vitest'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import { chooseTier } from './tier.ts'

const justBelow = (score: number) => score - Number.EPSILON

describe('chooseTier', () => {
  it.each([
    [1, 'tier_3', 0.8],
    [0.8, 'tier_3', 0.8],
    [justBelow(0.8), 'tier_2', 0.55],
    [0.55, 'tier_2', 0.55],
    [justBelow(0.55), 'tier_1', 0.3],
    [0.3, 'tier_1', 0.3],
    [justBelow(0.3), 'healthy', 0.3],
    [0, 'healthy', 0.3],
  ])('takes %d for %s under standard', (score, tier, threshold) => {
    expect(chooseTier(score, standardPolicy.tiers.rate)).toEqual({ tier, score, threshold })
  })

  it.each([
    [0.8, 'tier_3'],
    [justBelow(0.8), 'tier_2'],
    [0.55, 'tier_2'],
    [justBelow(0.55), 'tier_1'],
    [0, 'tier_1'],
  ])('takes %d for %s under classic', (score, tier) => {
    expect(chooseTier(score, classicPolicy.tiers.rate).tier).toBe(tier)
  })
})
