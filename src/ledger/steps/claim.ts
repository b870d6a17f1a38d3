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
import type { Instant } from '../../core/instant.ts'
import type { State } from '../../core/states.ts'
import { toDecisionInput } from '../decision-input.ts'
import type { ActionRow, AttemptRow, PostRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Step } from '../store.ts'
import type { ClaimView } from '../views.ts'
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
      /** When that was, by the ledger's time. */
      readonly at: Instant
      readonly action: ActionRow
      readonly post: PostRow
      /** What was sent before; a segment that landed is not sent again. */
      readonly attempts: readonly AttemptRow[]
    }
  /** Nothing more of it may be sent, and something is or may be out: settle it by what is. */
  | {
      readonly kind: 'spent'
      readonly at: Instant
      readonly action: ActionRow
      readonly post: PostRow
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

export function claimStep(view: ClaimView, command: ClaimCommand): Step<ClaimResult> {
  const { action, attempts } = view
  if (action.state === 'running' && action.token === command.token) {
    return unchanged(claimed(view, command, action))
  }
  if (action.state !== 'planned' && action.state !== 'approved' && action.state !== 'waiting') {
    return unchanged({ kind: 'taken', state: action.state })
  }
  const begun = action.state === 'waiting'
  if (!begun && view.now >= action.expiresAt) return end(view, 'expired', 'nobody began it in time')
  // A part of it is out already, or may be: finishing it is the only honest way on.
  const mayBeOut = attempts.some(isOrMayBeOut)
  const given = begun ? whyGivenUp(view) : null
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
function whyGivenUp(view: ClaimView): string | null {
  const { action, account, now } = view
  if (now - (action.firstClaimedAt ?? now) >= longestMs) return 'took_too_long'
  // The account did not ask when it was begun; now it does, or for another policy (I11).
  const asks = account.mode === 'approve' && action.undoes === null
  return asks && !isApproved(view) ? 'approval_needed' : null
}

function giveUp(view: ClaimView, reason: string): Step<ClaimResult> {
  const hasFailed = view.action.fault !== null && reason === 'took_too_long'
  return end(view, hasFailed ? 'failed' : 'cancelled', reason)
}

/** The lease is too short for a send to fit in: what is out may be settled, and nothing else. */
function wrapUp(view: ClaimView, command: ClaimCommand, reason: string): Step<ClaimResult> {
  const brief = { ...command, leaseMs: secondMs }
  const { changes } = run(view, brief)
  const action = changes.updateAction ?? view.action
  return { result: { ...claimed(view, brief, action), kind: 'spent', reason }, changes }
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
  const { action, now } = view
  const leaseUntil = now + command.leaseMs
  const { row, event } = move(action, 'running', now, {
    token: command.token,
    leaseUntil,
    dueAt: leaseUntil,
    firstClaimedAt: action.firstClaimedAt ?? now,
    mayLandUntil: leaseUntil,
  })
  return { result: claimed(view, command, row), changes: { updateAction: row, events: [event] } }
}

function claimed(
  { now, post, attempts }: ClaimView,
  { leaseMs }: ClaimCommand,
  action: ActionRow,
): ClaimResult & { kind: 'claimed' } {
  // Who repeats it is told when it was.
  const at = (action.leaseUntil ?? now) - leaseMs
  return { kind: 'claimed', at, action, post, attempts }
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
