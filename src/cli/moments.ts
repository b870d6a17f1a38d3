/** Owns how times and durations are typed and shown on the command line. */

import { dayMs, hourMs, minuteMs, secondMs } from '../core/duration.ts'
import { parseInstant } from '../core/instant.ts'
import type { Instant } from '../core/instant.ts'
import { UsageError } from './terminal.ts'

const units: Readonly<Record<string, number>> = {
  s: secondMs,
  m: minuteMs,
  min: minuteMs,
  h: hourMs,
  d: dayMs,
}

/** `90m`, `2h`, `7d`. */
export function parseDuration(text: string, option: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? []
  const unitMs = units[unit.toLowerCase()]
  const durationMs = Number(amount) * (unitMs ?? 0)
  if (unitMs === undefined || !(durationMs > 0)) {
    throw new UsageError(`${option}: ${text} is not a duration; write it like 30m, 2h or 7d.`)
  }
  return durationMs
}

/** A moment, or how long from now. */
export function parseMoment(text: string, now: Instant, option: string): Instant {
  return isDuration(text) ? now + parseDuration(text, option) : parseTime(text, option)
}

/** A moment, or how long ago. */
export function parsePast(text: string, now: Instant, option: string): Instant {
  return isDuration(text) ? now - parseDuration(text, option) : parseTime(text, option)
}

/** Instants inside a sentence as people read them: to the minute. */
export function readable(sentence: string): string {
  const instant = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?(?:Z|\+00:00)/g
  return sentence.replaceAll(instant, '$1 $2 UTC')
}

function isDuration(text: string): boolean {
  return /^\d+(\.\d+)?\s*[a-z]+$/i.test(text.trim())
}

function parseTime(text: string, option: string): Instant {
  try {
    return parseInstant(text, option)
  } catch {
    const example = '2026-01-31T09:00:00Z'
    throw new UsageError(
      `${option}: ${text} is neither a duration like 2h nor a time like ${example}.`,
    )
  }
}
