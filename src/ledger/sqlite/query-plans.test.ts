/** On the way of a decision nothing is scanned, however long the history is. */

import { expect, test } from 'vitest'
import { Connection } from './connection.ts'
import { itemQueries } from './items.ts'
import { dueQueries, measurementsDue } from './lists.ts'
import { migrate } from './migrate.ts'
import { fewQueries, overviewQueries, pageQueries } from './pages.ts'
import { viewQueries } from './views.ts'

const overviews = Object.fromEntries(
  (['all', 'some'] as const).flatMap((scope) =>
    Object.entries(overviewQueries(scope)).map(([name, sql]) => [`${name} of ${scope}`, sql]),
  ),
)
const pages = { ...pageQueries, ...fewQueries }
const queries = {
  ...viewQueries,
  ...dueQueries,
  measurementsDue,
  ...itemQueries,
  ...pages,
  ...overviews,
}

/** How SQLite would find the rows, a line for each table that it visits. */
function planOf(sql: string): readonly string[] {
  const connection = new Connection(':memory:')
  migrate(connection)
  return connection.all(`EXPLAIN QUERY PLAN ${sql}`).map((values) => String(values[3]))
}

/** A list of accounts that is given, and indexes that hold only what is counted. */
const counted = 'actions_due|posts_watched|posts_stalled|accounts_parked'
const short = new RegExp(`^SCAN (json_each|\\w+ USING (COVERING )?INDEX (${counted})$)`)

test.each(Object.entries(queries))('%s is found by an index', (_, sql) => {
  const visits = planOf(sql).filter((line) => /SCAN|SEARCH/.test(line))
  expect(visits).not.toEqual([])
  expect(visits.filter((line) => line.startsWith('SCAN') && !short.test(line))).toEqual([])
})

test.each(
  Object.entries({
    ...dueQueries,
    measurementsDue,
    accountTally: viewQueries.accountTally,
    ...pageQueries,
    items: itemQueries.list,
    itemsToSweep: itemQueries.over,
  }),
)('%s comes in order from the index, so that a limit ends it', (_, sql) => {
  expect(planOf(sql).filter((line) => line.includes('TEMP B-TREE FOR ORDER BY'))).toEqual([])
})

test('a query without an index would be noticed', () => {
  expect(planOf('SELECT id FROM posts WHERE url = ?')).toEqual(['SCAN posts'])
})

test('a limit is never a bare mark, which would prepare the statement anew each time', () => {
  const limited = Object.values(queries).filter((sql) => sql.includes('LIMIT ?'))
  expect(limited.length).toBeGreaterThan(5)
  expect(limited.filter((sql) => !/LIMIT \?\d? \+ 0/.test(sql))).toEqual([])
})
