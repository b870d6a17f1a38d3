/** Shows that seeded draws can be replayed and are as even as they should be. */

import { describe, expect, it } from 'vitest'
import { fractionFrom, seededRandom } from './seeded-random.ts'

const many = 20_000

function draws(seed: string, count: number): readonly number[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.fraction())
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function spread(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

describe('a seeded source', () => {
  it('draws the same from the same seed, on every machine', () => {
    expect(draws('a', 3)).toEqual(draws('a', 3))
    expect(draws('a', 2)).toEqual([0.30356973176822066, 0.1472446541301906])
  })

  it('draws otherwise from another seed, even from one that is close', () => {
    expect(draws('seed 1', 3)).not.toEqual(draws('seed 2', 3))
    expect(seededRandom(1).id()).not.toBe(seededRandom(2).id())
  })

  it('spreads evenly from 0 up to, but not including, 1', () => {
    const values = draws('even', many)
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...values)).toBeLessThan(1)
    expect(mean(values)).toBeCloseTo(0.5, 1)
    expect(spread(values)).toBeCloseTo(Math.sqrt(1 / 12), 2)
  })

  it('draws normal and log-normal numbers', () => {
    const random = seededRandom('normal')
    const normal = Array.from({ length: many }, () => random.normal())
    expect(mean(normal)).toBeCloseTo(0, 1)
    expect(spread(normal)).toBeCloseTo(1, 1)
    const logs = Array.from({ length: many }, () => Math.log(random.logNormal(100, 0.5)))
    expect(mean(logs)).toBeCloseTo(Math.log(100), 1)
    expect(spread(logs)).toBeCloseTo(0.5, 1)
  })

  it('gives fresh identifiers in the form of the system’s', () => {
    const random = seededRandom('ids')
    const ids = Array.from({ length: 1000 }, () => random.id())
    expect(new Set(ids).size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-/)
  })
})

describe('a single draw', () => {
  it('depends on its arguments alone, and on each of them', () => {
    expect(fractionFrom(1, 2, 3)).toBe(fractionFrom(1, 2, 3))
    const others = [fractionFrom(2, 2, 3), fractionFrom(1, 3, 3), fractionFrom(1, 2, 4)]
    for (const other of others) expect(other).not.toBe(fractionFrom(1, 2, 3))
  })

  it('spreads evenly over neighbouring arguments', () => {
    const values = Array.from({ length: many }, (_, index) => fractionFrom(7, index, 1))
    expect(mean(values)).toBeCloseTo(0.5, 1)
    expect(spread(values)).toBeCloseTo(Math.sqrt(1 / 12), 2)
  })
})
