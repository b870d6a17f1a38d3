/** Tests by which clock it is measured how long ago something was sent. */

import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import { VirtualClock } from '../testing/platform/virtual-clock.ts'
import { SendTimes } from './send-times.ts'

function sentJustNow() {
  const clock = new VirtualClock()
  const times = new SendTimes(clock)
  times.note('first')
  return { clock, times, attempt: { id: 'first', startedAt: clock.now() } }
}

test('both clocks agree as a rule', async () => {
  const { clock, times, attempt } = sentJustNow()
  await clock.advance(5 * minuteMs)
  expect(times.sinceMs(attempt, clock.now())).toBe(5 * minuteMs)
})

test('a ledger whose time stood still is not believed', async () => {
  const { clock, times, attempt } = sentJustNow()
  await clock.advance(3 * hourMs)
  expect(times.sinceMs(attempt, attempt.startedAt + minuteMs)).toBe(3 * hourMs)
})

test('a machine that slept, and whose own clock stood still, goes by the ledger', () => {
  const { times, attempt } = sentJustNow()
  expect(times.sinceMs(attempt, attempt.startedAt + hourMs)).toBe(hourMs)
})

test('what another process sent may have been sent any time ago', () => {
  const { clock, times } = sentJustNow()
  expect(times.sinceMs({ id: 'other', startedAt: clock.now() }, clock.now())).toBe(Infinity)
})

test('nothing is remembered for longer than a day', async () => {
  const { clock, times, attempt } = sentJustNow()
  await clock.advance(dayMs)
  times.note('second')
  expect(times.sinceMs(attempt, clock.now())).toBe(Infinity)
  expect(times.sinceMs({ id: 'second', startedAt: clock.now() }, clock.now())).toBe(0)
})
