/** Plans to take back what an action did. The undo is a row of its own: ended rows never change. */

import { hash } from 'node:crypto'
import { hourMs } from '../../core/duration.ts'
import type { NewEvent } from '../../core/events.ts'
import type { ActionId, ActionKey, PostId } from '../../core/ids.ts'
import type { ActionRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Step } from '../store.ts'
import type { PostView } from '../views.ts'
import { subjectOf } from './transition.ts'

export interface UndoCommand {
  /** Made by the caller; repeating the call with the same id returns the first result. */
  readonly actionId: ActionId
  readonly postId: PostId
  readonly undoes: ActionId
}

export type UndoResult =
  | { readonly kind: 'planned'; readonly action: ActionRow }
  | { readonly kind: 'refused'; readonly reason: string }

/** An undo is begun within this, or not at all. */
const expiresAfterMs = hourMs

export function undoStep(view: PostView, command: UndoCommand): Step<UndoResult> {
  const known = view.actions.find(({ id }) => id === command.actionId)
  if (known !== undefined) return unchanged({ kind: 'planned', action: known })
  const target = view.actions.find(({ id }) => id === command.undoes)
  if (target === undefined) return refused('the action is not one of this post')
  if (target.state !== 'success') return refused(`the action is ${target.state}, not done`)
  if (target.undoes !== null) return refused('an undo cannot be taken back')
  const earlier = view.actions.find((row) => row.undoes === target.id && row.state === 'success')
  if (earlier !== undefined) return refused('it was taken back already')
  if (view.actions.some(({ endedAt }) => endedAt === null)) {
    return refused('another action on the post is still open')
  }
  const action = newRow(view, target, command.actionId)
  const data = { undoes: target.id }
  const event: NewEvent = { type: 'undo_planned', at: view.now, ...subjectOf(action), data }
  return {
    result: { kind: 'planned', action },
    changes: { insertAction: action, events: [event] },
  }
}

/** A person asked for it, so it is approved from the start, under the policy in force now. */
function newRow({ now, account, actions }: PostView, target: ActionRow, id: ActionId): ActionRow {
  const generation = actions.filter(({ undoes }) => undoes === target.id).length
  return {
    ...target,
    id,
    key: undoKey(target.key, generation),
    generation,
    state: 'approved',
    policy: account.policy,
    plannedAt: now,
    expiresAt: now + expiresAfterMs,
    noticeAt: null,
    dueAt: now,
    token: null,
    leaseUntil: null,
    firstClaimedAt: null,
    attempts: 0,
    mayLandUntil: null,
    endedAt: null,
    outcome: null,
    fault: null,
    undoes: target.id,
    version: 1,
  }
}

function undoKey(key: ActionKey, generation: number): ActionKey {
  return `undo_${hash('sha256', `${key}:${generation}`, 'hex').slice(0, 32)}` as ActionKey
}

function refused(reason: string): Step<UndoResult> {
  return unchanged({ kind: 'refused', reason })
}

function unchanged(result: UndoResult): Step<UndoResult> {
  return { result, changes: noChanges }
}
