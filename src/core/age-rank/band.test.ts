/** What people are shown of past posts. */

import { expect, test } from 'vitest'
import { hourMs } from '../duration.ts'
import { baselineAgesMs } from './ages.ts'
import { bandAt, expectedBand } from './band.ts'
import { layOut } from './baseline.ts'
import type { Curve } from './curve.ts'

/** Ten posts: at every age the k-th has k times as many engagements as hours. */
const curves: readonly Curve[] = Array.from({ length: 10 }, (_, index) => ({
  publishedAt: index,
  counts: baselineAgesMs.map((ageMs) => ((index + 1) * ageMs) / hourMs),
  impressions: null,
  weight: 1,
  own: index > 2,
}))

test('the band holds a tenth, the middle and nine tenths of past posts at each age', () => {
  const band = expectedBand(layOut(curves))
  expect(band.map(({ ageMs }) => ageMs)).toEqual(baselineAgesMs)
  expect(band.find(({ ageMs }) => ageMs === 2 * hourMs)).toEqual({
    ageMs: 2 * hourMs,
    curves: 10,
    ownCurves: 7,
    low: 2,
    middle: 10,
    high: 18,
  })
})

test('between two ages the band is on the line, and outside there is none', () => {
  const baseline = layOut(curves)
  expect(bandAt(baseline, 2 * hourMs)).toEqual({ low: 2, middle: 10, high: 18 })
  expect(bandAt(baseline, 5 * hourMs)?.low).toBeCloseTo(5, 9)
  expect(bandAt(baseline, 5 * hourMs)?.high).toBeCloseTo(45, 9)
  expect(bandAt(baseline, hourMs / 6)).toBeNull()
  expect(bandAt(baseline, 49 * hourMs)).toBeNull()
  expect(bandAt(layOut([]), hourMs)).toBeNull()
})

test('a held-out post counts for those like it that were acted on', () => {
  const heavy = curves.map((curve, index) =>
    Object.assign({}, curve, { weight: index === 9 ? 30 : 1 }),
  )
  expect(bandAt(layOut(heavy), hourMs)?.middle).toBe(10)
})

test('an age at which no past post was observed has no point', () => {
  const late = curves.map((curve) =>
    Object.assign({}, curve, {
      counts: curve.counts.map((count, index) => (index < 3 ? null : count)),
    }),
  )
  expect(expectedBand(layOut(late)).map(({ ageMs }) => ageMs)).toEqual(baselineAgesMs.slice(3))
})

test('without past posts there is no band', () => {
  expect(expectedBand(layOut([]))).toEqual([])
})
