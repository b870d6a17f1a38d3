/**
 * Owns the copy of a ledger while it is in use. What happened after the copy was made is unknown to
 * it, so whoever opens it as a ledger finds every account paused until its timeline was matched: an
 * action that was sent since must not be sent again (I1, I11).
 *
 * To restore, give the copy a path where no `-wal` lies. A log belongs to one file only, and SQLite
 * would write a strange one into the copy.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import type { Instant } from '../../core/instant.ts'
import { LedgerError } from '../ledger-error.ts'
import { pauseAfterRestore } from '../restore-pause.ts'
import { pauseEvent } from '../steps/pause.ts'
import type { Connection } from './connection.ts'
import { asErrorOf, ledgerError, translate } from './errors.ts'
import { appendEvents } from './events.ts'
import { addPause } from './keeping.ts'
import { listAccounts, listPauses } from './lists.ts'
import { connect } from './open.ts'
import type { OpenOptions } from './open.ts'
import { beginDraft } from './place-file.ts'

/** Steps of 8 MiB: each runs outside the event loop, and between two it can go on. */
const pagesPerStep = 2048

export async function backUp(
  path: string,
  toPath: string,
  now: Instant,
  options: OpenOptions,
): Promise<void> {
  const target = resolve(toPath)
  requireFree(target)
  using draft = beginDraft(target)
  try {
    await copy(path, draft.path)
    markAsCopy(draft.path, now, options)
  } catch (error) {
    const isDamaged = error instanceof LedgerError && error.kind === 'damaged'
    throw asErrorOf(isDamaged ? path : target, 'It cannot be copied', error)
  }
  if (!draft.place()) throw taken(target)
}

/** A name in use is never replaced: it may be the one good copy. */
function requireFree(target: string): void {
  if (existsSync(target)) throw taken(target)
  if (existsSync(`${target}-wal`)) {
    const what = `The log ${target}-wal is there, and would be taken for the copy's own`
    throw new LedgerError('conflict', `${what}. Choose another name for the copy.`)
  }
}

function taken(target: string): LedgerError {
  const what = `${target} is there already and was left as it is`
  return new LedgerError('conflict', `${what}. Choose another name for the copy.`)
}

/** With a connection of its own, which holds one snapshot, the copy hinders nobody. */
async function copy(from: string, to: string): Promise<void> {
  try {
    using source = new DatabaseSync(from, { readOnly: true })
    source.exec('BEGIN')
    source.prepare('SELECT high_water FROM ledger_time').get()
    await backup(source, to, { rate: pagesPerStep })
  } catch (error) {
    throw translate(error, from)
  }
}

function markAsCopy(path: string, now: Instant, options: OpenOptions): void {
  const connection = connect(path, options)
  try {
    connection.control('BEGIN IMMEDIATE')
    pauseAll(connection, now)
    connection.control('COMMIT')
    if (connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.[0] !== 0) {
      throw ledgerError('busy', path, 'Someone has opened the copy while it was made')
    }
  } finally {
    connection.close()
  }
}

function pauseAll(connection: Connection, since: Instant): void {
  const nothing = { accountId: null, postId: null, actionId: null, data: {} }
  appendEvents(connection, [{ type: 'restored', at: since, ...nothing }], since)
  const before = listPauses(connection)
  for (const { id } of listAccounts(connection)) {
    const pause = pauseAfterRestore(id, before, since, 'backup')
    if (pause !== null) addPause(connection, pause, [pauseEvent('paused', since, pause)], since)
  }
}
