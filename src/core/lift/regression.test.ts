/** The regression and its sums. */

import { expect, test } from 'vitest'
import { addTo, coefficientsOf, emptySums } from './regression.ts'

const rows = Array.from({ length: 400 }, (_, index) => {
  const x = Math.sin(index * 12.9898)
  const arm = index % 2 === 0 ? 0.5 : -0.5
  return { z: [1, arm, x], y: 3 + 0.4 * arm - 2 * x }
})

test('an exact relation is found, but for the pull of the ridge', () => {
  const sums = emptySums(3)
  for (const { z, y } of rows) addTo(sums, z, y, 1)
  const [level, effect, slope] = coefficientsOf(sums)
  expect(level).toBeCloseTo(3, 2)
  expect(effect).toBeCloseTo(0.4, 2)
  expect(slope).toBeCloseTo(-2, 1)
})

test('the coefficients solve (Σ z·zᵀ + ridge)·β = Σ z·y', () => {
  const sums = emptySums(3)
  for (const { z, y } of rows.slice(0, 7)) addTo(sums, z, y, 1)
  const beta = coefficientsOf(sums)
  for (let i = 0; i < 3; i += 1) {
    let left = (i === 0 ? 1e-6 : 1) * (beta[i] ?? NaN)
    for (let j = 0; j < 3; j += 1) left += (sums.products[i * 3 + j] ?? NaN) * (beta[j] ?? NaN)
    expect(left).toBeCloseTo(sums.moments[i] ?? NaN, 9)
  }
})

test('what is taken away leaves no trace', () => {
  const sums = emptySums(3)
  for (const { z, y } of rows.slice(0, 20)) addTo(sums, z, y, 1)
  const before = coefficientsOf(sums)
  addTo(sums, [1, 0.5, 7], 100, 1)
  expect(coefficientsOf(sums)[0]).not.toBeCloseTo(before[0] ?? NaN, 3)
  addTo(sums, [1, 0.5, 7], 100, -1)
  coefficientsOf(sums).forEach((value, index) => {
    expect(value).toBeCloseTo(before[index] ?? NaN, 9)
  })
})

test('without any observation everything is predicted to be 0', () => {
  expect(coefficientsOf(emptySums(3))).toEqual([0, 0, 0])
})
