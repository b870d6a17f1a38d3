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
import { isQuiet, minuteOfDay, whenQuietEnds } from '../../core/time-zone.ts'
import { never, untilEvent, untilTime } from '../../core/until.ts'
import type { Until } from '../../core/until.ts'
import type { NewEvent } from '../../core/events.ts'
import type { AttemptRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Step } from '../store.ts'
import type { ActionView } from '../views.ts'
import { isApproved } from './approval.ts'
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
  return (
    findWithdrawal(view) ??
    findQuietHours(view, command.policy) ??
    findFullPlatform(platformTally, command.policy, now) ??
    begin(view, command, deadlineAt)
  )
}

/** What people may have said since the claim: pause, park, watch, ask first, never touch (I11). */
function findWithdrawal(view: ActionView): Step<AttemptResult> | null {
  const { action, account, post, pauses } = view
  if (pauses.length > 0) return held('paused', untilEvent('resume'))
  if (account.status !== 'active') return held('account_parked', untilEvent('resume'))
  if (account.mode === 'watch') return held('watch_mode', untilEvent('approval'))
  // A person who takes something back has asked for it, at any hour and on any post.
  if (action.undoes !== null) return null
  if (account.mode === 'approve' && !isApproved(view)) {
    return held('approval_needed', untilEvent('approval'))
  }
  return post.neverTouch ? held('never_touch', never) : null
}

/** A claim lasts for minutes, and a thread for several claims: night may have fallen (I11). */
function findQuietHours(
  { action, account, now }: ActionView,
  policy: Policy,
): Step<AttemptResult> | null {
  const quiet = policy.guards.find((settings) => settings.guard === 'quiet_hours')
  if (quiet === undefined || action.undoes !== null) return null
  const { from, to } = quiet
  const hours = {
    zone: account.timeZone,
    fromMinute: minuteOfDay(from),
    toMinute: minuteOfDay(to),
  }
  if (!isQuiet(now, hours)) return null
  return held('quiet_hours', untilTime(whenQuietEnds(now, hours)))
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

function findFullPlatform(
  tally: readonly TallyEntry[],
  policy: Policy,
  now: number,
): Step<AttemptResult> | null {
  const budget = policy.guards.find((settings) => settings.guard === 'platform_budget')
  if (budget === undefined) return null
  const { until } = countInWindow(tally, now, budget.windowMs, budget.maximum)
  return until === null ? null : held('platform_budget', until)
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
