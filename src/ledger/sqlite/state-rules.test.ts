/** The database itself keeps the rules of an action's life, whoever writes to it. */

import { expect, test } from 'vitest'
import { canFollow, isOpen, states } from '../../core/states.ts'
import type { State } from '../../core/states.ts'
import { LedgerError } from '../ledger-error.ts'
import { Connection } from './connection.ts'
import { migrate } from './migrate.ts'

/** A file with one account, two posts, and an action on the first in the given state. */
function fileWith(state: State, set = ''): Connection {
  const connection = new Connection(':memory:')
  migrate(connection)
  connection.exec(`
    INSERT INTO accounts (id, platform, handle, mode, time_zone, policy, holdout_share, status,
      created_at) VALUES ('account', 'bluesky', '@a', 'auto', 'UTC', 'p@1', 0, 'active', 0)`)
  for (const id of ['post', 'other']) {
    connection.exec(`
      INSERT INTO posts (id, account_id, platform, remote_id, published_at, status, never_touch,
        tracked_at) VALUES ('${id}', 'account', 'bluesky', 'r-${id}', 0, 'watched', 0, 0)`)
  }
  insert(connection, 'action', 'key', state)
  if (set !== '') connection.exec(`UPDATE actions SET ${set}`)
  return connection
}

function insert(connection: Connection, id: string, key: string, state: State, ended = ''): void {
  const end = ended === '' ? (isOpen(state) ? 'NULL' : '5') : ended
  connection.run(`
    INSERT INTO actions (id, key, post_id, account_id, platform, action, tier, generation, state,
      policy, score, text, text_hash, revision, planned_at, expires_at, attempts, ended_at, version)
    VALUES ('${id}', '${key}', 'post', 'account', 'bluesky', 'comment', 'tier_1', 0, '${state}',
      'p@1', 0.5, 'Hello?', 'hash', 1, 0, 9, 0, ${end}, 1)`)
}

function kindOf(write: () => unknown): string {
  try {
    write()
    return 'written'
  } catch (error) {
    return error instanceof LedgerError ? error.kind : String(error)
  }
}

const pairs = states.flatMap((from) => states.map((to) => [from, to] as const))

test.each(pairs)('from %s to %s only as the table of states has it', (from, to) => {
  const connection = fileWith(from)
  const end = isOpen(to) ? 'NULL' : '7'
  const write = () => connection.run(`UPDATE actions SET state = '${to}', ended_at = ${end}`)
  const legal = from === to ? isOpen(from) : canFollow(from, to)
  expect(kindOf(write)).toBe(legal ? 'written' : 'conflict')
  expect(connection.get('SELECT state FROM actions')).toEqual([legal ? to : from])
})

test.each(states)(
  '%s has an end exactly where the table of states says that it is one',
  (state) => {
    const connection = fileWith('cancelled')
    const wrong = isOpen(state) ? '5' : 'NULL'
    expect(kindOf(() => insert(connection, 'next', 'key-2', state, wrong))).toBe('conflict')
    expect(kindOf(() => insert(connection, 'next', 'key-2', state))).toBe('written')
  },
)

test('a state that is not in the table is refused', () => {
  const write = () => insert(fileWith('cancelled'), 'next', 'key-2', 'sleeping' as State, 'NULL')
  expect(kindOf(write)).toBe('conflict')
})

test('a key is used once, and a post has one open action', () => {
  const connection = fileWith('running')
  expect(kindOf(() => insert(connection, 'next', 'key', 'cancelled'))).toBe('conflict')
  expect(kindOf(() => insert(connection, 'next', 'key-2', 'planned'))).toBe('conflict')
  expect(kindOf(() => insert(connection, 'next', 'key-2', 'cancelled'))).toBe('written')
})

test.each([
  `key = 'other'`,
  `post_id = 'other'`,
  `action = 'edit'`,
  `tier = 'tier_2'`,
  `generation = 1`,
  `platform = 'mastodon'`,
  `undoes = 'action'`,
])('what an action is about never changes: %s', (set) => {
  const connection = fileWith('planned')
  expect(kindOf(() => connection.run(`UPDATE actions SET ${set}`))).toBe('conflict')
})

test.each([`token = 't'`, `outcome = '{}'`, `version = 2`, `fault = '{}'`, `ended_at = 6`])(
  'an ended row never changes: %s',
  (set) => {
    const connection = fileWith('success')
    expect(kindOf(() => connection.run(`UPDATE actions SET ${set}`))).toBe('conflict')
  },
)

test.each([`text = 'Other'`, `text_hash = 'other'`, `revision = 2`, `text = NULL`])(
  'a text is frozen at the first claim: %s',
  (set) => {
    const before = fileWith('planned')
    expect(kindOf(() => before.run(`UPDATE actions SET ${set}`))).toBe('written')
    const claimed = fileWith('running', 'first_claimed_at = 3')
    expect(kindOf(() => claimed.run(`UPDATE actions SET ${set}`))).toBe('conflict')
  },
)

test('only where its account is erased may an ended or claimed row lose text and outcome', () => {
  const erase = 'UPDATE actions SET text = NULL, outcome = NULL'
  for (const state of ['success', 'running'] as const) {
    const connection = fileWith(state === 'success' ? 'running' : state, 'first_claimed_at = 3')
    connection.run(`UPDATE actions SET outcome = '{}'`)
    if (state === 'success') connection.run(`UPDATE actions SET state = 'success', ended_at = 5`)
    expect(kindOf(() => connection.run(erase))).toBe('conflict')
    connection.run(`UPDATE accounts SET status = 'erased'`)
    expect(kindOf(() => connection.run(`${erase}, token = 't'`))).toBe(
      state === 'success' ? 'conflict' : 'written',
    )
    expect(kindOf(() => connection.run(erase))).toBe('written')
  }
})

test.each(['actions', 'attempts', 'events', 'audit'])('no row of %s is ever deleted', (table) => {
  const connection = fileWith('running')
  connection.exec(`
    INSERT INTO attempts (id, action_id, platform, number, segment, token, started_at, deadline_at,
      result) VALUES ('attempt', 'action', 'bluesky', 1, 0, 't', 0, 1, 'pending');
    INSERT INTO events (at, type, data, written_at) VALUES (0, 'restored', '{}', 0);
    INSERT INTO audit (number, seq, hash) VALUES (1, 1, 'h')`)
  expect(kindOf(() => connection.run(`DELETE FROM ${table}`))).toBe('conflict')
})

test('events and audit entries never change, nor which send an attempt is', () => {
  const connection = fileWith('running')
  connection.exec(`
    INSERT INTO attempts (id, action_id, platform, number, segment, token, started_at, deadline_at,
      result) VALUES ('attempt', 'action', 'bluesky', 1, 0, 't', 0, 1, 'pending');
    INSERT INTO events (at, type, data, written_at) VALUES (0, 'restored', '{}', 0);
    INSERT INTO audit (number, seq, hash) VALUES (1, 1, 'h')`)
  expect(kindOf(() => connection.run('UPDATE events SET at = 1'))).toBe('conflict')
  expect(kindOf(() => connection.run(`UPDATE audit SET hash = 'x'`))).toBe('conflict')
  expect(kindOf(() => connection.run('UPDATE attempts SET number = 2'))).toBe('conflict')
  expect(kindOf(() => connection.run(`UPDATE attempts SET result = 'landed'`))).toBe('written')
})

test('what belongs to nothing is refused', () => {
  const connection = fileWith('running')
  const orphan = () =>
    connection.run(`INSERT INTO own_replies (post_id, remote_id, at) VALUES ('none', 'r', 0)`)
  expect(kindOf(orphan)).toBe('conflict')
})
