/** Keeps a claim alive, and finds the ones whose owner is gone (I5). */

import type { NewEvent } from '../../core/events.ts'
import type { ActionId } from '../../core/ids.ts'
import type { ActionRow, AttemptRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Step } from '../store.ts'
import type { ActionView } from '../views.ts'
import { attemptEvent } from './settle.ts'
import { move, subjectOf, touch } from './transition.ts'

export interface RenewCommand {
  readonly actionId: ActionId
  readonly token: string
  readonly leaseMs: number
}

/** False where the claim is not ours any more. */
export function renewStep(view: ActionView, command: RenewCommand): Step<boolean> {
  const { action, now } = view
  const isOurs = action.state === 'running' && action.token === command.token
  if (!isOurs || action.leaseUntil === null || action.leaseUntil <= now) {
    return { result: false, changes: noChanges }
  }
  const leaseUntil = Math.max(action.leaseUntil, now + command.leaseMs)
  const mayLandUntil = Math.max(action.mayLandUntil ?? 0, leaseUntil)
  const row = touch(action, { leaseUntil, dueAt: leaseUntil, mayLandUntil })
  return { result: true, changes: { updateAction: row } }
}

export type ExpireResult =
  | { readonly kind: 'changed'; readonly action: ActionRow }
  | { readonly kind: 'unchanged' }

/**
 * Ends what waited too long, and frees a claim whose lease is over. Where no send was under way
 * nothing can have landed, so it may be tried again at once; else it is unknown.
 */
export function expireStep(view: ActionView, settleDelayMs: number): Step<ExpireResult> {
  const { action, now } = view
  switch (action.state) {
    case 'planned':
    case 'awaiting_approval':
    case 'approved':
      return now < action.expiresAt ? unchanged : expirePlan(view)
    case 'running':
      return action.leaseUntil === null || now < action.leaseUntil
        ? unchanged
        : freeClaim(view, settleDelayMs)
    default:
      return unchanged
  }
}

const unchanged: Step<ExpireResult> = { result: { kind: 'unchanged' }, changes: noChanges }

function expirePlan({ action, now }: ActionView): Step<ExpireResult> {
  const { row, event } = move(action, 'expired', now, {}, { reason: 'nobody began it in time' })
  return {
    result: { kind: 'changed', action: row },
    changes: { updateAction: row, events: [event] },
  }
}

function freeClaim(view: ActionView, settleDelayMs: number): Step<ExpireResult> {
  const { action, attempts, now } = view
  const pending = attempts.find(({ result }) => result === 'pending')
  if (pending === undefined) {
    const patch = { dueAt: now, leaseUntil: null, mayLandUntil: lastLanding(attempts) }
    const { row, event } = move(action, 'waiting', now, patch, { reason: 'lease_lost' })
    return {
      result: { kind: 'changed', action: row },
      changes: { updateAction: row, events: [event] },
    }
  }
  const patch = { dueAt: now + settleDelayMs, leaseUntil: null }
  const { row, event } = move(action, 'unknown', now, patch, { reason: 'lease_lost' })
  const ended: AttemptRow = { ...pending, endedAt: now, result: 'unknown' }
  return {
    result: { kind: 'changed', action: row },
    changes: {
      updateAction: row,
      updateAttempt: ended,
      events: [attemptEvent(action, ended, now), event],
    },
  }
}

/** Segments that are out stay out, whatever becomes of the rest. */
function lastLanding(attempts: readonly AttemptRow[]): number | null {
  const ends = attempts.filter(({ result }) => result === 'landed').map(({ endedAt }) => endedAt)
  return ends.at(-1) ?? null
}

/** Says once that an approval runs out soon. */
export function noticeStep({ action, now }: ActionView): Step<boolean> {
  const isDue = action.noticeAt !== null && action.noticeAt <= now
  if (!isDue || action.state !== 'awaiting_approval') return { result: false, changes: noChanges }
  const data = { expiresAt: action.expiresAt }
  const event: NewEvent = { type: 'approval_expiring', at: now, ...subjectOf(action), data }
  const row = touch(action, { noticeAt: null })
  return { result: true, changes: { updateAction: row, events: [event] } }
}
