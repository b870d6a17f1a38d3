/** Owns the one way in which an action's state changes, with the event that says so. */

import type { NewEvent } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import { canFollow, isEnded } from '../../core/states.ts'
import type { State } from '../../core/states.ts'
import type { ActionRow, AttemptRow } from '../rows.ts'

export interface Cause {
  readonly reason?: string
  readonly by?: string
}

export type RowPatch = Partial<
  Pick<
    ActionRow,
    | 'dueAt'
    | 'noticeAt'
    | 'token'
    | 'leaseUntil'
    | 'firstClaimedAt'
    | 'attempts'
    | 'mayLandUntil'
    | 'outcome'
    | 'fault'
    | 'text'
    | 'textHash'
    | 'revision'
    | 'expiresAt'
  >
>

export interface Moved {
  readonly row: ActionRow
  readonly event: NewEvent
}

/** Moves a row along the table of states; anything else is a broken invariant and throws (I7). */
export function move(
  row: ActionRow,
  to: State,
  now: Instant,
  patch: RowPatch = {},
  cause: Cause = {},
): Moved {
  if (!canFollow(row.state, to)) {
    throw new Error(`Action ${row.id} cannot go from ${row.state} to ${to}`)
  }
  const ended = isEnded(to)
  const moved: ActionRow = {
    ...touch(row, patch),
    state: to,
    ...(ended ? { endedAt: now, dueAt: null, noticeAt: null, leaseUntil: null } : {}),
  }
  const data = { from: row.state, to, reason: cause.reason ?? null, by: cause.by ?? null }
  return { row: moved, event: { type: 'action_changed', at: now, ...subjectOf(row), data } }
}

/** Changes a row without changing its state. */
export function touch(row: ActionRow, patch: RowPatch): ActionRow {
  return { ...row, ...patch, version: row.version + 1 }
}

export function subjectOf(row: ActionRow) {
  return { accountId: row.accountId, postId: row.postId, actionId: row.id }
}

/** An attempt that the network shows, or may show: what it belongs to cannot be called off. */
export function isOrMayBeOut({ result }: AttemptRow): boolean {
  return result === 'landed' || result === 'unknown'
}
