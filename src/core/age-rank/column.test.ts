/** Mid-ranks and quantiles among past posts. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnOf, midRank, midRankOfRow, quantile } from './column.ts'

const ones = (count: number): Float64Array => new Float64Array(count).fill(1)
const owned = (count: number): Uint8Array => new Uint8Array(count).fill(1)
const plain = (values: readonly number[]) =>
  columnOf(Float64Array.from(values), ones(values.length), owned(values.length))

test('the mid-rank is (#less + #lessOrEqual + 1) / (2(n + 1))', () => {
  const column = plain([5, 1, 3, 3])
  expect(midRank(column, 0)).toBeCloseTo(1 / 10, 12)
  expect(midRank(column, 1)).toBeCloseTo(2 / 10, 12)
  expect(midRank(column, 3)).toBeCloseTo((1 + 3 + 1) / 10, 12)
  expect(midRank(column, 4)).toBeCloseTo(7 / 10, 12)
  expect(midRank(column, 9)).toBeCloseTo(9 / 10, 12)
})

test('a value that was not observed takes no part', () => {
  const column = columnOf(Float64Array.of(1, NaN, 3), ones(3), Uint8Array.of(1, 1, 0))
  expect(column).toMatchObject({ size: 2, ownSize: 1 })
  expect(midRank(column, 2)).toBe(midRank(plain([1, 3]), 2))
})

test('a post held out at one half counts for two', () => {
  const weighted = columnOf(Float64Array.of(1, 5), Float64Array.of(2, 1), owned(2))
  // Two thirds of the weight lie below 3, of two posts: (4/3 + 4/3 + 1) / 6.
  expect(midRank(weighted, 3)).toBeCloseTo(11 / 18, 12)
})

test('equal weights, whatever they are, rank like weights of 1', () => {
  const values = Float64Array.of(4, 8, 15, 16, 23)
  const heavy = columnOf(values, ones(5).fill(3.7), owned(5))
  expect(midRank(heavy, 15)).toBeCloseTo(midRank(plain([...values]), 15), 12)
})

test('a curve ranked among the others is as if it were not there', () => {
  const values = [4, 8, 8, 15, 2]
  values.forEach((value, row) => {
    const others = plain(values.toSpliced(row, 1))
    expect(midRankOfRow(plain(values), row, 1)).toBeCloseTo(midRank(others, value), 12)
  })
  expect(midRankOfRow(plain([7]), 0, 1)).toBe(0.5)
})

const counts = fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 40 })

test('ranks lie between 0 and 1, rise with the value and do not care about order or scale', () => {
  fc.assert(
    fc.property(counts, fc.nat({ max: 60 }), fc.nat({ max: 60 }), (values, a, b) => {
      const column = plain(values)
      const [low, high] = [midRank(column, Math.min(a, b)), midRank(column, Math.max(a, b))]
      expect(low).toBeGreaterThan(0)
      expect(high).toBeLessThan(1)
      expect(low).toBeLessThanOrEqual(high)
      expect(midRank(plain(values.toReversed()), a)).toBe(midRank(column, a))
      expect(midRank(plain(values.map((value) => value * 1000)), a * 1000)).toBe(midRank(column, a))
    }),
  )
})

test('a quantile is the least value that covers its share of the weight', () => {
  const column = plain([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  expect([0.1, 0.5, 0.9].map((share) => quantile(column, share))).toEqual([10, 50, 90])
  const weighted = columnOf(Float64Array.of(1, 2), Float64Array.of(1, 9), owned(2))
  expect(quantile(weighted, 0.1)).toBe(1)
  expect(quantile(weighted, 0.2)).toBe(2)
})
