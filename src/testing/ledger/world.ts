/**
 * Owns the small world that cases play in: accounts, posts that stall or recover, and the way of
 * an action from plan to end in one call each. Its shortcuts assert that each step went well.
 */

import assert from 'node:assert/strict'
import type { Action, Tier } from '../../core/action.ts'
import { everythingSupported } from '../../core/capabilities.ts'
import { decide } from '../../core/decide.ts'
import { hourMs, minuteMs, secondMs } from '../../core/duration.ts'
import type { Fault } from '../../core/fault.ts'
import { toAccountId, toActionId, toPostId } from '../../core/ids.ts'
import type { ActionId } from '../../core/ids.ts'
import { actionKey } from '../../core/key.ts'
import { policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import type { Sample } from '../../core/sample.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { AccountRow, ActionRow, AttemptRow, PostRow } from '../../ledger/rows.ts'
import type { AttemptCommand } from '../../ledger/steps/attempt.ts'
import type { Decision } from '../../ledger/steps/approval.ts'
import type { ClaimCommand, ClaimResult } from '../../ledger/steps/claim.ts'
import type { PlanCommand, PlanResult } from '../../ledger/steps/plan.ts'
import type { Finding } from '../../ledger/steps/reconcile.ts'
import type { Settlement } from '../../ledger/steps/settle.ts'
import type { LedgerHarness } from './harness.ts'
import { policyWith } from './policies.ts'

export const leaseMs = 60 * secondMs
export const deadlineMs = 20 * secondMs
export const expiresAfterMs = 6 * hourMs
export const askAgainMs = 5 * minuteMs

/** Nothing landed, and it may pass by itself. */
export const refused: Fault = {
  landed: 'no',
  code: 'rate_limit',
  scope: 'request',
  retryAt: null,
  detail: 'the network took no more',
}

/** It may have landed. */
export const timedOut: Fault = { ...refused, landed: 'unknown', code: 'timeout' }

type PlanChanges = Partial<Omit<PlanCommand, 'planned' | 'postId'>> & {
  readonly action?: Action
  readonly tier?: Tier
  readonly generation?: number
}

export class World {
  readonly harness: LedgerHarness
  /** The policy of the accounts that name no other. */
  policy: Policy = policyWith(1)
  #counter = 0

  constructor(harness: LedgerHarness) {
    this.harness = harness
  }

  get ledger(): Ledger {
    return this.harness.ledger
  }

  get clock() {
    return this.harness.clock
  }

  /** A name that nothing in this world has yet. */
  name(prefix: string): string {
    this.#counter += 1
    return `${prefix}-${String(this.#counter).padStart(3, '0')}`
  }

  async account(changes: Partial<AccountRow> = {}): Promise<AccountRow> {
    await this.ledger.savePolicy(this.policy)
    const account: AccountRow = {
      id: toAccountId(this.name('account')),
      platform: 'bluesky',
      handle: '@someone',
      mode: 'auto',
      timeZone: 'UTC',
      policy: policyId(this.policy),
      holdoutShare: 0,
      credentials: 'sealed:credentials',
      status: 'active',
      statusReason: null,
      createdAt: this.clock.now(),
      discoverAt: null,
      profile: null,
      ...changes,
    }
    await this.ledger.saveAccount(account)
    return account
  }

  /** A row that is not in the ledger yet. */
  newPost(account: AccountRow, changes: Partial<PostRow> = {}): PostRow {
    const id = toPostId(this.name('post'))
    return {
      id,
      accountId: account.id,
      platform: account.platform,
      remoteId: `remote:${id}`,
      url: `https://network.example/${id}`,
      text: 'A post that nobody reads.',
      contentVersion: 'v1',
      publishedAt: this.clock.now() - 2 * hourMs,
      status: 'watched',
      neverTouch: false,
      arm: null,
      propensity: null,
      nextCheckAt: null,
      trackedAt: this.clock.now(),
      closedAt: null,
      ...changes,
    }
  }

  /** A post that stalls at the moment. */
  async post(account?: AccountRow, changes: Partial<PostRow> = {}): Promise<PostRow> {
    const post = this.newPost(account ?? (await this.account()), changes)
    const [stored] = await this.ledger.trackPosts([post])
    assert.deepEqual(stored, post)
    await this.stall(post)
    return post
  }

  /** Readings of the last half hour in which the post was shown and nobody cared. */
  async stall(post: PostRow): Promise<void> {
    await this.#record(post, (shown) => ({ impressions: shown, engagements: 5 }))
  }

  /** Readings of the last half hour in which nearly everyone who saw it cared. */
  async recover(post: PostRow): Promise<void> {
    await this.#record(post, (shown) => ({ impressions: shown, engagements: 5 + shown }))
  }

  async #record(post: PostRow, count: (shown: number) => Omit<Sample, 'at'>): Promise<void> {
    const now = this.clock.now()
    const batch = [30, 15, 0].map((ageMinutes) => {
      const at = now - ageMinutes * minuteMs
      const shown = Math.max(0, Math.floor((at - post.publishedAt) / secondMs))
      const sample: Sample = { at, ...count(shown) }
      return { postId: post.id, sample }
    })
    await this.ledger.recordSamples(batch)
  }

  /** Decides on what the ledger knows, as the engine does, and records it. */
  async look(post: PostRow) {
    const input = await this.ledger.decisionInput(post.id, this.policy, everythingSupported)
    assert.ok(input, `post ${post.id} is gone`)
    const verdict = decide(input)
    const command = { verdict, nextCheckAt: null }
    const row = await this.ledger.recordVerdict(post.id, command)
    assert.ok(row, `post ${post.id} is gone`)
    return { kind: verdict.kind, verdict, row }
  }

  planCommand(post: PostRow, changes: PlanChanges = {}): PlanCommand {
    const { action = 'comment', tier = 'tier_1', generation = 0, ...rest } = changes
    const key = actionKey(post.id, action, tier, generation)
    return {
      actionId: toActionId(this.name('action')),
      postId: post.id,
      policy: this.policy,
      capabilities: everythingSupported,
      planned: { action, tier, key, generation, score: 0.9 },
      text: 'What do you think?',
      expiresAfterMs,
      noticeBeforeMs: hourMs,
      draw: { arm: 'act', propensity: 0.8 },
      ...rest,
    }
  }

  tryPlan(post: PostRow, changes: PlanChanges = {}): Promise<PlanResult> {
    return this.ledger.plan(this.planCommand(post, changes))
  }

  async plan(post: PostRow, changes: PlanChanges = {}): Promise<ActionRow> {
    const result = await this.tryPlan(post, changes)
    assert.equal(result.kind, 'planned', JSON.stringify(result))
    return result.action
  }

  claimCommand(action: { readonly id: ActionId }, changes: Partial<ClaimCommand> = {}) {
    const command: ClaimCommand = {
      actionId: action.id,
      token: 'token-1',
      leaseMs,
      policy: this.policy,
      capabilities: everythingSupported,
      askAgainMs,
      ...changes,
    }
    return command
  }

  tryClaim(
    action: { readonly id: ActionId },
    changes: Partial<ClaimCommand> = {},
  ): Promise<ClaimResult> {
    return this.ledger.claim(this.claimCommand(action, changes))
  }

  async claim(action: { readonly id: ActionId }, token = 'token-1'): Promise<ActionRow> {
    const result = await this.tryClaim(action, { token })
    assert.equal(result.kind, 'claimed', JSON.stringify(result))
    return result.action
  }

  attemptCommand(action: ActionRow, changes: Partial<AttemptCommand> = {}): AttemptCommand {
    return {
      actionId: action.id,
      token: action.token ?? 'token-1',
      attemptId: this.name('attempt'),
      segment: 0,
      prepared: { rkey: '3k' },
      deadlineMs,
      policy: this.policy,
      ...changes,
    }
  }

  async begin(action: ActionRow, changes: Partial<AttemptCommand> = {}): Promise<AttemptRow> {
    const result = await this.ledger.beginAttempt(this.attemptCommand(action, changes))
    assert.equal(result.kind, 'begun', JSON.stringify(result))
    return result.attempt
  }

  async settle(attempt: AttemptRow, settlement: Settlement): Promise<ActionRow> {
    const { actionId, token, id: attemptId } = attempt
    const result = await this.ledger.settle({ actionId, token, attemptId, settlement })
    assert.equal(result.kind, 'settled', JSON.stringify(result))
    return result.action
  }

  async decide(action: ActionRow, decision: Decision): Promise<ActionRow> {
    const result = await this.ledger.decide({ actionId: action.id, by: 'anna', decision })
    assert.equal(result.kind, 'done', JSON.stringify(result))
    return result.action
  }

  async reconcile(action: ActionRow, finding: Finding): Promise<ActionRow> {
    const { id: actionId, version } = action
    const result = await this.ledger.reconcile({ actionId, version, finding })
    assert.equal(result.kind, 'resolved', JSON.stringify(result))
    return result.action
  }

  /** An action that is claimed, on a post of its own unless one is given. */
  async running(post?: PostRow, changes: PlanChanges = {}): Promise<ActionRow> {
    return this.claim(await this.plan(post ?? (await this.post()), changes))
  }

  /** An action whose send is under way. */
  async sending(post?: PostRow, changes: PlanChanges = {}) {
    const action = await this.running(post, changes)
    const attempt = await this.begin(action)
    return { action: await this.row(action), attempt }
  }

  async succeeded(post?: PostRow, changes: PlanChanges = {}): Promise<ActionRow> {
    const { attempt } = await this.sending(post, changes)
    return this.settle(attempt, success)
  }

  async failed(post?: PostRow, changes: PlanChanges = {}): Promise<ActionRow> {
    const { attempt } = await this.sending(post, changes)
    return this.settle(attempt, { kind: 'failed', fault: refused })
  }

  async unknown(post?: PostRow, changes: PlanChanges = {}) {
    const { attempt } = await this.sending(post, changes)
    const reconcileAt = this.clock.now() + minuteMs
    const action = await this.settle(attempt, { kind: 'unknown', fault: timedOut, reconcileAt })
    return { action, attempt: await this.attempt(attempt) }
  }

  /** The row as it is stored now. */
  async row(action: { readonly id: ActionId }): Promise<ActionRow> {
    const row = await this.ledger.getAction(action.id)
    assert.ok(row, `action ${action.id} is gone`)
    return row
  }

  async attempt({ id, actionId }: AttemptRow): Promise<AttemptRow> {
    const attempt = (await this.ledger.listAttempts(actionId)).find((row) => row.id === id)
    assert.ok(attempt, `attempt ${id} is gone`)
    return attempt
  }

  /** Asserts that nothing about the action has changed since. */
  async unchanged(action: ActionRow): Promise<void> {
    assert.deepEqual(await this.row(action), action)
  }
}

export const success = {
  kind: 'success',
  remoteId: 'remote:done',
  outcome: { ok: 1 },
} as const satisfies Settlement

/** Asserts a result's kind and gives it with that type. */
export function expectKind<R extends { readonly kind: string }, K extends R['kind']>(
  result: R,
  kind: K,
): Extract<R, { readonly kind: K }> {
  assert.equal(result.kind, kind, JSON.stringify(result))
  return result as Extract<R, { readonly kind: K }>
}

/** Asserts that something is held, by which reason and until when. */
export function expectHeld(
  result: { readonly kind: string },
  reason: string,
  until?: unknown,
): void {
  const { kind, reason: given, until: end } = result as { [field: string]: unknown }
  assert.deepEqual({ kind, reason: given }, { kind: 'held', reason })
  if (until !== undefined) assert.deepEqual(end, until)
}
