/** What evidence does to a belief, and what time does to evidence. */

import { expect, test } from 'vitest'
import { dayMs } from '../duration.ts'
import { beliefsOf, priorDeviation } from './belief.ts'
import type { Belief, Observation } from './belief.ts'

const now = 1000 * dayMs
const halfLifeMs = 60 * dayMs

/** Scores around a mean, half of them a step above it and half below. */
function observe(option: string, mean: number, count: number, ageMs = 0): readonly Observation[] {
  return Array.from({ length: count }, (_, index) => ({
    option,
    score: mean + (index % 2 === 0 ? 1 : -1),
    maturedAt: now - ageMs,
  }))
}

function believe(options: readonly string[], observations: readonly Observation[]) {
  const beliefs = beliefsOf({ options, observations, now, halfLifeMs })
  return Object.fromEntries(options.map((option, index) => [option, beliefs[index] as Belief]))
}

test('without evidence every way is held alike, around no effect', () => {
  expect(believe(['a', 'b'], [])).toEqual({
    a: { mean: 0, deviation: priorDeviation },
    b: { mean: 0, deviation: priorDeviation },
  })
})

test('much evidence is believed, and leaves little doubt', () => {
  const { a, b } = believe(['a', 'b'], [...observe('a', 0.5, 2000), ...observe('b', -0.2, 2000)])
  expect(a?.mean).toBeCloseTo(0.5, 2)
  expect(b?.mean).toBeCloseTo(-0.2, 2)
  // σ / √n of scores that deviate by 1.
  expect(a?.deviation).toBeCloseTo(1 / Math.sqrt(2000), 3)
})

test('what was never tried is taken to do as well as the others, with all doubt left', () => {
  const { a, b } = believe(['a', 'b'], observe('a', 0.5, 2000))
  expect(b?.mean).toBeCloseTo(0.5, 1)
  expect(b?.deviation).toBe(priorDeviation)
  expect(a?.deviation).toBeLessThan(0.05)
})

test('evidence of one half-life ago counts half, and in the end nothing', () => {
  const deviationAfter = (ageMs: number) =>
    believe(['a'], observe('a', 0.5, 400, ageMs))['a']?.deviation ?? NaN
  const precision = (deviation: number) => 1 / deviation ** 2 - 1 / priorDeviation ** 2
  const ratio = precision(deviationAfter(halfLifeMs)) / precision(deviationAfter(0))
  expect(ratio).toBeGreaterThan(0.45)
  expect(ratio).toBeLessThan(0.55)
  expect(deviationAfter(40 * halfLifeMs)).toBeCloseTo(priorDeviation, 6)
})

test('new evidence outweighs old evidence to the contrary', () => {
  const old = observe('a', 1, 200, 10 * halfLifeMs)
  expect(believe(['a'], [...old, ...observe('a', -0.5, 200)])['a']?.mean).toBeLessThan(-0.3)
})

test('evidence from the future counts like that of now, and of other ways not at all', () => {
  const ahead = observe('a', 0.5, 100, -dayMs)
  expect(believe(['a'], ahead)).toEqual(believe(['a'], observe('a', 0.5, 100)))
  expect(believe(['a'], observe('b', 3, 500))).toEqual(believe(['a'], []))
})
