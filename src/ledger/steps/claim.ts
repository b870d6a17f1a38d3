/**
 * Claims an action: the one gate before anything is sent. Under the locks of account and post it
 * asks every guard again on fresh rows, the row itself not counted, and moves the row to running
 * with a lease and a token. Two processes can never both pass (I1, I2, I3, I11).
 */

import type { Capabilities } from '../../core/capabilities.ts'
import { dayMs, secondMs } from '../../core/duration.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import type { AccountBaseline } from '../../core/signal.ts'
import { recheck } from '../../core/recheck.ts'
import { untilEvent, untilTime } from '../../core/until.ts'
import type { Until } from '../../core/until.ts'
import type { ActionId } from '../../core/ids.ts'
import type { State } from '../../core/states.ts'
import { toDecisionInput } from '../decision-input.ts'
import type { ActionRow, ApprovalRow, AttemptRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { ClaimView, Step } from '../store.ts'
import { isApproved } from './approval.ts'
import { isOrMayBeOut, move, touch } from './transition.ts'

export interface ClaimCommand {
  readonly actionId: ActionId
  /** Made by the caller; repeating a claim with the same token returns the first result. */
  readonly token: string
  readonly leaseMs: number
  /** Where an event has to happen first, when to ask again. */
  readonly askAgainMs: number
  readonly policy: Policy
  readonly capabilities: Capabilities
  /** The account's past posts, where the policy's detector compares with them. */
  readonly baseline?: AccountBaseline | null
}

export type ClaimResult =
  | {
      readonly kind: 'claimed'
      readonly action: ActionRow
      /** What was sent before; a segment that landed is not sent again. */
      readonly attempts: readonly AttemptRow[]
    }
  /** Nothing more of it may be sent, and something is or may be out: settle it by what is. */
  | {
      readonly kind: 'spent'
      readonly action: ActionRow
      readonly attempts: readonly AttemptRow[]
      readonly reason: string
    }
  | { readonly kind: 'held'; readonly reason: string; readonly until: Until }
  /** The claim ended it: the post recovered or is gone, or its time was over. */
  | { readonly kind: 'ended'; readonly action: ActionRow; readonly reason: string }
  /** It is not there to be claimed: someone else has it, or it has ended. */
  | { readonly kind: 'taken'; readonly state: State }

/** What was begun is finished within this, or not at all (I5). */
const longestMs = dayMs

export function claimStep(
  view: ClaimView,
  command: ClaimCommand,
  approvals: readonly ApprovalRow[],
): Step<ClaimResult> {
  const { action, attempts } = view
  if (action.state === 'running' && action.token === command.token) {
    return unchanged({ kind: 'claimed', action, attempts })
  }
  if (action.state !== 'planned' && action.state !== 'approved' && action.state !== 'waiting') {
    return unchanged({ kind: 'taken', state: action.state })
  }
  const begun = action.state === 'waiting'
  if (!begun && view.now >= action.expiresAt) return end(view, 'expired', 'nobody began it in time')
  // A part of it is out already, or may be: finishing it is the only honest way on.
  const mayBeOut = attempts.some(isOrMayBeOut)
  const given = begun ? whyGivenUp(view, approvals) : null
  if (given !== null) return mayBeOut ? wrapUp(view, command, given) : giveUp(view, given)
  // A person who takes something back may do so after the watch has ended.
  if (!mayBeOut && action.undoes === null && view.post.status !== 'watched') {
    return end(view, 'cancelled', `post_${view.post.status}`)
  }
  if (view.account.mode === 'approve' && action.state === 'planned') return ask(view)
  const obstacle = findHold(view, command)
  if (obstacle !== null) return postpone(view, command, obstacle)
  if (action.undoes !== null) return run(view, command)

  const input = toDecisionInput(
    view,
    command.policy,
    command.capabilities,
    command.baseline ?? null,
    action.id,
  )
  const check = recheck(input, action, { stillStalls: !mayBeOut })
  switch (check.kind) {
    case 'recovered':
      return end(view, 'cancelled', 'recovered')
    case 'hold':
      if (check.until.kind !== 'never') return postpone(view, command, check)
      // What can never go out again must not keep the post's one open place.
      return mayBeOut ? wrapUp(view, command, check.reason) : end(view, 'cancelled', check.reason)
    case 'go':
      return run(view, command)
  }
}

/** Why an action that was begun is not gone on with, or null. */
function whyGivenUp(
  { action, account, now }: ClaimView,
  approvals: readonly ApprovalRow[],
): string | null {
  if (now - (action.firstClaimedAt ?? now) >= longestMs) return 'took_too_long'
  // The account did not ask when it was begun; now it does, or for another policy (I11).
  const asks = account.mode === 'approve' && action.undoes === null
  return asks && !isApproved(action, account, approvals) ? 'approval_needed' : null
}

function giveUp(view: ClaimView, reason: string): Step<ClaimResult> {
  const hasFailed = view.action.fault !== null && reason === 'took_too_long'
  return end(view, hasFailed ? 'failed' : 'cancelled', reason)
}

/** The lease is too short for a send to fit in: what is out may be settled, and nothing else. */
function wrapUp(view: ClaimView, command: ClaimCommand, reason: string): Step<ClaimResult> {
  const { changes } = run(view, { ...command, leaseMs: secondMs })
  const action = changes.updateAction ?? view.action
  return { result: { kind: 'spent', action, attempts: view.attempts, reason }, changes }
}

/** What stands in the way besides the guards: the mode, the account, the policy, the time. */
function findHold(view: ClaimView, command: ClaimCommand): Hold | null {
  const { action, account, now } = view
  if (account.status !== 'active') return hold(`account_${account.status}`, untilEvent('resume'))
  if (account.mode === 'watch') return hold('watch_mode', untilEvent('approval'))
  if (view.pauses.length > 0 && action.undoes !== null) return hold('paused', untilEvent('resume'))
  if (account.policy !== policyId(command.policy)) {
    return hold('policy_changed', untilEvent('next_look'))
  }
  if (action.policy !== account.policy && action.state === 'approved') {
    return hold('approved_under_another_policy', untilEvent('approval'))
  }
  if (action.dueAt !== null && now < action.dueAt) return hold('not_due', untilTime(action.dueAt))
  return null
}

function run(view: ClaimView, command: ClaimCommand): Step<ClaimResult> {
  const { action, attempts, now } = view
  const leaseUntil = now + command.leaseMs
  const { row, event } = move(action, 'running', now, {
    token: command.token,
    leaseUntil,
    dueAt: leaseUntil,
    firstClaimedAt: action.firstClaimedAt ?? now,
    mayLandUntil: leaseUntil,
  })
  const result: ClaimResult = { kind: 'claimed', action: row, attempts }
  return { result, changes: { updateAction: row, events: [event] } }
}

/** It was planned before the account began to ask: now a person is asked first (I11). */
function ask({ action, now }: ClaimView): Step<ClaimResult> {
  const patch = { dueAt: action.expiresAt }
  const { row, event } = move(action, 'awaiting_approval', now, patch, { reason: 'mode_changed' })
  const until = untilEvent('approval')
  const result: ClaimResult = { kind: 'held', reason: 'approval_needed', until }
  return { result, changes: { updateAction: row, events: [event] } }
}

function end(
  view: ClaimView,
  to: 'expired' | 'cancelled' | 'failed',
  reason: string,
): Step<ClaimResult> {
  const patch = to === 'failed' ? { mayLandUntil: null } : {}
  const { row, event } = move(view.action, to, view.now, patch, { reason })
  const result: ClaimResult = { kind: 'ended', action: row, reason }
  return { result, changes: { updateAction: row, events: [event] } }
}

interface Hold {
  readonly reason: string
  readonly until: Until
}

function hold(reason: string, until: Until): Hold {
  return { reason, until }
}

/** Looks again when the hold can have ended, and not at every turn until then. */
function postpone(
  view: ClaimView,
  command: ClaimCommand,
  { reason, until }: Hold,
): Step<ClaimResult> {
  const result: ClaimResult = { kind: 'held', reason, until }
  const askAgainAt = view.now + command.askAgainMs
  const dueAt = until.kind === 'time' ? until.at : askAgainAt
  if (view.action.dueAt === dueAt) return unchanged(result)
  return { result, changes: { updateAction: touch(view.action, { dueAt }) } }
}

function unchanged(result: ClaimResult): Step<ClaimResult> {
  return { result, changes: noChanges }
}
