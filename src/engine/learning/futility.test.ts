/** When an action counts as one that does not help. */

import { describe, expect, it } from 'vitest'
import type { MeasuredPost } from '../../core/lift/effect-scores.ts'
import { countWithoutLift } from './futility.ts'

/** Posts in turns of both arms; what the acted-on ones gain more is given by their place. */
function posts(count: number, gainAt: (index: number) => number): readonly MeasuredPost[] {
  return Array.from({ length: count }, (_, index) => {
    const acted = index % 2 === 0
    // Some noise that is the same in both arms.
    const noise = ((Math.floor(index / 2) * 7) % 5) / 10
    return {
      postId: `post-${String(index).padStart(5, '0')}`,
      arm: acted ? 'act' : 'holdout',
      propensity: 0.5,
      outcome: 2 + noise + (acted ? gainAt(index) : 0),
      covariates: [],
      maturedAt: index,
    }
  })
}

describe('counting actions without lift', () => {
  it('counts nothing before there are enough posts for an estimate', () => {
    expect(countWithoutLift([])).toBe(0)
    expect(countWithoutLift(posts(29, () => -1))).toBe(0)
  })

  it('counts each acted-on post from then on where the action does nothing', () => {
    expect(countWithoutLift(posts(30, () => 0))).toBe(0)
    expect(countWithoutLift(posts(31, () => 0))).toBe(1)
    expect(countWithoutLift(posts(130, () => 0))).toBe(50)
  })

  it('counts an action that does harm as well', () => {
    expect(countWithoutLift(posts(130, () => -1))).toBe(50)
  })

  it('is 0 where the action helps, also by little once that is proven', () => {
    expect(countWithoutLift(posts(130, () => 1))).toBe(0)
    expect(countWithoutLift(posts(2000, () => 0.15))).toBe(0)
  })

  it('is 0 where it seems to help and nothing is proven yet', () => {
    const wild = posts(60, (index) => (index % 4 === 0 ? 3 : -2))
    expect(countWithoutLift(wild)).toBe(0)
  })

  it('begins again when the action stops helping', () => {
    const faded = posts(600, (index) => (index < 100 ? 0.5 : -0.5))
    const count = countWithoutLift(faded)
    expect(count).toBeGreaterThan(100)
    expect(count).toBeLessThan(250)
  })

  it('does not depend on the order in which posts are given', () => {
    const given = posts(130, () => 0)
    expect(countWithoutLift(given.toReversed())).toBe(countWithoutLift(given))
  })
})
