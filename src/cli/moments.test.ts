/** Durations and moments are read as people write them, and refused with an example. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { parseDuration, parseMoment, parsePast, readable } from './moments.ts'
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

test('a moment of the past is a time, or how long ago', () => {
  expect(parsePast('2h', 3 * hourMs, '--since')).toBe(hourMs)
  expect(parsePast('2026-01-31T09:00:00Z', 0, '--since')).toBe(Date.UTC(2026, 0, 31, 9))
  expect(() => parsePast('yesterday', 0, '--since')).toThrow(/--since: yesterday is neither/)
})

test('a sentence names its moments to the minute', () => {
  expect(readable('From 2026-01-31T09:00:59.123456+00:00 to 2026-01-31T10:00:00Z.')).toBe(
    'From 2026-01-31 09:00 UTC to 2026-01-31 10:00 UTC.',
  )
  expect(readable('Half past 9, or 12:30 in Europe/Berlin.')).toBe(
    'Half past 9, or 12:30 in Europe/Berlin.',
  )
})

test('a moment is a time, or how long from now', () => {
  expect(parseMoment('2h', 1000, '--until')).toBe(1000 + 2 * hourMs)
  expect(parseMoment('2026-01-31T09:00:00Z', 0, '--until')).toBe(Date.UTC(2026, 0, 31, 9))
  expect(() => parseMoment('tomorrow', 0, '--until')).toThrow(/--until: tomorrow is neither/)
})
