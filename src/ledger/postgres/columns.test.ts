/** Rows become columns and columns rows, with nothing lost on the way. */

import { describe, expect, test } from 'vitest'
import { arraysOf, columnList, defineTable, pick, readRow, toArray, updateRows } from './columns.ts'

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
    expect(updateRows('s', pick(table, ['id', 'detail']), 3)).toBe(
      'update s.things t set "detail" = v."detail" from unnest($3::text[], $4::json[]) ' +
        'with ordinality as v ("id", "detail", ordinality) where t.id = v."id"',
    )
  })

  test('gives an array for each column, JSON as text and its null as that of SQL', () => {
    const row: Row = { id: 'x', dueAt: 1.5, isDone: false, detail: { a: 1 } }
    const other: Row = { id: 'null', dueAt: null, isDone: true, detail: null }
    expect(arraysOf(table, [row, other])).toEqual([
      '{"x","null"}',
      '{1.5,null}',
      '{false,true}',
      '{"{\\"a\\":1}",null}',
    ])
  })

  test('keeps what has a meaning in an array from having it', () => {
    expect(toArray(['a"b', 'c\\d', 'e,f', '{g}', ''])).toBe('{"a\\"b","c\\\\d","e,f","{g}",""}')
  })

  test('reads a row by the names of the columns, and leaves others out', () => {
    const sent = { detail: { a: 1 }, number: 7, id: 'x', is_done: true, due_at: null }
    expect(readRow(table, sent)).toEqual({ id: 'x', dueAt: null, isDone: true, detail: { a: 1 } })
  })
})
