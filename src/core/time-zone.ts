/**
 * Owns local time of day in a named zone, daylight saving included. The zone database is part of
 * the runtime, so the same instant and zone always give the same answer.
 */

import { minuteMs } from './duration.ts'
import { InputError, shown } from './input-error.ts'
import type { Instant } from './instant.ts'

export interface QuietHours {
  readonly zone: string
  readonly fromMinute: number
  readonly toMinute: number
}

const minutesPerDay = 24 * 60
/** Zones change their offset at quarter hours, so an offset holds within one. */
const offsetHoldsMs = 15 * minuteMs

/** Minutes since midnight of a time like `23:00`. */
export function minuteOfDay(text: string): number {
  const digit = (index: number) => text.charCodeAt(index) - 48
  return (digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4)
}

/** Equal ends mean that no hour is quiet. */
export function isQuiet(now: Instant, { zone, fromMinute, toMinute }: QuietHours): boolean {
  const minute = localMinute(now, zone)
  return fromMinute <= toMinute
    ? minute >= fromMinute && minute < toMinute
    : minute >= fromMinute || minute < toMinute
}

/**
 * The first instant at or after the local end of the quiet hours that is not quiet. Where the
 * clocks change in between, the end moves with them.
 */
export function whenQuietEnds(now: Instant, hours: QuietHours): Instant {
  const minute = localMinute(now, hours.zone)
  const restMinutes = (hours.toMinute - minute + minutesPerDay) % minutesPerDay
  const minuteStart = Math.floor(now / minuteMs) * minuteMs
  const guess = minuteStart + restMinutes * minuteMs
  const shiftMs = offsetMs(now, hours.zone) - offsetMs(guess, hours.zone)
  let end = Math.max(guess + shiftMs, minuteStart + minuteMs)
  while (isQuiet(end, hours)) end = (Math.floor(end / offsetHoldsMs) + 1) * offsetHoldsMs
  return end
}

function localMinute(instant: Instant, zone: string): number {
  const local = Math.floor((instant + offsetMs(instant, zone)) / minuteMs)
  return ((local % minutesPerDay) + minutesPerDay) % minutesPerDay
}

/** Asking the zone database takes microseconds, and neighbouring decisions ask the same. */
const lastOffsets = new Map<string, { readonly slot: number; readonly offsetMs: number }>()
const formats = new Map<string, Intl.DateTimeFormat>()

function offsetMs(instant: Instant, zone: string): number {
  const slot = Math.floor(instant / offsetHoldsMs)
  const last = lastOffsets.get(zone)
  if (last?.slot === slot) return last.offsetMs
  const found = { slot, offsetMs: lookUpOffset(slot * offsetHoldsMs, zone) }
  lastOffsets.set(zone, found)
  return found.offsetMs
}

function lookUpOffset(instant: Instant, zone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatFor(zone).formatToParts(instant)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant
}

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = newFormat(zone)
  formats.set(zone, format)
  return format
}

function newFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    throw new InputError('timeZone', `${shown(zone)} is not a time zone like Europe/Vienna`)
  }
}
