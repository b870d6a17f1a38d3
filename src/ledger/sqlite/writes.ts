/**
 * Owns how the changes of a step are written. Of a row that is replaced only the fields that differ
 * from what the step was shown are set.
 */

import type { Instant } from '../../core/instant.ts'
import type { AccountRow, ActionRow, AttemptRow, PostRow } from '../rows.ts'
import { superseded } from '../steps/post.ts'
import type { Changes, PostContent } from '../store.ts'
import type {
  AccountView,
  ActionView,
  ClaimView,
  LookView,
  MeasurementView,
  PostView,
} from '../views.ts'
import { insertInto, updaterOf, upsertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { ledgerError } from './errors.ts'
import { appendEvents } from './events.ts'
import { readByRemoteId } from './records.ts'
import {
  accounts,
  actions,
  approvals,
  attempts,
  incidents,
  measurements,
  posts,
  verdicts,
} from './tables.ts'
import { readAction, readPost } from './views.ts'

/** What the step was shown: the rows as they are in the file. */
export type Shown = AccountView | MeasurementView | LookView | PostView | ClaimView | ActionView

export const insertAction = insertInto(actions)
const insertAttempt = insertInto(attempts)
const insertApproval = insertInto(approvals)
const upsertIncident = upsertInto(incidents, ['actionId'])
const upsertVerdict = upsertInto(verdicts, ['postId', 'policy', 'at'])
const upsertMeasurement = upsertInto(measurements, ['postId', 'horizonMs'])

export function writeChanges(connection: Connection, changes: Changes, shown: Shown): void {
  const { approval, incident, verdict } = changes
  if (changes.account !== undefined) writeAccount(connection, shown, changes.account)
  if (changes.post !== undefined) writePost(connection, shown, changes.post)
  if (changes.postContent !== undefined) {
    writeContent(connection, changes.postContent, shown.now)
  }
  if (changes.insertAction !== undefined) connection.write(insertAction, changes.insertAction)
  if (changes.updateAction !== undefined) writeAction(connection, shown, changes.updateAction)
  if (changes.insertAttempt !== undefined) connection.write(insertAttempt, changes.insertAttempt)
  if (changes.updateAttempt !== undefined) writeAttempt(connection, shown, changes.updateAttempt)
  if (approval !== undefined) connection.write(insertApproval, approval)
  if (incident !== undefined) connection.write(upsertIncident, incident)
  if (verdict !== undefined) connection.write(upsertVerdict, verdict)
  if (changes.thinVerdicts !== undefined) connection.run(thinVerdicts, changes.thinVerdicts)
  for (const row of changes.measurements ?? []) connection.write(upsertMeasurement, row)
  if (changes.events !== undefined) appendEvents(connection, changes.events, shown.now)
}

/** The latest has place 1. */
const thinVerdicts = `DELETE FROM verdicts WHERE number IN (
  SELECT number FROM (
    SELECT number, row_number() OVER (ORDER BY at DESC, number) AS place,
      kind = lag(kind) OVER earlier AND reason IS lag(reason) OVER earlier AS repeats
    FROM verdicts WHERE post_id = ? WINDOW earlier AS (ORDER BY at, number DESC))
  WHERE repeats AND place > 1)`

const updateAccount = updaterOf(accounts, 'id = ?')

function writeAccount(connection: Connection, shown: Shown, after: AccountRow): void {
  if (!('account' in shown)) throw notShown(`Account ${after.id}`)
  const change = updateAccount(shown.account, after)
  if (change !== null) connection.run(change.sql, ...change.values, after.id)
}

function notShown(what: string): Error {
  return new Error(`${what} was changed by a step that was not shown it`)
}

const updatePost = updaterOf(posts, 'id = ?')

function writePost(connection: Connection, shown: Shown, after: PostRow): void {
  if (!('post' in shown)) throw notShown(`Post ${after.id}`)
  replacePost(connection, shown.post, after)
}

function replacePost(connection: Connection, before: PostRow, after: PostRow): void {
  const change = updatePost(before, after)
  if (change !== null) connection.run(change.sql, ...change.values, after.id)
}

/** Another post that has the remote id gives it up: it is the same publication. */
function writeContent(connection: Connection, content: PostContent, now: Instant): void {
  const { postId, remoteId, contentVersion, text } = content
  const post = readPost(connection, postId)
  if (post === null) throw ledgerError('damaged', connection.path, `Post ${postId} is missing`)
  const other = readByRemoteId(connection, post.accountId, remoteId)
  if (other !== null && other.id !== postId) {
    const { row, events } = superseded(other, now)
    replacePost(connection, other, row)
    appendEvents(connection, events, now)
  }
  const sql = 'UPDATE posts SET remote_id = ?, content_version = ?, text = ? WHERE id = ?'
  connection.run(sql, remoteId, contentVersion, text, postId)
}

const updateAction = updaterOf(actions, 'id = ? AND version = ?')

/** Only the version before this one may be replaced. */
function writeAction(connection: Connection, shown: Shown, after: ActionRow): void {
  const known = 'action' in shown && shown.action.id === after.id ? shown.action : null
  const before = known ?? readAction(connection, after.id)
  if (before === null) {
    throw ledgerError('damaged', connection.path, `Action ${after.id} is missing`)
  }
  const change = updateAction(before, after)
  const replaced = after.version - 1
  const count =
    change === null ? 0 : connection.run(change.sql, ...change.values, after.id, replaced)
  if (count === 1) return
  throw ledgerError('conflict', connection.path, `Action ${after.id} is not at version ${replaced}`)
}

const updateAttempt = updaterOf(attempts, 'id = ?')

function writeAttempt(connection: Connection, shown: Shown, after: AttemptRow): void {
  const known = 'attempts' in shown ? shown.attempts : []
  const before = known.find(({ id }) => id === after.id)
  if (before === undefined) {
    throw ledgerError('conflict', connection.path, `Attempt ${after.id} is not of this action`)
  }
  const change = updateAttempt(before, after)
  if (change !== null) connection.run(change.sql, ...change.values, after.id)
}
