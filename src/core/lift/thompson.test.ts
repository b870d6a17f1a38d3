/** The chances are those of Thompson's rule, known exactly, and kept above the floor. */

import { describe, expect, test } from 'vitest'
import { InputError } from '../input-error.ts'
import { drawFrom } from './arm.ts'
import type { Belief } from './belief.ts'
import { chancesToBeBest, choose, normalBelow } from './thompson.ts'

const doubtful: Belief = { mean: 0, deviation: 0.4 }
const better: Belief = { mean: 0.3, deviation: 0.1 }
const worse: Belief = { mean: -0.2, deviation: 0.05 }

function normalFrom(name: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawFrom(`${name}:r`)))
  return radius * Math.cos(2 * Math.PI * drawFrom(`${name}:a`))
}

describe('the chance to be the best', () => {
  test('of two is that of their difference to be above 0', () => {
    const [first, second] = chancesToBeBest([better, doubtful])
    const expected = normalBelow(0.3 / Math.sqrt(0.1 ** 2 + 0.4 ** 2))
    expect(first).toBeCloseTo(expected, 4)
    expect(second).toBeCloseTo(1 - expected, 4)
  })

  test('of three is the share of draws in which each comes out on top', () => {
    const beliefs = [doubtful, better, worse]
    const wins = [0, 0, 0]
    const draws = 40_000
    for (let draw = 0; draw < draws; draw += 1) {
      const drawn = beliefs.map(
        ({ mean, deviation }, place) => mean + deviation * normalFrom(`${draw}:${place}`),
      )
      const best = drawn.indexOf(Math.max(...drawn))
      wins[best] = (wins[best] ?? 0) + 1
    }
    chancesToBeBest(beliefs).forEach((chance, index) => {
      expect(chance).toBeCloseTo((wins[index] ?? NaN) / draws, 1.9)
    })
  })

  test('is even among equals, and sums to 1', () => {
    for (const chance of chancesToBeBest([doubtful, doubtful, doubtful, doubtful])) {
      expect(chance).toBeCloseTo(0.25, 10)
    }
    const sum = chancesToBeBest([doubtful, better, worse]).reduce((all, one) => all + one, 0)
    expect(sum).toBeCloseTo(1, 12)
  })
})

test.each([
  [-1.959964, 0.025],
  [0, 0.5],
  [1, 0.8413447],
  [40, 1],
  [-40, 0],
])('the share below %d is %d', (z, share) => {
  expect(normalBelow(z)).toBeCloseTo(share, 6)
})

describe('a choice', () => {
  const names = ['comment', 'edit', 'thread']
  const beliefs = [doubtful, better, worse]
  const evenly = Array.from({ length: 3000 }, (_, index) => index / 3000)
  const pick = (draw: number, evenShare = 0.1) => choose({ names, beliefs, evenShare, draw })

  test('is made as often as its chance says, and says its chance', () => {
    const { options } = pick(0)
    for (const { name, chance } of options) {
      const made = evenly.map((draw) => pick(draw)).filter(({ chosen }) => chosen === name)
      expect(made.length / evenly.length).toBeCloseTo(chance, 2)
      for (const { propensity } of made) expect(propensity).toBe(chance)
    }
  })

  test('gives none up: each keeps its part of the even share', () => {
    const hopeless = [{ mean: -9, deviation: 0.01 }, better, better]
    const { options } = choose({ names, beliefs: hopeless, evenShare: 0.3, draw: 0 })
    expect(options[0]?.chance).toBeCloseTo(0.1, 12)
    expect(options.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 12)
  })

  test('is the same for the same draw', () => {
    for (const draw of [0, 0.3, 0.999999999]) expect(pick(draw)).toEqual(pick(draw))
    expect(pick(1 - 2 ** -53).chosen).toBe('thread')
  })

  test.each([
    ['nothing to choose from', [], [], 0.5],
    ['a belief too few', ['a', 'b'], [better], 0.5],
    ['a draw of 1', ['a'], [better], 1],
    ['a draw that is no number', ['a'], [better], NaN],
  ])('is refused with %s', (_, given, held, draw) => {
    const input = { names: given, beliefs: held, evenShare: 0.1, draw }
    expect(() => choose(input)).toThrow(InputError)
  })
})
