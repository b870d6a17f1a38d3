/** Tests local time of day against the runtime's own clock face, on any day and in any zone. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minuteMs } from './duration.ts'
import { isQuiet, minuteOfDay, whenQuietEnds } from './time-zone.ts'

const zones = [
  'Europe/Vienna',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'Pacific/Apia',
  'UTC',
] as const

/** What a clock on the wall shows, asked in another way than the code does. */
function clockFace(at: number, zone: string): number {
  const face = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(at)
  return minuteOfDay(face)
}

const quietHours = fc.record({
  zone: fc.constantFrom(...zones),
  fromMinute: fc.nat(24 * 60 - 1),
  toMinute: fc.nat(24 * 60 - 1),
})

const anyTime = fc.date({
  min: new Date('2014-01-01T00:00:00Z'),
  max: new Date('2034-12-31T00:00:00Z'),
  noInvalidDate: true,
})

/** The hours around a change of the clocks, in one of the zones. */
const nightOfChange = fc
  .tuple(
    fc.constantFrom(
      Date.parse('2026-03-29T01:00:00Z'),
      Date.parse('2026-10-25T01:00:00Z'),
      Date.parse('2026-03-08T07:00:00Z'),
      Date.parse('2026-11-01T06:00:00Z'),
      Date.parse('2026-04-04T15:00:00Z'),
      Date.parse('2026-10-03T15:30:00Z'),
      Date.parse('2026-02-15T02:00:00Z'),
    ),
    fc.integer({ min: -26 * 60, max: 3 * 60 }),
  )
  .map(([change, minutes]) => new Date(change + minutes * minuteMs))

const times = fc.oneof(anyTime, nightOfChange)

describe('minuteOfDay', () => {
  it.each([
    ['00:00', 0],
    ['07:05', 425],
    ['23:59', 1439],
  ])('reads %s as %i', (text, minute) => {
    expect(minuteOfDay(text)).toBe(minute)
  })
})

describe('isQuiet', () => {
  it('agrees with a clock on the wall', () => {
    fc.assert(
      fc.property(times, quietHours, (time, hours) => {
        const { fromMinute, toMinute, zone } = hours
        const minute = clockFace(time.getTime(), zone)
        const inside = minute >= fromMinute && minute < toMinute
        const across = minute >= fromMinute || minute < toMinute
        expect(isQuiet(time.getTime(), hours)).toBe(fromMinute <= toMinute ? inside : across)
      }),
    )
  })
})

describe('whenQuietEnds', () => {
  it('finds the first minute that is not quiet', () => {
    fc.assert(
      fc.property(times, quietHours, (time, hours) => {
        const now = time.getTime()
        fc.pre(isQuiet(now, hours))
        let expected = Math.floor(now / minuteMs) * minuteMs
        while (isQuiet(expected, hours)) expected += minuteMs
        expect(whenQuietEnds(now, hours)).toBe(expected)
      }),
    )
  })
})
