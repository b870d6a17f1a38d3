/**
 * Owns points in time: epoch milliseconds inside, ISO 8601 with an offset outside.
 *
 * Python writes microseconds, and a guard that compares with >= must see them. They are kept as
 * fractions of a millisecond on a grid of 1/1024, which a double holds exactly until the year 2248.
 * So adding or subtracting whole milliseconds is exact, and equal instants stay equal.
 */

import { hourMs, minuteMs } from './duration.ts'
import { InputError, shown } from './input-error.ts'

/** Epoch milliseconds, with a fraction only where microseconds were read from outside. */
export type Instant = number

/** The years 0 to 9999: what ISO 8601 writes with four digits. */
const earliest = Date.UTC(-1, 12)
const latest = Date.UTC(10_000, 0) - 1

/** Whether it is a point in time: NaN is none, and neither is a day that no calendar has. */
export function isInstant(value: unknown): value is Instant {
  return typeof value === 'number' && value >= earliest && value <= latest
}

export function requireInstant(value: unknown, field: string): Instant {
  if (isInstant(value)) return value
  throw new InputError(field, `${shown(value)} is not a time in milliseconds since 1970`)
}

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/

const grid = 1024

/** Reads an ISO 8601 time. One without an offset is refused: it is another moment elsewhere. */
export function parseInstant(text: string, field: string): Instant {
  const match = isoPattern.exec(text)
  if (match === null) {
    throw new InputError(
      field,
      `${shown(text)} is not an ISO 8601 time like 2026-07-15T09:15:17+00:00`,
    )
  }
  const offset = match[8]
  if (offset === undefined) {
    throw new InputError(field, `${shown(text)} has no offset; add Z or one like +02:00`)
  }
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as CalendarTime
  const wholeMs = Date.UTC(year, month - 1, day, hour, minute, second)
  const shiftMs = offsetMs(offset)
  // An hour of 24 or a 30th of February would silently roll over into another day.
  const written = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  if (shiftMs === null || new Date(wholeMs).toISOString().slice(0, 19) !== written) {
    throw new InputError(field, `${shown(text)} is not a time that exists`)
  }
  return wholeMs - shiftMs + fractionMs(match[7])
}

type CalendarTime = [number, number, number, number, number, number]

/** Null where no clock is set like that: 24 hours ahead, or 60 minutes past a full hour. */
function offsetMs(offset: string): number | null {
  if (offset === 'Z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(-2))
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * hourMs + minutes * minuteMs)
}

function fractionMs(fraction: string | undefined): number {
  if (fraction === undefined) return 0
  const microseconds = Number(fraction.slice(0, 6).padEnd(6, '0'))
  const wholeMs = Math.floor(microseconds / 1000)
  return wholeMs + Math.round(((microseconds % 1000) * grid) / 1000) / grid
}

/** Writes an instant in UTC, with six fraction digits where it is not a whole second. */
export function formatInstant(instant: Instant): string {
  // Rounded before it is split: 999.9 microseconds are the next whole millisecond.
  const fraction = Math.round((instant - Math.floor(instant)) * 1000)
  const wholeMs = Math.floor(instant) + Math.floor(fraction / 1000)
  const microseconds = fraction % 1000
  const iso = new Date(wholeMs).toISOString()
  const seconds = iso.slice(0, -5)
  const ms = iso.slice(-4, -1)
  if (ms === '000' && microseconds === 0) return `${seconds}+00:00`
  return `${seconds}.${ms}${String(microseconds).padStart(3, '0')}+00:00`
}

/** Takes what a caller may hand in for a time: a Date, or an ISO 8601 string with an offset. */
export function toInstant(value: unknown, field: string): Instant {
  if (typeof value === 'string') return parseInstant(value, field)
  if (value instanceof Date) {
    const instant = value.getTime()
    if (Number.isNaN(instant)) throw new InputError(field, 'is an invalid Date')
    return instant
  }
  throw new InputError(field, `${shown(value)} is neither a Date nor an ISO 8601 time`)
}
