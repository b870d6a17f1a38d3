/** So many tries in a window for each name, refilled evenly, in bounded memory. */

import { expect, test } from 'vitest'
import { Throttle } from './throttle.ts'

function throttleAt(maximum: number, windowMs: number) {
  const time = { nowMs: 0 }
  const throttle = new Throttle({ monotonicMs: () => time.nowMs }, { maximum, windowMs })
  const tries = (name: string) => {
    const waitMs = throttle.waitMs(name)
    if (waitMs === 0) throttle.count(name)
    return waitMs
  }
  return { throttle, time, tries }
}

test('lets the maximum through, then says how long to wait', () => {
  const { tries, time } = throttleAt(3, 3000)
  expect([tries('a'), tries('a'), tries('a')]).toEqual([0, 0, 0])
  expect(tries('a')).toBe(1000)
  time.nowMs = 999
  expect(tries('a')).toBeCloseTo(1)
  time.nowMs = 1000
  expect(tries('a')).toBe(0)
  expect(tries('a')).toBe(1000)
})

test('names do not share, and one that is forgotten begins anew', () => {
  const { tries, throttle } = throttleAt(1, 1000)
  expect([tries('a'), tries('b'), tries('a')]).toEqual([0, 0, 1000])
  throttle.forget('a')
  expect(tries('a')).toBe(0)
})

test('a clock that stood still for long does not save up tries', () => {
  const { tries, time } = throttleAt(2, 1000)
  time.nowMs = 1e9
  expect([tries('a'), tries('a')]).toEqual([0, 0])
  expect(tries('a')).toBeGreaterThan(0)
})

test('counting past the end does not make the wait endless', () => {
  const { throttle } = throttleAt(1, 1000)
  for (let count = 0; count < 100; count += 1) throttle.count('a')
  expect(throttle.waitMs('a')).toBeLessThanOrEqual(2000)
})

test('in a flood of names those that tried last are remembered', () => {
  const { tries, throttle } = throttleAt(1, 1000)
  for (let count = 0; count < 9000; count += 1) tries(`n${count}`)
  tries('guesser')
  for (let count = 0; count < 4000; count += 1) tries(`m${count}`)
  expect(throttle.waitMs('guesser')).toBeGreaterThan(0)
  expect(throttle.waitMs('n0')).toBe(0)
})
