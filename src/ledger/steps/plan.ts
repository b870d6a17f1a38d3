/**
 * Plans an action: checks everything again on fresh rows, gives the post its arm the first time,
 * and writes the keyed row with its text. The row is due when the account's budget has room for it,
 * and so reserves that room: who plans next sees it. Nothing is sent yet.
 */

import { hash } from 'node:crypto'
import type { Capabilities } from '../../core/capabilities.ts'
import type { Arm } from '../../core/decision-input.ts'
import { dayMs, hourMs } from '../../core/duration.ts'
import type { NewEvent } from '../../core/events.ts'
import { limitsOf } from '../../core/guards/account-budget.ts'
import { nextSlot } from '../../core/guards/next-slot.ts'
import { generationOf } from '../../core/history.ts'
import type { ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import type { AccountBaseline } from '../../core/signal.ts'
import { recheck } from '../../core/recheck.ts'
import type { PlannedAction } from '../../core/recheck.ts'
import { isOpen } from '../../core/states.ts'
import { never, untilEvent, untilTime } from '../../core/until.ts'
import type { Until } from '../../core/until.ts'
import { toDecisionInput } from '../decision-input.ts'
import type { ActionRow, MeasurementRow, PostRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { Step } from '../store.ts'
import type { PostView } from '../views.ts'
import { saysSame } from './post.ts'
import type { SeenContent } from './post.ts'
import { subjectOf } from './transition.ts'

export interface PlanCommand {
  /** Made by the caller; repeating a plan with the same id returns the first result. */
  readonly actionId: ActionId
  readonly postId: PostId
  readonly policy: Policy
  readonly capabilities: Capabilities
  /** The account's past posts, where the policy's detector compares with them. */
  readonly baseline?: AccountBaseline | null
  readonly planned: PlannedAction & { readonly generation: number; readonly score: number }
  readonly text: string
  /** What the post said when the text was written; an edit of another text is not planned. */
  readonly writtenFor?: SeenContent
  /** How long the plan may wait before it is begun, an approval included. */
  readonly expiresAfterMs: number
  /** How long before that a person is told, where one has to approve. */
  readonly noticeBeforeMs: number
  /** The arm this post gets if it has none yet. */
  readonly draw: { readonly arm: Arm; readonly propensity: number }
}

export type PlanResult =
  | { readonly kind: 'planned'; readonly action: ActionRow }
  | { readonly kind: 'held_out'; readonly post: PostRow }
  | { readonly kind: 'held'; readonly reason: string; readonly until: Until }
  /** Another planner was faster or the rows moved on: decide again. */
  | { readonly kind: 'stale'; readonly reason: string }

/** When a post that got an arm is read again, in either arm. */
export const measurementHorizonsMs: readonly number[] = [2 * hourMs, dayMs, 7 * dayMs]

export function hashText(text: string): string {
  return hash('sha256', text, 'hex')
}

export function planStep(view: PostView, command: PlanCommand): Step<PlanResult> {
  const known = view.actions.find((row) => row.id === command.actionId)
  if (known !== undefined) return unchanged({ kind: 'planned', action: known })
  // Said here and not only by a guard: who is held out stays so under every policy.
  if (view.post.arm === 'holdout') return unchanged({ kind: 'held_out', post: view.post })
  const obstacle = findObstacle(view, command)
  if (obstacle !== null) return unchanged(obstacle)
  const slot = findSlot(view, command)
  if (typeof slot !== 'number') return unchanged(slot)

  if (view.post.arm !== null) return insert(view, command, slot, { post: view.post })
  const { arm, propensity } = command.draw
  const post: PostRow = { ...view.post, arm, propensity }
  const event: NewEvent = {
    type: 'arm_assigned',
    at: view.now,
    accountId: post.accountId,
    postId: post.id,
    actionId: null,
    data: { arm, propensity },
  }
  const detail = { drawn: drawnFrom(view, command) }
  const measurements = measurementHorizonsMs.map((horizonMs) =>
    dueMeasurement(view, horizonMs, detail),
  )
  if (arm === 'act') return insert(view, command, slot, { post, events: [event], measurements })
  return { result: { kind: 'held_out', post }, changes: { post, measurements, events: [event] } }
}

function findObstacle(view: PostView, command: PlanCommand): PlanResult | null {
  const { account, post } = view
  const { policy, planned } = command
  if (account.status !== 'active') return stale(`the account is ${account.status}`)
  if (account.mode === 'watch') return stale('the account only watches')
  if (post.status !== 'watched') return stale(`the post is ${post.status}`)
  if (account.policy !== policyId(policy)) return stale('the policy has changed')
  const { writtenFor } = command
  if (planned.action === 'edit' && writtenFor !== undefined && !saysSame(post, writtenFor)) {
    return stale('the owner has changed the post')
  }
  const input = toDecisionInput(view, policy, command.capabilities, command.baseline ?? null)
  const generation = policy.generations
    ? generationOf(input.history, planned.action, planned.tier)
    : 0
  if (generation !== planned.generation) return stale('another row has ended meanwhile')
  const check = recheck(input, planned, { stillStalls: true })
  switch (check.kind) {
    case 'go':
      return findCollision(view, planned)
    case 'recovered':
      return stale('the post has recovered')
    case 'hold':
      return { kind: 'held', reason: check.reason, until: check.until }
  }
}

/** What every store refuses to insert, also where a policy lists no guard that says so first. */
function findCollision({ actions }: PostView, { key }: PlannedAction): PlanResult | null {
  if (actions.some(({ state }) => isOpen(state))) {
    return { kind: 'held', reason: 'open_action', until: untilEvent('action_ended') }
  }
  if (actions.some((row) => row.key === key)) {
    return { kind: 'held', reason: 'duplicate', until: never }
  }
  return null
}

/**
 * The first time at which the account's budget has room, beside what was claimed and what is
 * planned already. A plan that would be over by then is not made. Where a person approves first
 * nothing is reserved: nobody knows when that will be, and what waits in an inbox must not hold
 * back what could go out now. What is approved counts from then on.
 */
function findSlot(view: PostView, command: PlanCommand): Instant | PlanResult {
  const { account, now } = view
  const budget = command.policy.guards.find(({ guard }) => guard === 'account_budget')
  if (account.mode !== 'auto' || budget?.guard !== 'account_budget') return now
  const taken = { claims: view.accountTally, reserved: view.accountReserved }
  const slot = nextSlot(limitsOf(budget), taken, now)
  if (slot === now) return now
  const until = slot === null ? never : untilTime(slot)
  const isOver = slot === null || slot >= now + command.expiresAfterMs
  return isOver ? { kind: 'held', reason: 'account_budget', until } : slot
}

/** What is written besides the row, where the post gets its arm. */
interface Beside {
  readonly post: PostRow
  readonly events?: readonly NewEvent[]
  readonly measurements?: readonly MeasurementRow[]
}

function insert(
  view: PostView,
  command: PlanCommand,
  slot: Instant,
  { post, events = [], measurements = [] }: Beside,
): Step<PlanResult> {
  const action = newRow(view, command, slot)
  const data = {
    action: action.action,
    tier: action.tier,
    key: action.key,
    state: action.state,
    textHash: action.textHash,
  }
  const planned: NewEvent = { type: 'action_planned', at: view.now, ...subjectOf(action), data }
  const changes = {
    ...(post === view.post ? {} : { post }),
    insertAction: action,
    measurements,
    events: [...events, planned],
  }
  return { result: { kind: 'planned', action }, changes }
}

function newRow(view: PostView, command: PlanCommand, slot: Instant): ActionRow {
  const { now, account, post } = view
  const { planned, text, policy } = command
  const asks = account.mode === 'approve'
  const expiresAt = now + command.expiresAfterMs
  return {
    id: command.actionId,
    key: planned.key,
    postId: post.id,
    accountId: account.id,
    platform: account.platform,
    action: planned.action,
    tier: planned.tier,
    generation: planned.generation,
    state: asks ? 'awaiting_approval' : 'planned',
    policy: policyId(policy),
    score: planned.score,
    text,
    textHash: hashText(text),
    revision: 1,
    plannedAt: now,
    expiresAt,
    noticeAt: asks ? expiresAt - command.noticeBeforeMs : null,
    dueAt: asks ? expiresAt : slot,
    token: null,
    leaseUntil: null,
    firstClaimedAt: null,
    attempts: 0,
    mayLandUntil: null,
    endedAt: null,
    outcome: null,
    fault: null,
    undoes: null,
    version: 1,
  }
}

/**
 * What was known and wanted when the arm was drawn, alike in both arms: a post that is held out has
 * no row that says what would have been done, and its raw samples do not stay for ever.
 */
function drawnFrom({ now, post, samples }: PostView, { policy, planned }: PlanCommand) {
  const known = samples.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
  const newest = known.at(-1)
  const fromAt = (newest?.at ?? now) - policy.evidence.windowMs
  const first = known.find(({ at }) => at >= fromAt)
  return {
    action: planned.action,
    tier: planned.tier,
    score: planned.score,
    policy: policyId(policy),
    ageMs: now - post.publishedAt,
    engagements: newest?.engagements ?? 0,
    impressions: newest?.impressions ?? null,
    /** Engagements gained in the policy's window before the draw. */
    recentGain: Math.max(0, (newest?.engagements ?? 0) - (first?.engagements ?? 0)),
  }
}

function dueMeasurement(view: PostView, horizonMs: number, detail: Json): MeasurementRow {
  const dueAt = view.now + horizonMs
  return { postId: view.post.id, horizonMs, dueAt, takenAt: null, gain: null, detail }
}

function stale(reason: string): PlanResult {
  return { kind: 'stale', reason }
}

function unchanged(result: PlanResult): Step<PlanResult> {
  return { result, changes: noChanges }
}
