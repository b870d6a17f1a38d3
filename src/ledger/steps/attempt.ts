/**
 * Begins one send: stores what was prepared, and checks in the same transaction that nothing is
 * paused, that the claim is still ours and that the platform takes one more. No attempt begins
 * after a pause was acknowledged (I11).
 */

import type { TallyEntry } from '../../core/history.ts'
import type { ActionId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Policy } from '../../core/policy.ts'
import { countInWindow } from '../../core/guards/sliding-window.ts'
import { untilEvent } from '../../core/until.ts'
import type { Until } from '../../core/until.ts'
import type { NewEvent } from '../../core/events.ts'
import type { AttemptRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { ActionView, Step } from '../store.ts'
import { subjectOf, touch } from './transition.ts'

export interface AttemptCommand {
  readonly actionId: ActionId
  readonly token: string
  /** Made by the caller; repeating the call with the same id returns the first result. */
  readonly attemptId: string
  /** From 0; a comment or an edit has only the one. */
  readonly segment: number
  readonly prepared: Json
  /** The send is given up after this; it must end before the lease does. */
  readonly deadlineMs: number
  readonly policy: Policy
}

export type AttemptResult =
  | { readonly kind: 'begun'; readonly attempt: AttemptRow }
  | { readonly kind: 'held'; readonly reason: string; readonly until: Until }
  /** The claim is not ours any more: send nothing. */
  | { readonly kind: 'lost' }

export function attemptStep(
  view: ActionView,
  platformTally: readonly TallyEntry[],
  command: AttemptCommand,
): Step<AttemptResult> {
  const { action, attempts, now } = view
  const isOurs = action.state === 'running' && action.token === command.token
  const known = attempts.find(({ id }) => id === command.attemptId)
  if (known !== undefined && known.token === command.token) {
    // Whoever repeats the call has not sent yet, and must not once someone may have looked for it.
    const isStillOn = isOurs && known.result === 'pending' && now < known.deadlineAt
    return unchanged(isStillOn ? { kind: 'begun', attempt: known } : { kind: 'lost' })
  }
  const deadlineAt = now + command.deadlineMs
  if (!isOurs || action.leaseUntil === null || deadlineAt >= action.leaseUntil) {
    return unchanged({ kind: 'lost' })
  }
  requireNext(view, command)
  if (view.pauses.length > 0) return held('paused', untilEvent('resume'))
  if (view.account.status !== 'active') return held('account_parked', untilEvent('resume'))
  const until = platformHold(platformTally, command.policy, now)
  return until === null ? begin(view, command, deadlineAt) : held('platform_budget', until)
}

/** One send at a time, and never a segment that is out already or may be (I1). */
function requireNext({ action, attempts }: ActionView, command: AttemptCommand): void {
  // A segment that was sent twice may have landed twice where the network deduplicates.
  const landed = new Set(
    attempts.filter(({ result }) => result === 'landed').map(({ segment }) => segment),
  ).size
  if (attempts.some(({ result }) => result === 'pending')) {
    throw new Error(`Action ${action.id} has a send under way; settle it before the next`)
  }
  if (command.segment !== landed) {
    throw new Error(
      `Action ${action.id} has ${landed} segments out; ${command.segment} is not next`,
    )
  }
}

function platformHold(tally: readonly TallyEntry[], policy: Policy, now: number): Until | null {
  const budget = policy.guards.find((settings) => settings.guard === 'platform_budget')
  if (budget === undefined) return null
  return countInWindow(tally, now, budget.windowMs, budget.maximum).until
}

function begin(view: ActionView, command: AttemptCommand, deadlineAt: number): Step<AttemptResult> {
  const { action, now } = view
  const attempt: AttemptRow = {
    id: command.attemptId,
    actionId: action.id,
    platform: action.platform,
    number: action.attempts + 1,
    segment: command.segment,
    token: command.token,
    startedAt: now,
    deadlineAt,
    endedAt: null,
    result: 'pending',
    fault: null,
    prepared: command.prepared,
    remoteId: null,
  }
  const row = touch(action, { attempts: attempt.number, mayLandUntil: deadlineAt })
  const data = { number: attempt.number, segment: attempt.segment }
  const event: NewEvent = { type: 'attempt_begun', at: now, ...subjectOf(action), data }
  return {
    result: { kind: 'begun', attempt },
    changes: { updateAction: row, insertAttempt: attempt, events: [event] },
  }
}

function held(reason: string, until: Until): Step<AttemptResult> {
  return unchanged({ kind: 'held', reason, until })
}

function unchanged(result: AttemptResult): Step<AttemptResult> {
  return { result, changes: noChanges }
}
