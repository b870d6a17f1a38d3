/**
 * Owns writing a value as Python's `json.dumps(value, indent=2)` does, to the byte, so that a file
 * written here and one written by the original do not differ. It refuses what JSON cannot hold.
 */

import { requireWellFormed } from '../core/ids.ts'
import { InputError } from '../core/input-error.ts'

/** Python itself gives up at some depth between three hundred and a thousand. */
const deepestLevel = 300

/**
 * Writes a value that came from outside. `level` is how deep it already stands in the document; an
 * InputError names the place inside `field` that cannot be written.
 */
export function toPythonJson(value: unknown, field: string, level = 0): string {
  return write(value, { field, level, ancestors: [] })
}

interface Place {
  readonly field: string
  readonly level: number
  readonly ancestors: readonly object[]
}

function write(value: unknown, place: Place): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return toPythonText(requireWellFormed(value, place.field))
  if (typeof value === 'number') return writeNumber(value, place.field)
  if (typeof value === 'object') return writeContainer(value, place)
  throw new InputError(place.field, `is of type ${typeof value}, which JSON cannot hold`)
}

/** Quotes text in ASCII; also text of which only half a surrogate pair is left. */
export function toPythonText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A whole number is an int of Python; the rest are floats, which it abbreviates sooner. */
function writeNumber(value: number, field: string): string {
  if (!Number.isFinite(value)) {
    throw new InputError(field, `is ${value}, which JSON cannot hold`)
  }
  if (Object.is(value, -0)) return '-0.0'
  if (value === 0 || Math.abs(value) >= 1e-4) return String(value)
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1')
}

function writeContainer(value: object, { field, level, ancestors }: Place): string {
  if (ancestors.includes(value)) throw new InputError(field, 'refers back to itself')
  if (ancestors.length >= deepestLevel) {
    throw new InputError(field, `is nested deeper than ${deepestLevel} levels`)
  }
  const inside = { level: level + 1, ancestors: [...ancestors, value] }
  if (Array.isArray(value)) {
    const items = Array.from(value as readonly unknown[], (item, index) =>
      write(item, { ...inside, field: `${field}[${index}]` }),
    )
    return enclose('[', items, ']', level)
  }
  requirePlain(value, field)
  const members = Object.entries(value).map(([name, item]: [string, unknown]) => {
    const memberField = `${field}.${name}`
    const quoted = toPythonText(requireWellFormed(name, memberField))
    return `${quoted}: ${write(item, { ...inside, field: memberField })}`
  })
  return enclose('{', members, '}', level)
}

/** A Date or a Map would come back as something else. */
function requirePlain(value: object, field: string): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new InputError(field, 'is neither a plain object nor an array, and JSON has no other')
  }
}

/** Puts each part on a line of its own, as Python does unless there is none. */
export function enclose(
  open: '[' | '{',
  parts: readonly string[],
  close: ']' | '}',
  level: number,
): string {
  if (parts.length === 0) return open + close
  const indent = '  '.repeat(level + 1)
  return `${open}\n${indent}${parts.join(`,\n${indent}`)}\n${'  '.repeat(level)}${close}`
}
