/** Tests times as Python writes them. */

import { describe, expect, test } from 'vitest'
import { InputError } from '../core/input-error.ts'
import { parseInstant } from '../core/instant.ts'
import { instantToWireTime, toWireTime } from './wire-time.ts'

describe('a text', () => {
  test.each([
    ['2026-07-15T09:15:17+00:00', '2026-07-15T09:15:17+00:00'],
    ['2026-07-15T09:15:17Z', '2026-07-15T09:15:17+00:00'],
    ['2026-07-15T09:15:17-00:00', '2026-07-15T09:15:17+00:00'],
    ['2026-07-15T11:15:17+02:00', '2026-07-15T11:15:17+02:00'],
    ['2026-07-15T03:45:17.25-0530', '2026-07-15T03:45:17.250000-05:30'],
    ['2026-07-15 09:15:17.000000Z', '2026-07-15T09:15:17+00:00'],
    ['2026-07-15T09:15:17.1234567Z', '2026-07-15T09:15:17.123456+00:00'],
    ['2026-07-15T09:15:17,000001Z', '2026-07-15T09:15:17.000001+00:00'],
  ])('%s becomes %s', (given, written) => {
    expect(toWireTime(given, 'now')).toEqual({ at: parseInstant(given, 'now'), text: written })
    expect(parseInstant(written, 'now')).toBe(parseInstant(given, 'now'))
  })

  test.each([
    ['2026-07-15T09:15:17', 'has no offset'],
    ['2026-02-30T09:15:17Z', 'is not a time that exists'],
    ['yesterday', 'is not an ISO 8601 time'],
    ['2026-07-15T09:15:17+24:00', 'is not a time that exists'],
    ['2026-07-15T09:15:17+02:60', 'is not a time that exists'],
    ['9999-12-31T23:59:59-05:00', 'is not a time in milliseconds'],
  ])('%s is refused', (given, problem) => {
    expect(() => toWireTime(given, 'now')).toThrow(InputError)
    expect(() => toWireTime(given, 'now')).toThrow(problem)
  })
})

describe('a Date', () => {
  test('is written in UTC, with six fraction digits where it is not a whole second', () => {
    const at = Date.UTC(2026, 6, 15, 9, 15, 17)
    expect(toWireTime(new Date(at), 'now')).toEqual({ at, text: '2026-07-15T09:15:17+00:00' })
    expect(toWireTime(new Date(at + 5), 'now')).toEqual({
      at: at + 5,
      text: '2026-07-15T09:15:17.005000+00:00',
    })
  })

  test('that a reader could not take back is refused', () => {
    expect(() => toWireTime(new Date(Number.NaN), 'now')).toThrow('now: is an invalid Date')
    expect(() => toWireTime(new Date(8.64e15), 'now')).toThrow('now: 8640000000000000')
    expect(() => toWireTime(1_752_570_917_000, 'now')).toThrow('neither a Date nor')
  })
})

describe('a reading of the clock', () => {
  test('keeps microseconds', () => {
    const instant = parseInstant('2026-07-15T09:15:17.123456Z', 'clock')
    expect(instantToWireTime(instant, 'clock')).toEqual({
      at: instant,
      text: '2026-07-15T09:15:17.123456+00:00',
    })
  })

  test('that is no time is refused', () => {
    expect(() => instantToWireTime(Number.NaN, 'clock')).toThrow('clock: NaN is not a time')
  })
})
