/** What each post says about the effect, and that it says it once. */

import { expect, test } from 'vitest'
import { InputError } from '../input-error.ts'
import { effectScores } from './effect-scores.ts'
import type { MeasuredPost } from './effect-scores.ts'

const posts: readonly MeasuredPost[] = Array.from({ length: 80 }, (_, index) => {
  const x = Math.sin(index * 78.233)
  const acted = Math.sin(index * 12.9898) > 0
  return {
    postId: `post-${index}`,
    arm: acted ? 'act' : 'holdout',
    propensity: 0.5,
    outcome: 2 + x + (acted ? 0.7 : 0) + Math.sin(index * 4.1414),
    covariates: [x],
    maturedAt: index * 1000,
  }
})

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

test('the mean of the scores is near the effect', () => {
  expect(mean(effectScores(posts))).toBeCloseTo(0.7, 0)
})

test('what a post has said does not change when others follow', () => {
  const all = effectScores(posts)
  for (const count of [30, 31, 50, 79]) {
    effectScores(posts.slice(0, count)).forEach((score, index) => {
      expect(score).toBeCloseTo(all[index] ?? NaN, 9)
    })
  }
})

test('the order in which posts come in does not matter, even for two at one instant', () => {
  const together = posts.map((post) => ({ ...post, maturedAt: Math.floor(post.maturedAt / 5000) }))
  expect(effectScores(together.toReversed())).toEqual(effectScores(together))
})

test('no post is predicted from itself', () => {
  const wild = posts.with(3, Object.assign({}, posts[3], { outcome: 1000 }))
  const [tame, changed] = [effectScores(posts)[3] ?? NaN, effectScores(wild)[3] ?? NaN]
  const sign = posts[3]?.arm === 'act' ? 1 : -1
  // Only the surprise may change: (1000 − y) / π, nothing of it swallowed by the prediction.
  expect(changed - tame).toBeCloseTo((sign * (1000 - (posts[3]?.outcome ?? NaN))) / 0.5, 6)
})

test('a level that all outcomes share says nothing about the effect', () => {
  const shifted = posts.map((post) => ({ ...post, outcome: post.outcome + 50 }))
  effectScores(shifted).forEach((score, index) => {
    expect(score).toBeCloseTo(effectScores(posts)[index] ?? NaN, 3)
  })
})

test('where outcomes can be foretold, every post says the same', () => {
  const foretold = posts.map((post, index) => {
    const acted = index % 5 !== 0
    const outcome = 2 + (post.covariates[0] ?? NaN) + (acted ? 0.7 : 0)
    return { ...post, arm: acted ? 'act' : 'holdout', propensity: 0.8, outcome } as const
  })
  for (const score of effectScores(foretold).slice(40))
    expect(Math.abs(score - 0.7)).toBeLessThan(0.5)
})

test('an unequal draw is weighed by its chance', () => {
  const unequal = posts.map((post, index) => {
    const acted = index % 5 !== 0
    const outcome = post.covariates[0] ?? NaN
    return { ...post, arm: acted ? 'act' : 'holdout', propensity: 0.8, outcome } as const
  })
  expect(Math.abs(mean(effectScores(unequal)))).toBeLessThan(0.2)
})

test.each([
  ['a chance of 1', { propensity: 1 }],
  ['a chance of 0', { propensity: 0 }],
  ['an outcome that is no number', { outcome: NaN }],
  ['a covariate that is infinite', { covariates: [Infinity] }],
  ['other covariates than the rest', { covariates: [1, 2] }],
])('%s is refused', (_, wrong) => {
  const spoilt = posts.with(40, Object.assign({}, posts[40], wrong))
  expect(() => effectScores(spoilt)).toThrow(InputError)
})

test('without posts nothing is said', () => {
  expect(effectScores([])).toEqual([])
})
