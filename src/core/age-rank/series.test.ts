/** Reading a counter between readings, and counters that fall. */

import { expect, test } from 'vitest'
import { countAt, countBefore, gainBetween, steady } from './series.ts'
import type { Series } from './series.ts'

const series: Series = { agesMs: [100, 200, 400], counts: [10, 20, 60] }

test('a reading is what was read, and between two readings it is on their line', () => {
  expect(countAt(series, 200)).toBe(20)
  expect(countAt(series, 150)).toBe(15)
  expect(countAt(series, 250)).toBe(30)
})

test('nothing is read before the first reading or past the last', () => {
  expect(countAt(series, 99)).toBeNull()
  expect(countAt(series, 401)).toBeNull()
  expect(countAt({ agesMs: [], counts: [] }, 0)).toBeNull()
})

test('a gain from before the first reading begins with nothing at the publication', () => {
  expect(countBefore(series, 0)).toBe(0)
  expect(countBefore(series, -50)).toBe(0)
  expect(countBefore(series, 50)).toBe(5)
  expect(countBefore(series, 150)).toBe(15)
  expect(countBefore(series, 401)).toBeNull()
  expect(gainBetween(series, 50, 200)).toBe(15)
  expect(gainBetween(series, 50, 50)).toBeNull()
})

test('a missed poll changes nothing where the count grew evenly', () => {
  const every = { agesMs: [10, 20, 30, 40], counts: [1, 2, 3, 4] }
  const missed = { agesMs: [10, 40], counts: [1, 4] }
  for (const ageMs of [10, 15, 20, 33, 40]) {
    expect(countAt(missed, ageMs)).toBeCloseTo(countAt(every, ageMs) ?? NaN, 12)
  }
})

test('a small fall is no gain', () => {
  expect(steady([1, 2, 3], [100, 92, 101])).toEqual({
    kind: 'steady',
    series: { agesMs: [1, 2, 3], counts: [100, 100, 101] },
  })
  expect(steady([1, 2], [3, 0])).toMatchObject({ series: { counts: [3, 3] } })
})

test('a deep fall that was made good is passed over like a missed poll', () => {
  expect(steady([1, 2, 3, 4], [100, 0, 40, 120])).toEqual({
    kind: 'steady',
    series: { agesMs: [1, 4], counts: [100, 120] },
  })
})

test('a deep fall that was not made good is no counter to read from', () => {
  expect(steady([1, 2, 3], [100, 110, 80])).toEqual({ kind: 'fell', count: 80, minimum: 99 })
})

test('of several readings at one age the greatest counts', () => {
  expect(steady([1, 2, 2, 3], [1, 5, 4, 6])).toMatchObject({
    series: { agesMs: [1, 2, 3], counts: [1, 5, 6] },
  })
})
