/** Tests when a post is looked at next. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { standardPolicy } from '../core/index.ts'
import { nextCheckAt } from './schedule.ts'

const publishedAt = Date.UTC(2026, 2, 2, 12)

/** How long after a check at this age the next one comes. */
function intervalAt(ageMs: number): number | null {
  const now = publishedAt + ageMs
  const next = nextCheckAt(publishedAt, now, standardPolicy)
  return next === null ? null : next - now
}

test.each([
  [0, 10],
  [6 * hourMs - 1, 10],
  [6 * hourMs, 20],
  [24 * hourMs - 1, 20],
  [24 * hourMs, 30],
  [72 * hourMs - 1, 30],
])('a post of %i ms is looked at again in %i minutes', (ageMs, minutes) => {
  expect(intervalAt(ageMs)).toBe(minutes * minuteMs)
})

test.each([72 * hourMs, 1000 * hourMs])('a post of %i ms is not watched any more', (ageMs) => {
  expect(intervalAt(ageMs)).toBeNull()
})

test('a post from the future is looked at like a new one', () => {
  expect(intervalAt(-hourMs)).toBe(10 * minuteMs)
})
