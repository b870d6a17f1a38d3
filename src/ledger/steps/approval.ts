/** What a person decides about an action. An approval is bound to the very text that was shown. */

import type { NewEvent } from '../../core/events.ts'
import type { ActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { State } from '../../core/states.ts'
import type { ActionRow, ApprovalRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Changes, Step } from '../store.ts'
import type { ActionView } from '../views.ts'
import { wordlessOutcome } from './erased.ts'
import { hashText } from './plan.ts'
import { isOrMayBeOut, move, subjectOf, touch } from './transition.ts'

export type Decision =
  /** `textHash` is of the text that the person saw; `text` replaces it, and is approved with it. */
  | {
      readonly kind: 'approve'
      readonly textHash: string
      readonly text?: string
      /** How long the approval can still be taken back before it is sent. */
      readonly graceMs: number
      /** How long it may wait to be begun after that. */
      readonly expiresAfterMs: number
    }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'revise'; readonly textHash: string; readonly text: string }
  /** Asks again later, but no later than the plan lasts. */
  | { readonly kind: 'snooze'; readonly untilMs: number }
  | { readonly kind: 'cancel'; readonly reason: string }
  /** Says what became of an action that only a person could find out. */
  | { readonly kind: 'attend'; readonly landed: boolean; readonly outcome: Json }

export interface DecideCommand {
  readonly actionId: ActionId
  readonly by: string
  readonly decision: Decision
}

export type DecideResult =
  | { readonly kind: 'done'; readonly action: ActionRow }
  /** The text is another one by now: show it and ask again. */
  | { readonly kind: 'text_changed'; readonly action: ActionRow }
  /** It is too late, or too early, for that. */
  | { readonly kind: 'wrong_state'; readonly state: State }

/** `before` is what was decided about it before; of that nothing is ever taken away. */
export function decisionStep(
  view: ActionView,
  command: DecideCommand,
  before: readonly ApprovalRow[],
): Step<DecideResult> {
  const { action } = view
  const { decision } = command
  if (isDone(action, decision) || isBegunSince(action, command, before)) {
    return unchanged({ kind: 'done', action })
  }
  const isAllowed = allowedStates[decision.kind].includes(action.state)
  // What is out, or may be, is counted by the guards; a cancelled row is not (I2, I3).
  if (!isAllowed || (decision.kind === 'cancel' && view.attempts.some(isOrMayBeOut))) {
    return unchanged({ kind: 'wrong_state', state: action.state })
  }
  const shown = decision.kind === 'approve' || decision.kind === 'revise' ? decision.textHash : null
  if (shown !== null && shown !== action.textHash) {
    return unchanged({ kind: 'text_changed', action })
  }
  return carryOut(view, command)
}

const allowedStates: Readonly<Record<Decision['kind'], readonly State[]>> = {
  approve: ['awaiting_approval'],
  reject: ['planned', 'awaiting_approval', 'approved'],
  revise: ['planned', 'awaiting_approval'],
  snooze: ['awaiting_approval'],
  cancel: ['planned', 'awaiting_approval', 'approved', 'waiting'],
  attend: ['needs_attention'],
}

/** The same decision again, after the first one's acknowledgement was lost. */
function isDone(action: ActionRow, decision: Decision): boolean {
  switch (decision.kind) {
    case 'approve': {
      const text = decision.text === undefined ? decision.textHash : hashText(decision.text)
      return action.state === 'approved' && action.textHash === text
    }
    case 'reject':
      return action.state === 'rejected'
    case 'cancel':
      return action.state === 'cancelled'
    case 'revise':
      return action.textHash === hashText(decision.text)
    case 'snooze':
    case 'attend':
      return false
  }
}

/** The same approval again, when what it allowed is under way or over already. */
function isBegunSince(
  { textHash, firstClaimedAt }: ActionRow,
  { by, decision }: DecideCommand,
  before: readonly ApprovalRow[],
): boolean {
  if (decision.kind !== 'approve' || firstClaimedAt === null) return false
  const text = decision.text === undefined ? decision.textHash : hashText(decision.text)
  return (
    text === textHash &&
    before.some((row) => row.decision === 'approved' && row.by === by && row.textHash === text)
  )
}

function carryOut(view: ActionView, { by, decision }: DecideCommand): Step<DecideResult> {
  const { action, now } = view
  switch (decision.kind) {
    case 'approve': {
      const revised = revisedBy(action, decision.text)
      const patch = {
        noticeAt: null,
        dueAt: now + decision.graceMs,
        expiresAt: now + decision.expiresAfterMs,
      }
      const { row, event } = move(revised, 'approved', now, patch, { by })
      const events = revised === action ? [event] : [revisedEvent(row, now), event]
      return done(view, { ...row, version: action.version + 1 }, by, 'approved', null, events)
    }
    case 'reject': {
      const { row, event } = move(action, 'rejected', now, {}, { by, reason: 'rejected' })
      return done(view, row, by, 'rejected', decision.reason, [event])
    }
    case 'cancel': {
      const { row, event } = move(action, 'cancelled', now, {}, { by, reason: 'cancelled' })
      return done(view, row, by, 'cancelled', decision.reason, [event])
    }
    case 'revise': {
      const row = withText(action, decision.text)
      return done(view, row, by, 'revised', null, [revisedEvent(row, now)])
    }
    case 'snooze': {
      const row = touch(action, { dueAt: Math.min(now + decision.untilMs, action.expiresAt) })
      return done(view, row, by, 'snoozed', null, [])
    }
    case 'attend': {
      // A part that the network acknowledged is out, also where the rest is not.
      const isOut = decision.landed || view.attempts.some(({ result }) => result === 'landed')
      const to = isOut ? 'success' : 'failed'
      // Nobody knows when it landed; it was there when the person looked.
      const outcome = wordlessOutcome(view, decision.outcome)
      const patch = { outcome, mayLandUntil: isOut ? now : null }
      const { row, event } = move(action, to, now, patch, { by, reason: 'attended' })
      return done(view, row, by, 'attended', null, [event])
    }
  }
}

/** An approval counts for the very text, and under the policy that the account still has (I11). */
export function isApproved({
  action,
  account,
  approvals,
}: Pick<ActionView, 'action' | 'account' | 'approvals'>): boolean {
  return approvals.some(
    ({ decision, textHash, policy }) =>
      decision === 'approved' && textHash === action.textHash && policy === account.policy,
  )
}

/** The same row where the text is the one it has already. */
function revisedBy(action: ActionRow, text: string | undefined): ActionRow {
  const isOther = text !== undefined && hashText(text) !== action.textHash
  return isOther ? withText(action, text) : action
}

function revisedEvent(row: ActionRow, now: Instant): NewEvent {
  const { revision, textHash } = row
  return { type: 'text_revised', at: now, ...subjectOf(row), data: { revision, textHash } }
}

/** Text may be revised until the first claim, then it is frozen (I8). */
function withText(action: ActionRow, text: string): ActionRow {
  if (action.firstClaimedAt !== null) throw new Error(`The text of action ${action.id} is frozen`)
  return touch(action, { text, textHash: hashText(text), revision: action.revision + 1 })
}

function done(
  view: ActionView,
  row: ActionRow,
  by: string,
  decision: ApprovalRow['decision'],
  reason: string | null,
  events: readonly NewEvent[],
): Step<DecideResult> {
  const { textHash, policy } = row
  const approval: ApprovalRow = {
    actionId: row.id,
    at: view.now,
    decision,
    by,
    reason,
    textHash,
    policy,
  }
  const changes: Changes = { updateAction: row, approval, events }
  return { result: { kind: 'done', action: row }, changes }
}

function unchanged(result: DecideResult): Step<DecideResult> {
  return { result, changes: noChanges }
}
