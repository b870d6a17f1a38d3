/** Which past posts count, and what they usually still gain. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../duration.ts'
import { baselineAgesMs } from './ages.ts'
import { chooseCurves, expectedGainAt, layOut, neighboursOf } from './baseline.ts'
import type { Curve } from './curve.ts'

function curve(perHour: number, overrides: Partial<Curve> = {}): Curve {
  return {
    publishedAt: 0,
    counts: baselineAgesMs.map((ageMs) => (perHour * ageMs) / hourMs),
    impressions: null,
    weight: 1,
    own: true,
    ...overrides,
  }
}

const many = (count: number, overrides: (index: number) => Partial<Curve>): Curve[] =>
  Array.from({ length: count }, (_, index) => curve(index + 1, overrides(index)))

test('only the newest 200 own posts are kept, so a new audience becomes the yardstick', () => {
  const before = many(200, (index) => ({ publishedAt: index, counts: curve(1).counts }))
  const after = many(200, (index) => ({ publishedAt: 1000 + index, counts: curve(50).counts }))
  const chosen = chooseCurves([...after, ...before])
  expect(chosen).toHaveLength(200)
  expect(expectedGainAt(layOut(chosen), hourMs)).toBeCloseTo(50 * 47, 6)
})

test('few own posts are filled up to 20 with the newest of other accounts', () => {
  const own = many(7, (index) => ({ publishedAt: index }))
  const others = many(50, (index) => ({ publishedAt: index, own: false }))
  const chosen = chooseCurves([...others, ...own])
  expect(chosen).toHaveLength(20)
  expect(chosen.filter((one) => !one.own).map(({ publishedAt }) => publishedAt)).toEqual(
    Array.from({ length: 13 }, (_, index) => 49 - index),
  )
  expect(layOut(chosen)).toMatchObject({ size: 20, ownSize: 7 })
})

test('with 20 own posts nothing is borrowed', () => {
  const own = many(20, (index) => ({ publishedAt: index }))
  const others = many(50, () => ({ own: false }))
  expect(chooseCurves([...own, ...others]).every((one) => one.own)).toBe(true)
})

test('a post that never matured says nothing', () => {
  const counts = [...curve(1).counts.slice(0, -1), null]
  expect(layOut([curve(1), curve(2, { counts })]).size).toBe(1)
})

test('what posts usually still gain is expm1(mean ln(1 + gain))', () => {
  const baseline = layOut([curve(1), curve(10)])
  const [small, large] = [Math.log1p(46), Math.log1p(460)]
  expect(expectedGainAt(baseline, 2 * hourMs)).toBeCloseTo(Math.expm1((small + large) / 2), 9)
})

test('a post held out counts for those that were acted on', () => {
  const weighted = layOut([curve(1), curve(10, { weight: 2 })])
  const repeated = layOut([curve(1), curve(10), curve(10)])
  for (const ageMs of [hourMs, 3.3 * hourMs, 30 * hourMs]) {
    expect(expectedGainAt(weighted, ageMs)).toBeCloseTo(expectedGainAt(repeated, ageMs) ?? NaN, 9)
  }
})

test('the gain to come shrinks to nothing at 48 hours, and is unknown after', () => {
  const baseline = layOut([curve(10)])
  const gains = [1, 5, 12, 30, 48].map((hours) => expectedGainAt(baseline, hours * hourMs))
  expect(gains).toEqual(gains.toSorted((a, b) => (b ?? NaN) - (a ?? NaN)))
  expect(gains.at(-1)).toBe(0)
  expect(expectedGainAt(baseline, 48 * hourMs + 1)).toBeNull()
  expect(expectedGainAt(layOut([]), hourMs)).toBeNull()
})

test('a missed reading lies on the line between the others', () => {
  const whole = curve(6)
  const holed = { ...whole, counts: whole.counts.map((count, i) => (i % 3 === 1 ? null : count)) }
  const [complete, filled] = [layOut([whole]), layOut([holed])]
  filled.ages.forEach((age, index) => {
    expect(age.count.values[0]).toBeCloseTo(complete.ages[index]?.count.values[0] ?? NaN, 9)
  })
})

test('90-minute gains are read off the curve where its ages are close enough', () => {
  const { ages } = layOut([curve(60)])
  const at = (ageMs: number) => ages.find((age) => age.ageMs === ageMs)
  expect(at(hourMs)?.gainInWindow?.values[0]).toBe(60)
  expect(at(6 * hourMs)?.gainInWindow?.values[0]).toBeCloseTo(90, 9)
  expect(at(12 * hourMs)?.gainInWindow?.values[0]).toBeCloseTo(90, 9)
  expect(at(24 * hourMs)?.gainInWindow).toBeNull()
})

test('an age lies between its neighbours, and before the first there is none', () => {
  const baseline = layOut([curve(1)])
  const around = neighboursOf(baseline, 5 * hourMs)
  expect(around?.earlier.ageMs).toBe(4.5 * hourMs)
  expect(around?.later.ageMs).toBe(6 * hourMs)
  expect(around?.share).toBeCloseTo(1 / 3, 12)
  expect(neighboursOf(baseline, 19 * minuteMs)).toBeNull()
})
