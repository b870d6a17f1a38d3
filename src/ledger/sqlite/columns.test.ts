/** A row comes back from its columns as it was, and an update sets what differs. */

import { expect, test } from 'vitest'
import { defineTable, insertInto, toColumnName, updaterOf, upsertInto } from './columns.ts'
import { Connection } from './connection.ts'

interface Row {
  readonly id: string
  readonly startedAt: number | null
  readonly count: number
  readonly isOpen: boolean
  readonly by: string | null
  readonly detail: { readonly list: readonly number[] } | null
}

const rows = defineTable<Row>('rows', {
  id: 'text',
  startedAt: 'real',
  count: 'integer',
  isOpen: 'flag',
  by: 'text',
  detail: 'json',
})

function open(): Connection {
  const connection = new Connection(':memory:')
  connection.exec(`CREATE TABLE rows (id TEXT PRIMARY KEY, started_at REAL, count INTEGER NOT NULL,
    is_open INTEGER NOT NULL, by TEXT, detail TEXT) STRICT`)
  return connection
}

const row: Row = {
  id: 'a',
  // The finest fraction that an instant has, and a text that SQL must not read as SQL.
  startedAt: 1_772_452_800_000 + 1 / 1024,
  count: 3,
  isOpen: true,
  by: `O'Neill "?" \0 ünïcode 🌬️`,
  detail: { list: [1, 0.1, -5] },
}

const all = `SELECT ${rows.list} FROM rows ORDER BY id`

test('a row is read as it was written, to the last fraction', () => {
  const connection = open()
  const bare: Row = { ...row, id: 'b', startedAt: null, isOpen: false, by: null, detail: null }
  connection.write(insertInto(rows), row)
  connection.write(insertInto(rows), bare)
  expect(connection.rows(rows, all)).toEqual([row, bare])
})

test('an upsert replaces the row in its place', () => {
  const connection = open()
  const upsert = upsertInto(rows, ['id'])
  connection.write(upsert, row)
  connection.write(upsert, { ...row, id: 'b' })
  connection.write(upsert, { ...row, count: 4, isOpen: false })
  expect(connection.rows(rows, all).map(({ id, count }) => [id, count])).toEqual([
    ['a', 4],
    ['b', 3],
  ])
  expect(connection.all('SELECT id FROM rows ORDER BY rowid')).toEqual([['a'], ['b']])
})

test('an update sets the fields that differ and no others', () => {
  const update = updaterOf(rows, 'id = ?')
  const change = update(row, { ...row, count: 4, detail: null })
  expect(change).toEqual({
    sql: 'UPDATE rows SET "count" = ?, "detail" = ? WHERE id = ?',
    values: [4, null],
  })
  expect(update(row, { ...row })).toBeNull()
})

test('an update of every field leaves the new row', () => {
  const connection = open()
  connection.write(insertInto(rows), row)
  const after: Row = { id: 'z', startedAt: 0, count: 0, isOpen: false, by: '', detail: null }
  const change = updaterOf(rows, 'id = ?')(row, after)
  expect(connection.run(change?.sql ?? '', ...(change?.values ?? []), 'a')).toBe(1)
  expect(connection.rows(rows, all)).toEqual([after])
})

test('a stored JSON value that is none is damage, not a crash', () => {
  const connection = open()
  connection.run(`INSERT INTO rows VALUES ('a', 1, 1, 0, NULL, '{"list": [1')`)
  expect(() => connection.rows(rows, all)).toThrow(
    expect.objectContaining({ name: 'LedgerError', kind: 'damaged' }),
  )
})

test('names of columns are the names of fields in SQL’s manner', () => {
  expect(['id', 'postId', 'mayLandUntil'].map(toColumnName)).toEqual([
    'id',
    'post_id',
    'may_land_until',
  ])
})
