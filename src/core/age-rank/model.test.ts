/** The score by hand, and how an account takes over from the prior. */

import { expect, test } from 'vitest'
import { hourMs } from '../duration.ts'
import { baselineAgesMs } from './ages.ts'
import { layOut } from './baseline.ts'
import type { Curve } from './curve.ts'
import { featureNames, featuresOf } from './features.ts'
import { examplesOf, fitModel, ownFitFrom, priorModel, probability } from './model.ts'
import type { Ranks } from './ranks.ts'

const middling: Ranks = {
  count: 0.5,
  gainSinceHalf: 0.5,
  gainInWindow: 0.5,
  impressionsSinceHalf: null,
}
const weightOf = (weights: readonly number[], name: (typeof featureNames)[number]): number =>
  weights[featureNames.indexOf(name)] ?? NaN

/** A repeatable scatter of fractions. */
const scatter = (index: number, salt: number): number => {
  const value = Math.sin((index + 1) * 12.9898 + salt * 78.233) * 43758.5453
  return value - Math.floor(value)
}

/** What comes in at once says nothing here; only impressions foretell what comes after 8 hours. */
function accountLedByImpressions(count: number): Curve[] {
  return Array.from({ length: count }, (_, index) => {
    const early = 20 + Math.floor(100 * scatter(index, 1))
    const shown = 1000 * scatter(index, 2)
    return {
      publishedAt: index,
      counts: baselineAgesMs.map((ageMs) => {
        const late = ageMs <= 8 * hourMs ? 0 : shown ** 2 / 5000
        return early * Math.min(1, ageMs / hourMs) + late
      }),
      impressions: baselineAgesMs.map((ageMs) => (shown * ageMs) / hourMs),
      weight: 1,
      own: true,
    }
  })
}

test('a middling post at one hour scores what the level alone says', () => {
  expect(probability(priorModel, middling, hourMs)).toBeCloseTo(1 / (1 + Math.exp(0.52)), 12)
})

test('the formula, by hand: a post behind nine in ten at 4 hours', () => {
  const behind = { count: 0.1, gainSinceHalf: 0.1, gainInWindow: 0.1, impressionsSinceHalf: null }
  const lag = Math.log(9)
  const z = -0.52 + lag * (0.29 + 0.29 * Math.log(12) + 0.39 + 0.12) + 0.09 * Math.log(4)
  expect(probability(priorModel, behind, 4 * hourMs)).toBeCloseTo(1 / (1 + Math.exp(-z)), 12)
})

test('ranks beyond 1 in 100 say no more than that', () => {
  expect(featuresOf({ ...middling, count: 0.001 }, hourMs)).toEqual(
    featuresOf({ ...middling, count: 0.01 }, hourMs),
  )
})

test('with too few own posts the weights are the prior', () => {
  const few = accountLedByImpressions(ownFitFrom - 1)
  expect(fitModel(layOut(few))).toBe(priorModel)
  const borrowed = accountLedByImpressions(100).map((curve) => Object.assign(curve, { own: false }))
  expect(fitModel(layOut([...few, ...borrowed]))).toBe(priorModel)
})

test('the account takes over from the prior little by little', () => {
  const [some, more, most] = [20, 80, 200].map((count) => {
    const model = fitModel(layOut(accountLedByImpressions(count)))
    expect(model.ownPosts).toBe(count)
    return weightOf(model.weights, 'impressionsSinceHalf')
  })
  expect(some).toBeGreaterThan(0.2)
  expect(more).toBeGreaterThan(some ?? NaN)
  expect(most).toBeGreaterThan(more ?? NaN)
})

test('an account that impressions lead is judged by its impressions', () => {
  const model = fitModel(layOut(accountLedByImpressions(150)))
  const seen = { ...middling, impressionsSinceHalf: 0.9 }
  const unseen = { ...middling, impressionsSinceHalf: 0.1 }
  expect(probability(model, seen, 4 * hourMs)).toBeLessThan(0.2)
  expect(probability(model, unseen, 4 * hourMs)).toBeGreaterThan(0.5)
  expect(probability(priorModel, seen, 4 * hourMs)).toBe(
    probability(priorModel, unseen, 4 * hourMs),
  )
})

test('no fit lets engagement count against a post', () => {
  // Here the posts that start fast are those that stop: an honest fit would turn the weights round.
  const perverse = Array.from({ length: 120 }, (_, index): Curve => {
    const early = 5 + Math.floor(200 * scatter(index, 3))
    return {
      publishedAt: index,
      counts: baselineAgesMs.map((ageMs) =>
        Math.floor(early * Math.min(1, ageMs / hourMs) + (400 * ageMs) / (48 * hourMs) / early),
      ),
      impressions: null,
      weight: 1,
      own: true,
    }
  })
  const { weights } = fitModel(layOut(perverse))
  for (const name of ['count', 'countByAge', 'gainSinceHalf', 'gainInWindow'] as const) {
    expect(weightOf(weights, name)).toBeGreaterThanOrEqual(0)
  }
})

test('every own post counts as one, however many ages it was observed at', () => {
  const curves = accountLedByImpressions(40)
  const { weights, rows, labels } = examplesOf(layOut(curves))
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(40, 9)
  expect(rows).toHaveLength(labels.length)
  expect(rows.every((row) => row.length === featureNames.length)).toBe(true)
  const [ones, all] = [labels.filter((label) => label === 1).length, labels.length]
  expect(ones).toBeGreaterThan(0)
  expect(ones).toBeLessThan(all)
})

test('the order of the curves does not matter', () => {
  const curves = accountLedByImpressions(60)
  const [there, back] = [fitModel(layOut(curves)), fitModel(layOut(curves.toReversed()))]
  there.weights.forEach((weight, index) => {
    expect(weight).toBeCloseTo(back.weights[index] ?? NaN, 6)
  })
})
