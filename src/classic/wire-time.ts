/** Owns times as Python's `isoformat()` writes them, which keeps the offset they came with. */

import { formatInstant, parseInstant, requireInstant, toInstant } from '../core/instant.ts'
import type { Instant } from '../core/instant.ts'

/** A moment, and the text that stands for it in the history file. */
export interface WireTime {
  readonly at: Instant
  readonly text: string
}

/** Takes a Date or an ISO 8601 text with an offset. */
export function toWireTime(value: unknown, field: string): WireTime {
  const at = requireInstant(toInstant(value, field), field)
  return typeof value === 'string'
    ? { at, text: withOwnOffset(value) }
    : instantToWireTime(at, field)
}

/** Takes a clock's reading. What the file cannot hold, such as the year 10000, is refused. */
export function instantToWireTime(instant: Instant, field: string): WireTime {
  const text = formatInstant(requireInstant(instant, field))
  // Read back, because memory and a reloaded file must agree to the microsecond.
  return { at: parseInstant(text, field), text }
}

const partsPattern = /^(.{10}).(.{8})(?:[.,](\d+))?(.+)$/

/** Rewrites a text that was parsed before: nothing but its form changes. */
function withOwnOffset(text: string): string {
  const [, date = '', time = '', fraction = '', offset = ''] = partsPattern.exec(text) ?? []
  const microseconds = fraction.slice(0, 6).padEnd(6, '0')
  const seconds = microseconds === '000000' ? time : `${time}.${microseconds}`
  return `${date}T${seconds}${withColon(offset)}`
}

function withColon(offset: string): string {
  const colonless = offset.replace(':', '')
  if (colonless === 'Z' || colonless === '-0000') return '+00:00'
  return `${colonless.slice(0, 3)}:${colonless.slice(3)}`
}
