/** The fit: that it finds the minimum, within its bounds. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dot, fitLogistic, sigmoid } from './logistic.ts'
import type { LogisticInput } from './logistic.ts'

const free = -Infinity

test('with a level alone the fit is the share of ones', () => {
  const labels = [1, 1, 1, 0]
  const [level] = fitLogistic({
    rows: labels.map(() => [1]),
    labels,
    weights: [1, 1, 1, 1],
    centre: [0],
    pull: [0],
    lowerBounds: [free],
  })
  expect(sigmoid(level ?? NaN)).toBeCloseTo(0.75, 6)
})

test('weights count like repetitions', () => {
  const rows = [
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 3],
  ]
  const common = { centre: [0, 0], pull: [0.5, 0.5], lowerBounds: [free, free] }
  const weighted = fitLogistic({ ...common, rows, labels: [0, 1, 0, 1], weights: [1, 2, 1, 1] })
  const repeated = fitLogistic({
    ...common,
    rows: [...rows, [1, 1]],
    labels: [0, 1, 0, 1, 1],
    weights: [1, 1, 1, 1, 1],
  })
  weighted.forEach((value, index) => expect(value).toBeCloseTo(repeated[index] ?? NaN, 5))
})

test('a strong pull holds the fit at its centre, a weak one keeps it finite', () => {
  const rows = [
    [1, -1],
    [1, -2],
    [1, 1],
    [1, 2],
  ]
  const common = { rows, labels: [0, 0, 1, 1], weights: [1, 1, 1, 1], lowerBounds: [free, free] }
  const held = fitLogistic({ ...common, centre: [0.3, 0.2], pull: [1e9, 1e9] })
  expect(held[1]).toBeCloseTo(0.2, 6)
  const separable = fitLogistic({ ...common, centre: [0, 0], pull: [0.01, 0.01] })
  expect(separable[1]).toBeGreaterThan(1)
  expect(separable[1]).toBeLessThan(20)
})

test('a start far off does not overshoot', () => {
  const labels = [0, 0, 0, 1]
  const [level] = fitLogistic({
    rows: labels.map(() => [1]),
    labels,
    weights: labels.map(() => 1),
    centre: [9],
    pull: [1e-9],
    lowerBounds: [free],
  })
  expect(sigmoid(level ?? NaN)).toBeCloseTo(0.25, 4)
})

const rows = fc.array(
  fc.tuple(
    fc.double({ min: -3, max: 3, noNaN: true }),
    fc.double({ min: -3, max: 3, noNaN: true }),
  ),
  { minLength: 5, maxLength: 40 },
)

test('at the fit no allowed move does better: the slope is 0, or points into the bound', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (xs, coins) => {
      const input: LogisticInput = {
        rows: xs.map(([a, b]) => [1, a, b]),
        labels: xs.map((_, index) => Number(coins[index])),
        weights: xs.map((_, index) => 1 + (index % 3)),
        centre: [0.1, 0.4, 0],
        pull: [0.5, 0.5, 0.5],
        lowerBounds: [free, 0, 0],
      }
      const beta = fitLogistic(input)
      beta.forEach((value, feature) => {
        let slope = 0.5 * (value - (input.centre[feature] ?? NaN))
        input.rows.forEach((row, index) => {
          const miss = sigmoid(dot(row, beta)) - (input.labels[index] ?? NaN)
          slope += (input.weights[index] ?? NaN) * miss * (row[feature] ?? NaN)
        })
        const bound = input.lowerBounds[feature] ?? NaN
        expect(value).toBeGreaterThanOrEqual(bound)
        expect(slope).toBeGreaterThan(-0.01)
        expect(slope).toBeLessThan(value > bound + 1e-6 ? 0.01 : Infinity)
      })
    }),
  )
})
