/** Durations and moments are read as people write them, and refused with an example. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { parseDuration, parseMoment } from './moments.ts'
import { UsageError } from './terminal.ts'

test.each([
  ['90m', 90 * minuteMs],
  ['1.5h', 90 * minuteMs],
  ['2 h', 2 * hourMs],
  ['7d', 168 * hourMs],
])('%s', (text, durationMs) => {
  expect(parseDuration(text, '--for')).toBe(durationMs)
})

test.each(['', '2', 'h', '0h', '-1h', '2 weeks', 'soon'])('%j is no duration', (text) => {
  expect(() => parseDuration(text, '--for')).toThrow(UsageError)
  expect(() => parseDuration(text, '--for')).toThrow(/--for: .*30m, 2h or 7d/)
})

test('a moment is a time, or how long from now', () => {
  expect(parseMoment('2h', 1000, '--until')).toBe(1000 + 2 * hourMs)
  expect(parseMoment('2026-01-31T09:00:00Z', 0, '--until')).toBe(Date.UTC(2026, 0, 31, 9))
  expect(() => parseMoment('tomorrow', 0, '--until')).toThrow(/--until: tomorrow is neither/)
})
