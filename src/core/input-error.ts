/** Owns the one error for bad input: it names the field, what is wrong with it and what to do. */

import type { z } from 'zod'

/** Thrown when something handed in cannot be used. Nothing has been changed when it is thrown. */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** Path of the offending field, for example `samples[3].engagements`. */
  readonly field: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.field = field
  }
}

/** Parses with a schema; the first problem becomes an InputError whose field starts with `root`. */
export function parseWith<Output>(schema: z.ZodType<Output>, value: unknown, root: string): Output {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const first = parsed.error.issues[0]
  if (first === undefined) throw new InputError(root, 'is not valid')
  throw fromIssue(first, root)
}

function fromIssue(issue: z.core.$ZodIssue, root: string): InputError {
  if (issue.code === 'unrecognized_keys') {
    const known = `remove it or correct its spelling`
    return new InputError(
      fieldPath(root, [...issue.path, issue.keys[0] ?? '?']),
      `unknown field; ${known}`,
    )
  }
  const message = issue.message.charAt(0).toLowerCase() + issue.message.slice(1)
  return new InputError(fieldPath(root, issue.path), message)
}

function fieldPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    root,
  )
}

/** Shows a value of any type inside an error message, shortened. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : typeof value === 'object' && value !== null
        ? (JSON.stringify(value) ?? 'object')
        : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
