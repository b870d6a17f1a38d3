/** Rows become columns and columns rows, with nothing lost on the way. */

import { describe, expect, test } from 'vitest'
import { assignments, columnList, defineTable, marks, pick, readRow, valuesOf } from './columns.ts'

interface Row {
  readonly id: string
  readonly dueAt: number | null
  readonly isDone: boolean
  readonly detail: { readonly a: number } | null
}

const table = defineTable<Row>('things', {
  id: 'text',
  dueAt: 'float8',
  isDone: 'bool',
  detail: 'json',
})

describe('a table', () => {
  test('names its columns after the fields', () => {
    expect(columnList(table)).toBe('"id", "due_at", "is_done", "detail"')
    expect(marks(table, 3)).toBe('$3::text, $4::float8, $5::bool, $6::json')
    expect(assignments(pick(table, ['dueAt', 'detail']), 2)).toBe(
      '"due_at" = $2::float8, "detail" = $3::json',
    )
  })

  test('gives values in the order of its columns, JSON as text and its null as that of SQL', () => {
    const row: Row = { id: 'x', dueAt: 1.5, isDone: false, detail: { a: 1 } }
    expect(valuesOf(table, row)).toEqual(['x', 1.5, false, '{"a":1}'])
    expect(valuesOf(table, { ...row, dueAt: null, detail: null })).toEqual(['x', null, false, null])
  })

  test('reads a row by the names of the columns, and leaves others out', () => {
    const sent = { detail: { a: 1 }, number: 7, id: 'x', is_done: true, due_at: null }
    expect(readRow(table, sent)).toEqual({ id: 'x', dueAt: null, isDone: true, detail: { a: 1 } })
  })
})
