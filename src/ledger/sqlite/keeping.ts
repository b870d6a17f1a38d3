/** Pauses, settings, rows from elsewhere, erasure and retention. */

import type { NewEvent } from '../../core/events.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { PauseRow } from '../rows.ts'
import type { ImportRows } from '../store.ts'
import { insertInto } from './columns.ts'
import { outlasts } from '../steps/pause.ts'
import type { Connection } from './connection.ts'
import { appendEvents } from './events.ts'
import { addPost } from './records.ts'
import { erasedFault } from './state-rules.ts'
import { pauses } from './tables.ts'
import { insertAction } from './writes.ts'

const insertPause = insertInto(pauses)

/** A pause that is there already is replaced, and stands last then. */
export function addPause(
  connection: Connection,
  pause: PauseRow,
  events: readonly NewEvent[],
  now: Instant,
): void {
  removePause(connection, pause.scope, pause.target)
  connection.write(insertPause, pause)
  appendEvents(connection, events, now)
}

/** False where one that lasts as long is there. */
export function addRest(
  connection: Connection,
  pause: PauseRow,
  events: readonly NewEvent[],
  now: Instant,
): boolean {
  const { scope, target } = pause
  const known = connection.get(
    'SELECT until FROM pauses WHERE scope = ? AND target = ?',
    scope,
    target,
  )
  if (known !== null && outlasts(known[0] as Instant | null, pause.until)) return false
  addPause(connection, pause, events, now)
  return true
}

export function removePause(connection: Connection, scope: string, target: string): boolean {
  const sql = 'DELETE FROM pauses WHERE scope = ? AND target = ?'
  return connection.run(sql, scope, target) > 0
}

export function readSetting(connection: Connection, name: string): string | null {
  const found = connection.get('SELECT value FROM settings WHERE name = ?', name)
  return found === null ? null : String(found[0])
}

export function settleSetting(connection: Connection, name: string, value: string): string {
  const sql = 'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
  connection.run(sql, name, value)
  return readSetting(connection, name) ?? value
}

/** Returns how many actions were new. */
export function importActions(
  connection: Connection,
  { posts, actions }: ImportRows,
  events: readonly NewEvent[],
  now: Instant,
): number {
  for (const post of posts) addPost(connection, post)
  let added = 0
  for (const action of actions) {
    if (connection.get('SELECT 1 FROM actions WHERE key = ?', action.key) !== null) continue
    added += connection.write(insertAction, action)
  }
  appendEvents(connection, events, now)
  return added
}

/** What was personal goes; keys, hashes and the chain of events stay. */
export function eraseAccount(
  connection: Connection,
  id: AccountId,
  at: Instant,
  events: readonly NewEvent[],
  now: Instant,
): void {
  const erased = connection.run(
    `UPDATE accounts SET credentials = NULL, handle = '', status_reason = NULL, profile = NULL,
        status = 'erased'
      WHERE id = ?`,
    id,
  )
  if (erased === 0) return
  connection.run(
    `UPDATE posts SET text = NULL, url = NULL, next_check_at = NULL,
        status = CASE status WHEN 'watched' THEN 'closed' ELSE status END,
        closed_at = coalesce(closed_at, ?)
      WHERE account_id = ?`,
    at,
    id,
  )
  connection.run(
    `UPDATE actions SET text = NULL, outcome = NULL, fault = ${erasedFault('fault')}
      WHERE account_id = ?`,
    id,
  )
  const ofAccount = 'action_id IN (SELECT id FROM actions WHERE account_id = ?)'
  const withoutWords = `prepared = NULL, fault = ${erasedFault('fault')}`
  connection.run(`UPDATE attempts SET ${withoutWords} WHERE ${ofAccount}`, id)
  connection.run(`UPDATE approvals SET reason = NULL WHERE ${ofAccount}`, id)
  connection.run(`UPDATE pauses SET reason = '' WHERE scope = 'account' AND target = ?`, id)
  appendEvents(connection, events, now)
}

const postsPerRead = 500

const postsToShrink = `SELECT number, published_at FROM posts
  WHERE status <> 'watched' AND shrunk = 0 AND published_at < ? AND (published_at, number) > (?, ?)
  ORDER BY published_at, number LIMIT ${postsPerRead}`

/** Posts are taken whole, so somewhat more than the limit may go. */
export function shrinkSamples(
  connection: Connection,
  before: Instant,
  keepAgesMs: readonly number[],
  limit: number,
): number {
  let dropped = 0
  let last: readonly [Instant, number] = [-Infinity, 0]
  for (;;) {
    const page = connection.all(postsToShrink, before, ...last)
    for (const [number, publishedAt] of page.map((values) => values.map(Number))) {
      if (dropped >= limit) return dropped
      last = [publishedAt as Instant, number as number]
      dropped += shrinkPost(connection, last, before, keepAgesMs)
    }
    if (page.length < postsPerRead) return dropped
  }
}

function shrinkPost(
  connection: Connection,
  [publishedAt, number]: readonly [Instant, number],
  before: Instant,
  keepAgesMs: readonly number[],
): number {
  const times = connection
    .all('SELECT at FROM samples WHERE post = ? ORDER BY at', number)
    .map(([at]) => Number(at))
  const kept = new Set(keepAgesMs.map((ageMs) => times.findLast((at) => at <= publishedAt + ageMs)))
  const dropped = times.filter((at) => at < before && !kept.has(at))
  for (const at of dropped) {
    connection.run('DELETE FROM samples WHERE post = ? AND at = ?', number, at)
  }
  // Later readings may still grow too old; without any there is nothing left to do here.
  if (times.every((at) => at < before)) {
    connection.run('UPDATE posts SET shrunk = 1 WHERE number = ?', number)
  }
  return dropped.length
}
