/** One call of the ledger each, with what it means for the model. Commands are made of these. */

import assert from 'node:assert/strict'
import { actionKey, toActionId } from '../../src/core/index.ts'
import type { Action, Fault } from '../../src/core/index.ts'
import type {
  ClaimResult,
  DecideCommand,
  Decision,
  Finding,
  Ledger,
  PostRow,
  SettleResult,
  Settlement,
} from '../../src/ledger/index.ts'
import { isEnded, isOut, mayBeOut, nextSegment, pendingSend } from './ledger-model.ts'
import type { Model, ModelAction, Send } from './ledger-model.ts'
import { limits, modelPolicy as policy } from './model-policy.ts'
import { capabilities } from './real.ts'

const tiers = { comment: 'tier_1', edit: 'tier_2', thread: 'tier_3' } as const

/** A call that can be made again, as after its answer was lost. */
export interface Repeatable {
  call(ledger: Ledger): Promise<unknown>
  readonly answer: unknown
}

const fault: Fault = {
  landed: 'no',
  code: 'rate_limit',
  scope: 'request',
  retryAt: null,
  detail: 'the network took no more',
}
const vague: Fault = { ...fault, landed: 'unknown', code: 'timeout' }

export function planCommand(model: Model, post: PostRow, kind: Action) {
  const tier = tiers[kind]
  const generation = model.actions.filter(
    (other) => other.post.id === post.id && other.kind === kind && isEnded(other),
  ).length
  const actionId = toActionId(model.name('action'))
  const key = actionKey(post.id, kind, tier, generation)
  return {
    actionId,
    postId: post.id,
    policy,
    capabilities,
    planned: { action: kind, tier, key, generation, score: 0.9 },
    text: `Text of ${actionId}`,
    expiresAfterMs: limits.expiresAfterMs,
    noticeBeforeMs: 0,
    draw: { arm: 'act', propensity: 1 },
  } as const
}

export async function plan(model: Model, ledger: Ledger, post: PostRow, kind: Action) {
  const command = planCommand(model, post, kind)
  const result = await ledger.plan(command)
  if (result.kind !== 'planned') return null
  model.planned(result.action, post)
  return { call: (other: Ledger) => other.plan(command), answer: result }
}

export function claimCommand({ id }: ModelAction, token: string) {
  const { leaseMs } = limits
  return { actionId: id, token, leaseMs, askAgainMs: 1000, policy, capabilities }
}

export async function claim(model: Model, ledger: Ledger, action: ModelAction) {
  const command = claimCommand(action, model.name('token'))
  const result = await ledger.claim(command)
  claimAnswered(model, action, command.token, result)
  if (result.kind !== 'claimed') return null
  return { call: (other: Ledger) => other.claim(command), answer: result }
}

/** What an answer to a claim says about the action. */
export function claimAnswered(
  model: Model,
  action: ModelAction,
  token: string,
  result: ClaimResult,
): void {
  switch (result.kind) {
    case 'claimed':
      model.claimed(action, token, result.action, limits.leaseMs)
      break
    case 'spent':
      assert.ok(mayBeOut(action), 'spent although nothing of it can be out')
      model.spent(action, token, result.action)
      break
    case 'ended':
      assert.ok(!mayBeOut(action), 'called off what may be out')
      model.move(action, result.action.state, result.action.endedAt ?? 0)
      break
    case 'held':
    case 'taken':
      break
  }
}

export async function begin(model: Model, ledger: Ledger, action: ModelAction) {
  const command = {
    actionId: action.id,
    token: action.token ?? '',
    attemptId: model.name('attempt'),
    segment: nextSegment(action),
    prepared: { of: action.id },
    deadlineMs: limits.deadlineMs,
    policy,
  }
  const result = await ledger.beginAttempt(command)
  if (result.kind !== 'begun') return null
  const { startedAt: begunAt, deadlineAt } = result.attempt
  const { attemptId, token, segment } = command
  model.begun(action, { attemptId, token, segment, begunAt, deadlineAt })
  return { call: (other: Ledger) => other.beginAttempt(command), answer: result }
}

export const answers = [
  'segment_landed',
  'success',
  'failed',
  'waiting',
  'waiting_maybe',
  'unknown',
] as const
export type Answer = (typeof answers)[number]

const toldBy = {
  segment_landed: 'landed',
  success: 'landed',
  failed: 'not_landed',
  waiting: 'not_landed',
  waiting_maybe: 'unknown',
  unknown: 'unknown',
} as const satisfies Record<Answer, Send['told']>

const stateBy = {
  segment_landed: 'running',
  success: 'success',
  failed: 'failed',
  waiting: 'waiting',
  waiting_maybe: 'waiting',
  unknown: 'unknown',
} as const

function settlementOf(answer: Answer, now: number): Settlement {
  switch (answer) {
    case 'segment_landed':
      return { kind: 'segment_landed', remoteId: 'r' }
    case 'success':
      return { kind: 'success', remoteId: 'r', outcome: { done: true } }
    case 'failed':
      return { kind: 'failed', fault }
    case 'waiting':
      return { kind: 'waiting', fault, retryAt: now }
    case 'waiting_maybe':
      return { kind: 'waiting', fault: vague, retryAt: now }
    case 'unknown':
      return { kind: 'unknown', fault: vague, reconcileAt: now }
  }
}

function isHeldBy(action: ModelAction, send: Send): boolean {
  return action.state === 'running' && action.token === send.token
}

/** An honest caller does not settle past a send, nor deny what landed or may have. */
export function isHonest(action: ModelAction, send: Send, answer: Answer): boolean {
  if (!isHeldBy(action, send)) return true
  if (send.told !== 'pending') {
    const isDone = send.told === 'landed' && pendingSend(action) === undefined
    return isDone && answer === 'success'
  }
  if (answer !== 'failed') return true
  return !action.sends.some(
    (other) => other !== send && (other.told === 'landed' || other.told === 'unknown'),
  )
}

export function settleCommand(action: ModelAction, send: Send, answer: Answer, now: number) {
  const { token, attemptId } = send
  return { actionId: action.id, token, attemptId, settlement: settlementOf(answer, now) }
}

export async function settle(
  model: Model,
  ledger: Ledger,
  action: ModelAction,
  send: Send,
  answer: Answer,
): Promise<Repeatable | null> {
  const now = await ledger.now()
  const command = settleCommand(action, send, answer, now)
  const result = await ledger.settle(command)
  settleAnswered(model, action, send, answer, result, now)
  if (result.kind !== 'settled') return null
  return { call: (other: Ledger) => other.settle(command), answer: result }
}

/** Only who holds the claim settles the row; every other answer is evidence and no more. */
export function settleAnswered(
  model: Model,
  action: ModelAction,
  send: Send,
  answer: Answer,
  result: SettleResult,
  now: number,
): void {
  model.see(now)
  const told = toldBy[answer]
  if (isHeldBy(action, send)) {
    assert.equal(result.kind, 'settled', 'the holder’s answer was not taken')
    model.tell(send, told, now)
    if (answer === 'waiting_maybe') action.mayResend = true
    model.move(action, stateBy[answer], now)
    return
  }
  const isRepeat = action.token === send.token && action.state === stateBy[answer]
  if (!isRepeat || send.told !== told) {
    assert.equal(result.kind, 'late', 'settled by who does not hold the claim')
  }
  const wasEnded = isEnded(action) && action.state !== 'success'
  if (model.tell(send, told, now) && told === 'landed' && wasEnded) action.landedAfterEnd = true
}

export async function expire(model: Model, ledger: Ledger): Promise<void> {
  const now = await ledger.now()
  const changed = await ledger.expire(500, 0)
  assert.deepEqual(changed.map(({ id }) => id).toSorted(), expireDue(model, now))
}

/** What has run out by then, moved on in the model. */
export function expireDue(model: Model, now: number): readonly string[] {
  model.see(now)
  const due: string[] = []
  for (const action of model.actions) {
    const waits = ['planned', 'awaiting_approval', 'approved'].includes(action.state)
    if (waits && action.expiresAt <= now) model.move(action, 'expired', now)
    else if (action.state === 'running' && action.leaseUntil <= now) {
      const send = pendingSend(action)
      if (send !== undefined) model.tell(send, 'unknown', now)
      model.move(action, send === undefined ? 'waiting' : 'unknown', now)
    } else continue
    due.push(action.id)
  }
  return due.toSorted()
}

export const findings = [
  'landed',
  'segment_landed',
  'not_landed_retry',
  'not_landed_stop',
  'resend',
  'cannot_tell_yet',
  'needs_attention',
] as const

export async function reconcile(
  model: Model,
  ledger: Ledger,
  action: ModelAction,
  kind: (typeof findings)[number],
): Promise<void> {
  const now = await ledger.now()
  const row = await ledger.getAction(action.id)
  const finding: Finding = {
    kind,
    remoteId: 'r',
    outcome: { found: true },
    resumeAt: now,
    retryAt: now,
    lookAgainAt: now,
    reason: 'nobody can tell',
  }
  const command = { actionId: action.id, version: row?.version ?? 0, finding }
  assert.equal((await ledger.reconcile(command)).kind, 'resolved')
  assert.equal((await ledger.reconcile(command)).kind, 'stale', 'resolved twice')
  model.see(now)
  reconciled(model, action, kind, now)
}

function reconciled(
  model: Model,
  action: ModelAction,
  kind: (typeof findings)[number],
  now: number,
): void {
  const wasOut = isOut(action)
  const out = new Set(
    action.sends.filter(({ told }) => told === 'landed').map(({ segment }) => segment),
  )
  const open = action.sends.findLast(({ told, segment }) => told === 'unknown' && !out.has(segment))
  const learn = (told: Send['told']) => open !== undefined && model.tell(open, told, now)
  switch (kind) {
    case 'landed':
      learn('landed')
      return model.move(action, 'success', now)
    case 'segment_landed':
      learn('landed')
      return model.move(action, 'waiting', now)
    case 'not_landed_retry':
      learn('not_landed')
      // What is left unknown before it was sent again by leave, which was given then.
      return model.move(action, 'waiting', now)
    case 'not_landed_stop':
      learn('not_landed')
      return model.move(action, wasOut ? 'needs_attention' : 'failed', now)
    case 'resend':
      action.mayResend = true
      return model.move(action, 'waiting', now)
    case 'cannot_tell_yet':
      return undefined
    case 'needs_attention':
      return model.move(action, 'needs_attention', now)
  }
}

export const decisions = ['approve', 'approve_other', 'reject', 'revise', 'cancel'] as const

export async function decide(
  model: Model,
  ledger: Ledger,
  action: ModelAction,
  kind: (typeof decisions)[number],
): Promise<Repeatable | null> {
  const row = await ledger.getAction(action.id)
  const text = `Revised ${model.name('text')}`
  const { leaseMs: graceMs, expiresAfterMs } = limits
  const textHash = row?.textHash ?? ''
  const approve = { kind: 'approve', textHash, graceMs: graceMs / 60, expiresAfterMs } as const
  const byKind: Record<(typeof decisions)[number], Decision> = {
    approve,
    approve_other: { ...approve, text },
    reject: { kind: 'reject', reason: 'no' },
    revise: { kind: 'revise', textHash, text },
    cancel: { kind: 'cancel', reason: 'no' },
  }
  const decision = byKind[kind]
  const command: DecideCommand = { actionId: action.id, by: 'anna', decision }
  const result = await ledger.decide(command)
  const now = await ledger.now()
  model.see(now)
  if (!mayDecide(action, kind)) {
    const isRepeat = result.kind === 'done' && isSameDecision(action, kind)
    assert.ok(isRepeat || result.kind === 'wrong_state', `${kind} of what is ${action.state}`)
    return null
  }
  assert.equal(result.kind, 'done')
  if (kind === 'approve_other' || kind === 'revise') action.text = text
  if (kind === 'reject' || kind === 'cancel') {
    model.move(action, kind === 'reject' ? 'rejected' : 'cancelled', now)
  } else if (kind !== 'revise') {
    action.state = 'approved'
    action.isApproved = true
    action.expiresAt = now + expiresAfterMs
  }
  return { call: (other: Ledger) => other.decide(command), answer: result }
}

function mayDecide(action: ModelAction, kind: (typeof decisions)[number]): boolean {
  const { state } = action
  switch (kind) {
    case 'approve':
    case 'approve_other':
      return state === 'awaiting_approval'
    case 'revise':
      return state === 'planned' || state === 'awaiting_approval'
    case 'reject':
      return ['planned', 'awaiting_approval', 'approved'].includes(state)
    case 'cancel':
      if (state === 'waiting') return !mayBeOut(action)
      return ['planned', 'awaiting_approval', 'approved'].includes(state)
  }
}

function isSameDecision(action: ModelAction, kind: (typeof decisions)[number]): boolean {
  const { state, isApproved, firstClaimedAt } = action
  if (kind === 'approve') return state === 'approved' || (isApproved && firstClaimedAt !== null)
  return state === (kind === 'reject' ? 'rejected' : 'cancelled')
}

export async function attend(
  model: Model,
  ledger: Ledger,
  action: ModelAction,
  landed: boolean,
): Promise<void> {
  const decision: Decision = { kind: 'attend', landed, outcome: { seen: landed } }
  const result = await ledger.decide({ actionId: action.id, by: 'anna', decision })
  assert.equal(result.kind, 'done')
  const now = await ledger.now()
  model.see(now)
  model.move(action, landed || isOut(action) ? 'success' : 'failed', now)
}
