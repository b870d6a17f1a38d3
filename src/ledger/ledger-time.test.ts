/** Shows that the ledger's time follows its clock and never runs backwards. */

import { expect, test } from 'vitest'
import { ManualClock } from '../testing/ledger/harness.ts'
import { LedgerTime } from './ledger-time.ts'

test('it follows the clock forwards and stands still while that goes back', () => {
  const clock = new ManualClock(1000)
  const time = new LedgerTime(clock)
  expect(time.now()).toBe(1000)
  clock.advance(-500)
  expect(time.now()).toBe(1000)
  clock.set(1001)
  expect(time.now()).toBe(1001)
})

test('it never lies below a mark from before a restart or of another process', () => {
  const clock = new ManualClock(1000)
  const time = new LedgerTime(clock, 3000)
  expect(time.now()).toBe(3000)
  time.raiseTo(4000)
  time.raiseTo(2000)
  expect(time.now()).toBe(4000)
  clock.set(5000)
  expect(time.now()).toBe(5000)
})
