/** The width of the interval, and how many posts make it narrow enough. */

import { expect, test } from 'vitest'
import { halfWidth, postsToShow } from './interval.ts'

test('half the width follows the formula', () => {
  // Computed apart from this code, with ρ² = (5.99146 + ln 6.99146) / 200 = 0.03968.
  expect(halfWidth(30, 1)).toBeCloseTo(0.644652, 6)
  expect(halfWidth(200, 1)).toBeCloseTo(0.214622, 6)
  expect(halfWidth(600, 1)).toBeCloseTo(0.12642, 6)
})

test('it is as wide as the scores deviate, and narrows with every post', () => {
  expect(halfWidth(100, 3)).toBeCloseTo(3 * halfWidth(100, 1), 12)
  for (let posts = 2; posts < 5000; posts += 1) {
    expect(halfWidth(posts, 1)).toBeLessThan(halfWidth(posts - 1, 1))
  }
})

test('it is wider than the interval of a single look', () => {
  for (const posts of [30, 200, 600, 10_000]) {
    expect(halfWidth(posts, 1)).toBeGreaterThan(1.96 / Math.sqrt(posts))
  }
})

test.each([
  [Math.log(2), 2.4],
  [Math.log(1.5), 2.4],
  [Math.log(1.2), 2.4],
])('the posts that show an effect of %d are the first that suffice', (effect, deviation) => {
  const posts = postsToShow(effect, deviation)
  expect(halfWidth(posts, deviation)).toBeLessThanOrEqual(effect)
  expect(halfWidth(posts - 1, deviation)).toBeGreaterThan(effect)
})

test('what would take for ever is a million', () => {
  expect(postsToShow(0, 1)).toBe(1_000_000)
})
