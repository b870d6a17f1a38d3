/**
 * Settles a send: writes what it came to. It works only with the current token. An answer whose
 * lease was lost is kept as evidence: on an open row for the reconciler, on an ended one as an
 * incident (I4, I7).
 */

import type { NewEvent } from '../../core/events.ts'
import type { Fault } from '../../core/fault.ts'
import type { ActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import { isEnded } from '../../core/states.ts'
import type { State } from '../../core/states.ts'
import type { ActionRow, AttemptRow, IncidentRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Changes, PostContent, Step } from '../store.ts'
import type { ActionView } from '../views.ts'
import { wordless } from './erased.ts'
import { isOrMayBeOut, move, subjectOf, touch } from './transition.ts'
import type { Moved } from './transition.ts'

export type Settlement =
  /** A segment is out and more follow; the claim goes on. */
  | { readonly kind: 'segment_landed'; readonly remoteId: string | null }
  | {
      readonly kind: 'success'
      readonly remoteId: string | null
      readonly outcome: Json
      /** What an edit made of the post. */
      readonly postContent?: Omit<PostContent, 'postId'>
    }
  /** Nothing landed, and it will not be tried again. */
  | { readonly kind: 'failed'; readonly fault: Fault }
  /** A part of it is out, and the rest will never be: `failed` would be a lie. */
  | { readonly kind: 'partial'; readonly fault: Fault; readonly outcome: Json }
  /** It will be tried again at a time. */
  | { readonly kind: 'waiting'; readonly fault: Fault; readonly retryAt: Instant }
  /** Nothing was sent: the claim is given back, to be taken again at a time. */
  | { readonly kind: 'released'; readonly reason: string; readonly retryAt: Instant }
  /** It may have landed; the platform has to be read. */
  | { readonly kind: 'unknown'; readonly fault: Fault; readonly reconcileAt: Instant }

export interface SettleCommand {
  readonly actionId: ActionId
  readonly token: string
  /** Null where nothing was sent: preparing it failed, or the send was held. */
  readonly attemptId: string | null
  readonly settlement: Settlement
}

export type SettleResult =
  | { readonly kind: 'settled'; readonly action: ActionRow }
  /** The lease was lost; the answer was stored as evidence. */
  | { readonly kind: 'late'; readonly action: ActionRow }

export function settleStep(view: ActionView, command: SettleCommand): Step<SettleResult> {
  const { action, attempts } = view
  const settlement = wordless(view, command.settlement)
  const attempt = attempts.find(({ id }) => id === command.attemptId) ?? null
  if (command.attemptId !== null && attempt?.token !== command.token) {
    throw new Error(`Action ${action.id} has no attempt ${command.attemptId} of this claim`)
  }
  if (action.token === command.token && isReplay(action, attempt, settlement)) {
    return { result: { kind: 'settled', action }, changes: noChanges }
  }
  if (action.state !== 'running' || action.token !== command.token) {
    return late(view, attempt, settlement)
  }
  return settle(view, attempt, settlement)
}

/** The same answer again, after the first one's acknowledgement was lost. */
function isReplay(action: ActionRow, attempt: AttemptRow | null, settlement: Settlement): boolean {
  if (action.state !== stateAfter[settlement.kind]) return false
  // A segment is known by its attempt: a claim that runs on says nothing about it.
  if (attempt === null) return settlement.kind !== 'segment_landed'
  const isSame = endAttempt(attempt, settlement, 0).result === attempt.result
  return attempt.endedAt !== null && isSame
}

/** Where a row stands once it was settled so. */
const stateAfter: Readonly<Record<Settlement['kind'], State>> = {
  segment_landed: 'running',
  success: 'success',
  failed: 'failed',
  partial: 'success',
  waiting: 'waiting',
  released: 'waiting',
  unknown: 'unknown',
}

function settle(
  view: ActionView,
  attempt: AttemptRow | null,
  settlement: Settlement,
): Step<SettleResult> {
  requireHonest(view, attempt, settlement)
  const { row, event } = moveBy(view, settlement)
  const isUnderWay = attempt?.result === 'pending'
  const ended = isUnderWay ? endAttempt(attempt, settlement, view.now) : null
  const events = [
    ...(ended === null ? [] : [attemptEvent(view.action, ended, view.now)]),
    ...(event === null ? [] : [event]),
  ]
  const changes: Changes = {
    updateAction: row,
    ...(ended === null ? {} : { updateAttempt: ended }),
    ...contentOf(view, settlement),
    events,
  }
  return { result: { kind: 'settled', action: row }, changes }
}

/** What an edit changed is true from the moment it is settled, so it is written with it. */
function contentOf({ action }: ActionView, settlement: Settlement): Changes {
  if (settlement.kind !== 'success' || settlement.postContent === undefined) return noChanges
  return { postContent: { postId: action.postId, ...settlement.postContent } }
}

/** `failed` means that nothing is out there; whoever says so must be able to (I1, I6). */
function requireHonest(
  { action, attempts }: ActionView,
  attempt: AttemptRow | null,
  settlement: Settlement,
): void {
  const wrong = (what: string) => new Error(`Action ${action.id}: ${what}`)
  const others = attempts.filter((other) => other !== attempt)
  if (others.some(({ result }) => result === 'pending')) {
    throw wrong('settled past a send that is under way')
  }
  const isKnown = attempt !== null && attempt.result !== 'pending'
  // The last segment may have been reported as one of several before it was known to be the last.
  if (isKnown && !(attempt.result === 'landed' && settlement.kind === 'success')) {
    throw wrong(`${settlement.kind} although its send came to ${attempt.result} already`)
  }
  if (settlement.kind === 'released' && attempt !== null) {
    throw wrong('released although something was sent')
  }
  if (attempt === null && (settlement.kind === 'segment_landed' || needsAttempt(settlement))) {
    const finished = settlement.kind === 'success' && attempts.some(isLanded)
    // Nothing was sent this time, and what was sent before is still not known.
    const stillOpen = settlement.kind === 'unknown' && attempts.some(isUnknown)
    if (!finished && !stillOpen) throw wrong(`${settlement.kind} needs the attempt that it settles`)
  }
  if (settlement.kind === 'partial' && !attempts.some(isLanded)) {
    throw wrong('partial although nothing has landed')
  }
  if (settlement.kind !== 'failed') return
  if (settlement.fault.landed !== 'no') throw wrong('failed although it may have landed')
  if (attempts.some(isLanded)) throw wrong('failed although a part of it has landed')
  if (others.some(isOrMayBeOut)) throw wrong('failed although an earlier send may have landed')
}

function needsAttempt({ kind }: Settlement): boolean {
  return kind === 'success' || kind === 'unknown'
}

function isUnknown(attempt: AttemptRow): boolean {
  return attempt.result === 'unknown'
}

function isLanded(attempt: AttemptRow): boolean {
  return attempt.result === 'landed'
}

function moveBy(
  { action, now }: ActionView,
  settlement: Settlement,
): { row: ActionRow; event: Moved['event'] | null } {
  switch (settlement.kind) {
    case 'segment_landed':
      return { row: touch(action, { mayLandUntil: action.leaseUntil }), event: null }
    case 'success':
      return move(action, 'success', now, { outcome: settlement.outcome, mayLandUntil: now })
    case 'failed': {
      const patch = { fault: settlement.fault, mayLandUntil: null }
      return move(action, 'failed', now, patch, { reason: settlement.fault.code })
    }
    case 'partial': {
      const { fault, outcome } = settlement
      return move(action, 'success', now, { fault, outcome }, { reason: 'partial' })
    }
    case 'waiting': {
      const { fault, retryAt } = settlement
      const patch = { fault, dueAt: retryAt, leaseUntil: null }
      return move(action, 'waiting', now, patch, { reason: fault.code })
    }
    case 'released': {
      const patch = { dueAt: settlement.retryAt, leaseUntil: null }
      return move(action, 'waiting', now, patch, { reason: settlement.reason })
    }
    case 'unknown': {
      const { fault, reconcileAt } = settlement
      const mayLandUntil = Math.max(action.mayLandUntil ?? now, now)
      const patch = { fault, dueAt: reconcileAt, leaseUntil: null, mayLandUntil }
      return move(action, 'unknown', now, patch, { reason: fault.code })
    }
  }
}

export function endAttempt(attempt: AttemptRow, settlement: Settlement, now: Instant): AttemptRow {
  switch (settlement.kind) {
    case 'segment_landed':
    case 'success':
      return { ...attempt, endedAt: now, result: 'landed', remoteId: settlement.remoteId }
    case 'released':
      return attempt
    case 'failed':
    case 'partial':
    case 'waiting':
    case 'unknown': {
      const { fault } = settlement
      const result = fault.landed === 'no' ? 'not_landed' : 'unknown'
      return { ...attempt, endedAt: now, result, fault }
    }
  }
}

export function attemptEvent(action: ActionRow, attempt: AttemptRow, now: Instant): NewEvent {
  const { number, result, fault } = attempt
  const data = { number, result, code: fault?.code ?? null }
  return { type: 'attempt_ended', at: now, ...subjectOf(action), data }
}

/** Evidence only ever adds: what was read back is not made unknown again by an older answer. */
const certainty: Readonly<Record<AttemptRow['result'], number>> = {
  pending: 0,
  unknown: 1,
  not_landed: 2,
  landed: 3,
}

/** The claim was lost meanwhile. What the answer says is still true. */
function late(
  view: ActionView,
  attempt: AttemptRow | null,
  settlement: Settlement,
): Step<SettleResult> {
  const { action, now } = view
  const result: SettleResult = { kind: 'late', action }
  if (attempt === null) return { result, changes: noChanges }
  const refined = endAttempt(attempt, settlement, now)
  if (certainty[refined.result] <= certainty[attempt.result]) return { result, changes: noChanges }
  const evidence: Changes = {
    updateAttempt: refined,
    events: [attemptEvent(action, refined, now)],
  }
  if (action.state === 'unknown') {
    // Whoever looks next finds the evidence; there is no reason to let it wait.
    return { result, changes: { ...evidence, updateAction: touch(action, { dueAt: now }) } }
  }
  if (!isEnded(action.state)) return { result, changes: evidence }
  if (refined.result !== 'landed' || action.state === 'success')
    return { result, changes: evidence }
  return { result, changes: { ...evidence, ...openIncident(action, refined, now) } }
}

function openIncident(action: ActionRow, attempt: AttemptRow, now: Instant): Changes {
  const detail = { attempt: attempt.number, remoteId: attempt.remoteId }
  const incident: IncidentRow = {
    actionId: action.id,
    at: now,
    kind: 'landed_after_failure',
    detail,
  }
  const events: NewEvent[] = [
    attemptEvent(action, attempt, now),
    { type: 'incident', at: now, ...subjectOf(action), data: { kind: incident.kind } },
  ]
  return { incident, events }
}
