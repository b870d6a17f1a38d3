/** Tests that what failed is left alone for a while, and no longer. */

import { expect, test } from 'vitest'
import { minuteMs } from '../core/duration.ts'
import { VirtualClock } from '../testing/platform/virtual-clock.ts'
import { Rests } from './rests.ts'

test('what rests does so for its time, and nothing else does', async () => {
  const clock = new VirtualClock()
  const rests = new Rests(clock, 5 * minuteMs)
  rests.begin('discover', 'ann')
  await clock.advance(5 * minuteMs - 1)
  expect(rests.has('discover', 'ann')).toBe(true)
  expect(rests.has('discover', 'bob')).toBe(false)
  expect(rests.has('measure', 'ann')).toBe(false)
  await clock.advance(1)
  expect(rests.has('discover', 'ann')).toBe(false)
})

test('who fails again rests anew, behind those that rest already', async () => {
  const clock = new VirtualClock()
  const rests = new Rests(clock, 5 * minuteMs)
  rests.begin('discover', 'ann')
  rests.begin('discover', 'bob')
  await clock.advance(minuteMs)
  rests.begin('discover', 'ann')
  expect(rests.count).toBe(2)
  await clock.advance(4 * minuteMs)
  expect(rests.has('discover', 'ann')).toBe(true)
  expect(rests.count).toBe(1)
})
