/** Shows that arrivals are chance without a memory. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrivalPeriod, Arrivals } from './arrivals.ts'
import { seededRandom } from './seeded-random.ts'

const arrivals = new Arrivals(seededRandom('arrivals'))
const begin = fc.double({ min: 0, max: arrivalPeriod, noNaN: true })
const expected = fc.double({ min: 0, max: 1e6, noNaN: true })

describe('arrivals', () => {
  it('are none where none are expected', () => {
    fc.assert(
      fc.property(begin, (from) => {
        expect(arrivals.count(from, 0)).toBe(0)
      }),
    )
  })

  it('never fall as more are expected', () => {
    fc.assert(
      fc.property(begin, expected, expected, (from, some, more) => {
        expect(arrivals.count(from, some + more)).toBeGreaterThanOrEqual(arrivals.count(from, some))
      }),
    )
  })

  it('add up: what comes in two parts is what comes in both together', () => {
    fc.assert(
      fc.property(begin, expected, expected, (from, first, second) => {
        const whole = arrivals.upTo(from + first + second) - arrivals.upTo(from)
        const parts = arrivals.count(from, first) + arrivals.count(from + first, second)
        expect(parts).toBe(whole)
      }),
    )
  })

  it('agree with counting one by one', () => {
    const steps = Array.from({ length: 50_000 }, (_, index) =>
      arrivals.count(index / 1000, 1 / 1000),
    )
    expect(Math.min(...steps)).toBe(0)
    expect(steps.reduce((sum, step) => sum + step, 0)).toBe(arrivals.upTo(50))
    expect(arrivals.upTo(arrivalPeriod * 3 - 1e-9)).toBe(arrivalPeriod * 3)
  })

  it('are as ragged as chance: their variance is their mean', () => {
    const random = seededRandom('places')
    for (const mean of [1, 5, 20]) {
      const counts = Array.from({ length: 20_000 }, () =>
        arrivals.count(random.between(0, arrivalPeriod), mean),
      )
      const average = counts.reduce((sum, count) => sum + count, 0) / counts.length
      const variance =
        counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / counts.length
      expect(average / mean).toBeGreaterThan(0.97)
      expect(average / mean).toBeLessThan(1.03)
      expect(variance / mean).toBeGreaterThan(0.8)
      expect(variance / mean).toBeLessThan(1.2)
    }
  })
})
