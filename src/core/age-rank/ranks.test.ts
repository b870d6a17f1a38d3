/** How a post is measured and ranked, at the baseline ages and between them. */

import { expect, test } from 'vitest'
import { hourMs } from '../duration.ts'
import { baselineAgesMs } from './ages.ts'
import { layOut } from './baseline.ts'
import type { Curve } from './curve.ts'
import { compare, ranksOfCurve, standingAt } from './ranks.ts'
import type { Standing } from './ranks.ts'

/** The k-th post gains k engagements and 100·k impressions an hour. */
const curves: readonly Curve[] = Array.from({ length: 9 }, (_, index) => ({
  publishedAt: index,
  counts: baselineAgesMs.map((ageMs) => ((index + 1) * ageMs) / hourMs),
  impressions: baselineAgesMs.map((ageMs) => (100 * (index + 1) * ageMs) / hourMs),
  weight: 1,
  own: index % 2 === 0,
}))
const baseline = layOut(curves)

const standing = (ageHours: number, overrides: Partial<Standing> = {}): Standing => ({
  ageMs: ageHours * hourMs,
  count: 0,
  gainSinceHalf: 0,
  gainInWindow: 0,
  impressionsSinceHalf: null,
  ...overrides,
})

test('what is measured on a post is its count and what came in lately', () => {
  const series = { agesMs: [2, 4, 6, 8].map((hours) => hours * hourMs), counts: [10, 40, 60, 64] }
  const shown = { agesMs: series.agesMs, counts: [100, 400, 600, 640] }
  expect(standingAt(series, shown, 8 * hourMs)).toEqual({
    ageMs: 8 * hourMs,
    count: 64,
    gainSinceHalf: 24,
    gainInWindow: 3,
    impressionsSinceHalf: 240,
  })
  expect(standingAt(series, null, 6 * hourMs)?.impressionsSinceHalf).toBeNull()
  expect(standingAt(series, null, 9 * hourMs)).toBeNull()
})

test('at a baseline age each measure is ranked among what past posts showed then', () => {
  // At 4 hours the k-th had 4k, of it 2k since half its age and 1.5k in 90 minutes.
  const post = standing(4, {
    count: 14,
    gainSinceHalf: 11,
    gainInWindow: 1,
    impressionsSinceHalf: 200,
  })
  expect(compare(baseline, post)).toEqual({
    ranks: {
      count: (3 + 3 + 1) / 20,
      gainSinceHalf: (5 + 5 + 1) / 20,
      gainInWindow: 1 / 20,
      impressionsSinceHalf: (0 + 1 + 1) / 20,
    },
    curves: 9,
    ownCurves: 5,
  })
})

test('between two baseline ages the ranks are on the line between both', () => {
  // 5 hours is a third of the way from 4.5 to 6 hours.
  const post = standing(5, { count: 20, gainSinceHalf: 10, gainInWindow: 6 })
  const at = (ageHours: number) => compare(baseline, { ...post, ageMs: ageHours * hourMs })?.ranks
  const [low, middle, high] = [at(4.5), at(5), at(6)]
  for (const measure of ['count', 'gainSinceHalf'] as const) {
    const [from, to] = [low?.[measure] ?? NaN, high?.[measure] ?? NaN]
    expect(from).not.toBe(to)
    expect(middle?.[measure]).toBeCloseTo((2 * from + to) / 3, 12)
  }
})

test('past 12 hours the gain since half the age stands in for the last 90 minutes', () => {
  const post = standing(24, { gainSinceHalf: 55, gainInWindow: 0 })
  const ranks = compare(baseline, post)?.ranks
  expect(ranks?.gainSinceHalf).toBeCloseTo((4 + 4 + 1) / 20, 12)
  expect(ranks?.gainInWindow).toBe(ranks?.gainSinceHalf)
  // Half way from 12 to 24 hours it counts half.
  const between = compare(baseline, { ...post, ageMs: 18 * hourMs })?.ranks
  const at12 = compare(baseline, { ...post, ageMs: 12 * hourMs })?.ranks.gainInWindow ?? NaN
  expect(at12).toBeCloseTo(1 / 20, 12)
  expect(between?.gainInWindow).toBeCloseTo((at12 + 9 / 20) / 2, 12)
})

test('a comparison rests on the age at which fewer past posts were observed', () => {
  const late = curves.map((curve, row) => ({
    publishedAt: row,
    counts: curve.counts.map((count, index) => (row < 6 && index < 8 ? null : count)),
    impressions: null,
    weight: 1,
    own: true,
  }))
  const holed = layOut(late)
  expect(compare(holed, standing(4))).toMatchObject({ curves: 3 })
  expect(compare(holed, standing(4.2))).toMatchObject({ curves: 3 })
  expect(compare(holed, standing(4.5))).toMatchObject({ curves: 9 })
})

test('impressions are ranked only where both sides have them', () => {
  const post = standing(5, { impressionsSinceHalf: 1000 })
  expect(compare(baseline, post)?.ranks.impressionsSinceHalf).toBeGreaterThan(0.3)
  expect(compare(baseline, standing(5))?.ranks.impressionsSinceHalf).toBeNull()
  const blind = layOut(curves.map((curve) => Object.assign({}, curve, { impressions: null })))
  expect(compare(blind, post)?.ranks.impressionsSinceHalf).toBeNull()
})

test('outside the baseline ages, or without past posts, nothing is compared', () => {
  expect(compare(baseline, standing(0.25))).toBeNull()
  expect(compare(baseline, standing(48.01))).toBeNull()
  expect(compare(layOut([]), standing(4))).toBeNull()
})

test('a past post is ranked among the others as a new one would be', () => {
  curves.forEach((curve, row) => {
    const others = layOut(curves.toSpliced(row, 1))
    const age = baseline.ages[7]
    if (age === undefined) throw new Error('there is a seventh age')
    const rate = row + 1
    const post = standing(4, {
      count: 4 * rate,
      gainSinceHalf: 2 * rate,
      gainInWindow: 1.5 * rate,
      impressionsSinceHalf: 200 * rate,
    })
    expect(ranksOfCurve(age, row, curve.weight)).toEqual(compare(others, post)?.ranks)
  })
})
