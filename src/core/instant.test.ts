/** Tests that instants keep microseconds, compare exactly, and refuse what is no time. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs } from './duration.ts'
import { InputError } from './input-error.ts'
import { formatInstant, isInstant, parseInstant, requireInstant, toInstant } from './instant.ts'

const year2200 = Date.UTC(2200, 0, 1)

/** A time to the microsecond, as text. */
const written = fc
  .record({ ms: fc.nat(year2200), microseconds: fc.nat(999) })
  .map(({ ms, microseconds }) => ({ ms, microseconds, text: textOf(ms, microseconds) }))

function textOf(ms: number, microseconds: number): string {
  const iso = new Date(ms).toISOString()
  return `${iso.slice(0, -1)}${String(microseconds).padStart(3, '0')}+00:00`
}

const read = (text: string) => parseInstant(text, 'time')

describe('a time with microseconds', () => {
  it('is written as it was read', () => {
    fc.assert(
      fc.property(written, ({ ms, microseconds, text }) => {
        const whole = ms % 1000 === 0 && microseconds === 0
        expect(formatInstant(read(text))).toBe(whole ? text.replace('.000000', '') : text)
      }),
    )
  })

  it('is the same instant after whole milliseconds were added and taken away', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: -dayMs, max: dayMs }), (time, shiftMs) => {
        fc.pre(time.ms + shiftMs >= 0)
        const shifted = read(textOf(time.ms + shiftMs, time.microseconds))
        expect(read(time.text) + shiftMs).toBe(shifted)
        expect(shifted - shiftMs).toBe(read(time.text))
        expect(shifted - read(time.text)).toBe(shiftMs)
      }),
    )
  })

  it('comes in the order of its text', () => {
    fc.assert(
      fc.property(written, written, (a, b) => {
        expect(read(a.text) < read(b.text)).toBe(a.text < b.text)
        expect(read(a.text) === read(b.text)).toBe(a.text === b.text)
      }),
    )
  })
})

describe('parseInstant', () => {
  const ms = Date.UTC(2026, 6, 15, 9, 15, 17)

  it.each([
    ['2026-07-15T09:15:17Z', ms],
    ['2026-07-15T09:15:17+00:00', ms],
    ['2026-07-15T09:15:17-00:00', ms],
    ['2026-07-15 09:15:17+00:00', ms],
    ['2026-07-15T11:15:17+02:00', ms],
    ['2026-07-15T11:15:17+0200', ms],
    ['2026-07-15T14:45:17+05:30', ms],
    ['2026-07-14T23:15:17-10:00', ms],
    ['2026-07-15T09:15:17.5Z', ms + 500],
    ['2026-07-15T09:15:17,5Z', ms + 500],
    ['2026-07-15T09:15:17.123456789Z', ms + 123 + 467 / 1024],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1969-12-31T23:59:59.999999Z', -1 / 1024],
  ])('reads %s', (text, instant) => {
    expect(read(text)).toBe(instant)
  })

  it.each([
    ['no offset', '2026-07-15T09:15:17'],
    ['no offset', '2026-07-15T09:15:17.123456'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February in a common year', '2026-02-29T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['hour 24', '2026-07-15T24:00:00Z'],
    ['minute 60', '2026-07-15T09:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset of a day', '2026-07-15T09:15:17+24:00'],
    ['an offset of 60 minutes', '2026-07-15T09:15:17+01:60'],
    ['a date alone', '2026-07-15'],
    ['no seconds', '2026-07-15T09:15Z'],
    ['text after it', '2026-07-15T09:15:17Z and more'],
    ['text before it', ' 2026-07-15T09:15:17Z'],
    ['a number', '1784106917000'],
    ['nothing', ''],
    ['words', 'yesterday'],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow(InputError)
    expect(() => read(text)).toThrow(/^time: /)
  })
})

describe('formatInstant', () => {
  it.each([
    [0, '1970-01-01T00:00:00+00:00'],
    [-1, '1969-12-31T23:59:59.999000+00:00'],
    [1500, '1970-01-01T00:00:01.500000+00:00'],
    [0.9996, '1970-01-01T00:00:00.001000+00:00'],
    [999.9999, '1970-01-01T00:00:01+00:00'],
    [1_784_106_917_000.4, '2026-07-15T09:15:17.000400+00:00'],
  ])('writes %d', (instant, text) => {
    expect(formatInstant(instant)).toBe(text)
  })
})

describe('toInstant', () => {
  it('takes a Date or a text', () => {
    expect(toInstant(new Date(1500), 'time')).toBe(1500)
    expect(toInstant('1970-01-01T00:00:01.5Z', 'time')).toBe(1500)
  })

  it.each([[new Date(NaN)], [1500], [null], [undefined], [{}]])('refuses %s', (value) => {
    expect(() => toInstant(value, 'time')).toThrow(InputError)
  })
})

describe('isInstant', () => {
  const first = Date.parse('0000-01-01T00:00:00Z')
  const last = Date.parse('9999-12-31T23:59:59.999Z')

  it.each([0, -1, 0.5, first, last])('takes %d', (value) => {
    expect(isInstant(value)).toBe(true)
    expect(requireInstant(value, 'time')).toBe(value)
  })

  it.each([[NaN], [Infinity], [first - 1], [last + 1], ['0'], [null], [new Date(0)]])(
    'refuses %s',
    (value) => {
      expect(isInstant(value)).toBe(false)
      expect(() => requireInstant(value, 'time')).toThrow(InputError)
    },
  )
})
