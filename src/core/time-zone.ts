/**
 * Owns local time of day in a named zone, daylight saving included. The zone database is part of
 * the runtime, so the same instant and zone always give the same answer.
 */

import { dayMs, minuteMs } from './duration.ts'
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

/** Whether the runtime knows a zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

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

/** The first minute after a quiet one that is not quiet. */
export function whenQuietEnds(now: Instant, hours: QuietHours): Instant {
  let at = Math.floor(now / minuteMs) * minuteMs
  const end = localEnd(at, hours)
  // On most nights the clocks do not change, and it is over when it should be.
  if (offsetMs(at, hours.zone) === offsetMs(end, hours.zone)) return end
  while (isQuiet(at, hours)) {
    const offsetHoldsUntil = (Math.floor(at / offsetHoldsMs) + 1) * offsetHoldsMs
    at = Math.min(localEnd(at, hours), offsetHoldsUntil)
  }
  return at
}

/** When the quiet hours would end if the offset stayed as it is. */
function localEnd(at: Instant, { zone, toMinute }: QuietHours): Instant {
  const restMinutes = (toMinute - localMinute(at, zone) + minutesPerDay) % minutesPerDay
  return at + restMinutes * minuteMs
}

function localMinute(instant: Instant, zone: string): number {
  const local = Math.floor((instant + offsetMs(instant, zone)) / minuteMs)
  return local - Math.floor(local / minutesPerDay) * minutesPerDay
}

/** Asking the zone database takes microseconds, and neighbouring decisions ask the same. */
let last = { zone: '', slot: NaN, offsetMs: NaN }
/** By zone and day. */
const knownDays = new Map<string, Map<number, DayOffset>>()
const mostKnownDays = 1000
const formats = new Map<string, Intl.DateTimeFormat>()

/** What holds all day long, or null on a day on which it changes. */
type DayOffset = number | null

function offsetMs(instant: Instant, zone: string): number {
  const slot = Math.floor(instant / offsetHoldsMs)
  if (last.slot === slot && last.zone === zone) return last.offsetMs
  const ofDay = offsetOfDay(Math.floor(instant / dayMs), zone)
  last = { zone, slot, offsetMs: ofDay ?? lookUpOffset(slot * offsetHoldsMs, zone) }
  return last.offsetMs
}

/** No zone changes its offset and takes that back within a day. */
function offsetOfDay(day: number, zone: string): DayOffset {
  let days = knownDays.get(zone)
  const known = days?.get(day)
  if (known !== undefined) return known
  const offset = lookUpOffset(day * dayMs, zone)
  const holds = lookUpOffset((day + 1) * dayMs, zone) === offset
  if (days === undefined || days.size >= mostKnownDays) {
    days = new Map()
    knownDays.set(zone, days)
  }
  days.set(day, holds ? offset : null)
  return holds ? offset : null
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
