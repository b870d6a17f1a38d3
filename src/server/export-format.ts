/** Owns the forms in which rows leave: lines of JSON, and CSV as RFC 4180 has it. */

import type { ExportRow } from './export-rows.ts'

export async function* toJsonLines(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

/** All rows of one kind have the same fields, so the first names the columns. */
export async function* toCsv(rows: AsyncIterable<ExportRow>): AsyncGenerator<string> {
  let names: readonly string[] | null = null
  for await (const row of rows) {
    if (names === null) {
      names = Object.keys(row)
      yield `${names.join(',')}\r\n`
    }
    yield `${names.map((name) => toCell(row[name])).join(',')}\r\n`
  }
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? disarm(value) : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet would run what begins like a formula, and these are words of strangers. */
function disarm(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
