/** Files come forward one version a step, and one that is not as its version must be is refused. */

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Table } from './columns.ts'
import { Connection } from './connection.ts'
import { applicationId, migrate, newestVersion, readApplicationId } from './migrate.ts'
import { readSchema, readVersion, requireSchema } from './migrate.ts'
import { eventsPerBatch } from './migrations/006-filed-events.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/migrations.ts'
import * as tables from './tables.ts'

const steps: readonly Migration[] = [
  { version: 1, name: 'one', sql: 'CREATE TABLE one (a TEXT) STRICT' },
  {
    version: 2,
    name: 'two',
    sql: `ALTER TABLE one ADD COLUMN b TEXT; UPDATE one SET b = a || '!'`,
  },
  { version: 3, name: 'three', sql: 'CREATE INDEX three ON one (b)' },
]

test('a new file gets every version, and says whose it is', () => {
  const connection = new Connection(':memory:')
  migrate(connection)
  expect(readVersion(connection)).toBe(newestVersion)
  expect(readApplicationId(connection)).toBe(applicationId)
  expect(() => requireSchema(connection)).not.toThrow()
})

test('from every earlier version the file becomes the same, and its rows stay', () => {
  for (let from = 1; from <= steps.length; from += 1) {
    const connection = new Connection(':memory:')
    migrate(connection, steps.slice(0, from))
    connection.run(`INSERT INTO one (a) VALUES ('kept')`)
    migrate(connection, steps)
    expect(readVersion(connection)).toBe(3)
    expect(connection.all('SELECT a FROM one')).toEqual([['kept']])
    const fresh = new Connection(':memory:')
    migrate(fresh, steps)
    expect(readSchema(connection)).toEqual(readSchema(fresh))
  }
})

test('from every version of ours the same schema comes about', () => {
  const fresh = new Connection(':memory:')
  migrate(fresh)
  for (let from = 1; from < migrations.length; from += 1) {
    const older = new Connection(':memory:')
    migrate(older, migrations.slice(0, from))
    migrate(older)
    expect(readSchema(older)).toEqual(readSchema(fresh))
  }
})

test('a step that fails leaves the file at the version before it', () => {
  const connection = new Connection(':memory:')
  const broken = { version: 2, name: 'two', sql: 'CREATE TABLE two (a); CREATE TABLE two (a)' }
  expect(() => migrate(connection, [...steps.slice(0, 1), broken])).toThrow('already exists')
  expect(readVersion(connection)).toBe(1)
  expect([...readSchema(connection).keys()]).toEqual(['table one'])
  expect(connection.isInTransaction).toBe(false)
})

test('posts of an older file learn what their latest verdict is', () => {
  const connection = new Connection(':memory:')
  migrate(connection, migrations.slice(0, 3))
  connection.exec(`
    INSERT INTO accounts (id, platform, handle, mode, time_zone, policy, holdout_share, status,
      created_at) VALUES ('a', 'bluesky', '@a', 'auto', 'UTC', 'p@1', 0, 'active', 0);
    INSERT INTO posts (id, account_id, platform, remote_id, published_at, status, never_touch,
      tracked_at) VALUES ('looked', 'a', 'bluesky', 'r-1', 0, 'watched', 0, 0),
        ('new', 'a', 'bluesky', 'r-2', 0, 'watched', 0, 0);
    INSERT INTO verdicts (post_id, policy, at, evaluated_at, kind, stalled)
      VALUES ('looked', 'p@1', 2, 2, 'hold', 1), ('looked', 'p@1', 1, 1, 'healthy', 0)`)
  migrate(connection)
  const read = 'SELECT id, latest_kind, latest_stalled FROM posts ORDER BY id'
  expect(connection.all(read)).toEqual([
    ['looked', 'hold', 1],
    ['new', null, null],
  ])
})

test.each([0, 1, 127, 128, 300])(
  'of %i events of an older file all full batches are filed',
  (n) => {
    const connection = new Connection(':memory:')
    migrate(connection, migrations.slice(0, 5))
    const insert = `INSERT INTO events (at, type, account_id, post_id, data, written_at)
    VALUES (0, 'paused', ?, ?, '{}', 0)`
    for (let number = 1; number <= n; number += 1) {
      connection.run(insert, number % 3 === 0 ? null : 'a', number % 2 === 0 ? null : 'p')
    }
    migrate(connection)
    const filed = n - (n % eventsPerBatch)
    const numbers = Array.from({ length: filed }, (_, index) => index + 1)
    const read = (table: string) => connection.all(`SELECT * FROM ${table}`)
    expect(read('events_of_account')).toEqual(
      numbers.filter((number) => number % 3 !== 0).map((number) => ['a', number]),
    )
    expect(read('events_of_post')).toEqual(
      numbers.filter((number) => number % 2 !== 0).map((number) => ['p', number]),
    )
  },
)

test('versions count from 1 without a gap', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
})

test('a migration that was released is never edited', () => {
  const prints = migrations.map(({ name, sql }) => [name, hash('sha256', sql).slice(0, 16)])
  expect(prints).toEqual([
    ['begin', '18760e18b6546481'],
    ['profiles', '88484fbcd9f841ba'],
    ['shelf', 'b68a37aea6853b4a'],
    ['pages', '162f900e9043d2df'],
    ['erasure', 'fe36b816015a7903'],
    ['filed events', 'd677acbf6677bcbc'],
    ['reserved', '5961def1c882f97d'],
  ])
})

test.each([
  ['a trigger is missing', 'DROP TRIGGER actions_end_for_good', 'trigger actions_end_for_good'],
  ['an index is missing', 'DROP INDEX one_open_action_per_post', 'one_open_action_per_post'],
  ['a table is missing', 'DROP TABLE settings', 'table settings'],
  ['a table has another column', 'ALTER TABLE pauses ADD COLUMN more TEXT', 'table pauses'],
])('a file in which %s is damaged', (_, change, named) => {
  const connection = new Connection(':memory:')
  migrate(connection)
  connection.exec(change)
  expect(() => requireSchema(connection)).toThrow(
    expect.objectContaining({
      kind: 'damaged',
      message: expect.stringContaining(named) as unknown,
    }),
  )
})

test('what someone added to a file does no harm', () => {
  const connection = new Connection(':memory:')
  migrate(connection)
  connection.exec('CREATE TABLE notes (a TEXT); CREATE INDEX mine ON posts (url)')
  expect(() => requireSchema(connection)).not.toThrow()
})

const ownColumns = [
  'number',
  'post',
  'shrunk',
  'written_at',
  'collection',
  'expires_at',
  'latest_kind',
  'latest_stalled',
]

test('every table has the columns of its rows, each of the right type', () => {
  const connection = new Connection(':memory:')
  migrate(connection)
  const types = { text: 'TEXT', json: 'TEXT', real: 'REAL', integer: 'INTEGER', flag: 'INTEGER' }
  const all = Object.values(tables) as Table<unknown>[]
  expect(all.length).toBe(15)
  for (const { name: table, columns } of all) {
    const stored = connection.all(`SELECT name, type FROM pragma_table_info('${table}')`)
    const typeOf = new Map(stored.map(([name, type]) => [`"${String(name)}"`, type]))
    const wrong = columns.filter(({ name, kind }) => typeOf.get(name) !== types[kind])
    expect([table, wrong]).toEqual([table, []])
    // The others are the store's own: an order, a number for a post, a mark.
    const own = [...typeOf.keys()].filter((name) => columns.every((column) => column.name !== name))
    const known = new Set(ownColumns.map((name) => `"${name}"`))
    expect([table, own.filter((name) => !known.has(name))]).toEqual([table, []])
  }
})
