/**
 * A simple model of the ledger: what it has said, and what must therefore be true. It keeps states,
 * holders of claims and sends, knows no guard but the promises, and shares no code with the steps.
 */

import assert from 'node:assert/strict'
import type { ActionRow, PostRow } from '../../src/ledger/index.ts'
import type { State } from '../../src/core/states.ts'
import { limits } from './model-policy.ts'

/** What the ledger was told about one send. */
export interface Send {
  readonly attemptId: string
  readonly token: string
  readonly segment: number
  readonly begunAt: number
  readonly deadlineAt: number
  told: 'pending' | 'unknown' | 'not_landed' | 'landed'
  toldAt: number
}

/** What the ledger has said about one action. */
export interface ModelAction {
  readonly id: ActionRow['id']
  readonly key: string
  readonly post: PostRow
  readonly kind: ActionRow['action']
  state: State
  /** Anna has said yes to its text. */
  isApproved: boolean
  /** Who holds the claim that is in force, or held the last one. */
  token: string | null
  leaseUntil: number
  firstClaimedAt: number | null
  expiresAt: number
  readonly sends: Send[]
  /** Someone said that sending what may be out again is harmless. */
  mayResend: boolean
  landedAfterEnd: boolean
  endedAt: number | null
  text: string
  version: number
}

const endedStates = new Set<State>(['success', 'failed', 'rejected', 'expired', 'cancelled'])
const certainty = ['pending', 'unknown', 'not_landed', 'landed'] as const

export function isEnded({ state }: ModelAction): boolean {
  return endedStates.has(state)
}

export function isOut({ sends }: ModelAction): boolean {
  return sends.some(({ told }) => told === 'landed')
}

export function mayBeOut({ sends }: ModelAction): boolean {
  return sends.some(({ told }) => told === 'landed' || told === 'unknown')
}

export function pendingSend({ sends }: ModelAction): Send | undefined {
  return sends.find(({ told }) => told === 'pending')
}

export function nextSegment({ sends }: ModelAction): number {
  return new Set(sends.filter(({ told }) => told === 'landed').map(({ segment }) => segment)).size
}

export class Model {
  readonly posts: readonly PostRow[]
  readonly approving: ReadonlySet<string>
  readonly actions: ModelAction[] = []
  readonly paused = new Set<string>()
  /** When the owner replied, by the post's id. */
  readonly ownReplies = new Map<string, number[]>()
  /** The latest time that the ledger has written. */
  now = 0
  #counter = 0

  constructor(posts: readonly PostRow[], approving: ReadonlySet<string>) {
    this.posts = posts
    this.approving = approving
  }

  /** A name that was not used before in this run. */
  name(prefix: string): string {
    this.#counter += 1
    return `${prefix}-${String(this.#counter).padStart(4, '0')}`
  }

  /** Actions in some states, for a command to choose from. */
  in(...states: readonly State[]): readonly ModelAction[] {
    return this.actions.filter(({ state }) => states.includes(state))
  }

  isPaused(action: ModelAction): boolean {
    return this.paused.has('everything') || this.paused.has(action.post.accountId)
  }

  /** Ledger time never runs backwards behind what is written. */
  see(now: number): void {
    assert.ok(now >= this.now, 'the ledger’s time went back')
  }

  wrote(now: number): void {
    this.see(now)
    this.now = now
  }

  planned(row: ActionRow, post: PostRow): void {
    this.wrote(row.plannedAt)
    const open = this.actions.find((other) => other.post.id === post.id && !isEnded(other))
    assert.equal(open, undefined, 'a second open action on one post')
    const known = this.actions.some(({ key }) => key === row.key)
    assert.ok(!known, 'a key is used twice (I1, I8)')
    const asks = this.approving.has(post.accountId)
    this.actions.push({
      id: row.id,
      key: row.key,
      post,
      kind: row.action,
      state: asks ? 'awaiting_approval' : 'planned',
      isApproved: false,
      token: null,
      leaseUntil: 0,
      firstClaimedAt: null,
      expiresAt: row.expiresAt,
      sends: [],
      mayResend: false,
      landedAfterEnd: false,
      endedAt: null,
      text: row.text ?? '',
      version: row.version,
    })
  }

  claimed(action: ModelAction, token: string, row: ActionRow, leaseMs: number): void {
    const now = (row.leaseUntil ?? 0) - leaseMs
    const { state } = action
    const isThere = state === 'planned' || state === 'approved' || state === 'waiting'
    assert.ok(isThere, `claimed what is ${state} (I1)`)
    const needsApproval = this.approving.has(action.post.accountId) && state === 'planned'
    assert.ok(!needsApproval, 'claimed without the approval it needs (I11)')
    assert.ok(!this.isPaused(action), 'claimed while paused (I11)')
    this.wrote(now)
    this.#requireWindow(action, now)
    this.#requireCooldown(action, now)
    this.#requireBudget(action, now)
    action.state = 'running'
    action.token = token
    action.leaseUntil = now + leaseMs
    action.firstClaimedAt ??= now
  }

  /** It is claimed only to be settled: the lease leaves no time to send anything. */
  spent(action: ModelAction, token: string, row: ActionRow): void {
    assert.equal(action.state, 'waiting', 'spent before it was begun')
    action.state = 'running'
    action.token = token
    action.leaseUntil = row.leaseUntil ?? 0
    assert.ok(action.leaseUntil - this.now < limits.deadlineMs, 'spent, and time to send')
  }

  /** What may be seen on the post, own replies included, and when it landed at the latest. */
  #visible(action: ModelAction): readonly { readonly kind: string; readonly at: number }[] {
    const own = this.ownReplies.get(action.post.id) ?? []
    const ours = this.actions
      .filter((other) => other !== action && other.post.id === action.post.id)
      .flatMap((other) => {
        const times = other.sends.filter(({ told }) => told !== 'not_landed').map(lastMoment)
        if (times.length === 0) return []
        const counts = other.state !== 'failed' && other.state !== 'cancelled'
        if (!counts && !other.landedAfterEnd) return []
        const latest = Math.max(...times)
        const at = other.landedAfterEnd ? Math.min(latest, other.endedAt ?? latest) : latest
        return [{ kind: other.kind, at }]
      })
    return [...ours, ...own.map((at) => ({ kind: 'comment', at }))]
  }

  #requireWindow(action: ModelAction, now: number): void {
    const inWindow = this.#visible(action).filter(({ at }) => at >= now - limits.windowMs)
    assert.ok(inWindow.length < limits.windowMaximum, 'too many in the window (I2)')
  }

  #requireCooldown(action: ModelAction, now: number): void {
    const cooldownMs = limits.cooldownMs[action.kind]
    for (const { kind, at } of this.#visible(action)) {
      assert.ok(kind !== action.kind || now - at >= cooldownMs, 'in the cooldown (I3)')
    }
  }

  #requireBudget(action: ModelAction, now: number): void {
    const { accountId } = action.post
    const recent = this.actions.filter(
      (other) =>
        other !== action &&
        other.post.accountId === accountId &&
        other.firstClaimedAt !== null &&
        other.firstClaimedAt >= now - limits.hourMs,
    )
    assert.ok(recent.length < limits.perHour, 'over the account’s budget (I11)')
  }

  begun(action: ModelAction, send: Omit<Send, 'told' | 'toldAt'>): void {
    this.wrote(send.begunAt)
    assert.equal(action.state, 'running', 'began without a claim (I1)')
    assert.equal(action.token, send.token, 'began with a claim that is not its own (I1)')
    assert.ok(send.deadlineAt < action.leaseUntil, 'a send outlives its lease')
    assert.ok(!this.isPaused(action), 'began while paused (I11)')
    for (const earlier of action.sends) {
      if (earlier.segment !== send.segment || earlier.told === 'not_landed') continue
      assert.equal(earlier.told, 'unknown', 'sent again what is out, or under way (I1)')
      assert.ok(action.mayResend, 'sent again what may be out (I6)')
    }
    const sends = this.actions.flatMap((other) => other.sends)
    const recent = sends.filter(({ begunAt }) => begunAt >= send.begunAt - limits.platformMs)
    assert.ok(recent.length < limits.platformMaximum, 'over the platform’s budget (I11)')
    action.sends.push({ ...send, told: 'pending', toldAt: send.begunAt })
  }

  /** An answer only ever adds to what is known. Returns whether it did. */
  tell(send: Send, told: Send['told'], now: number): boolean {
    if (certainty.indexOf(told) <= certainty.indexOf(send.told)) return false
    send.told = told
    send.toldAt = now
    return true
  }

  move(action: ModelAction, state: State, now: number): void {
    this.wrote(now)
    action.state = state
    if (isEnded(action)) action.endedAt = now
  }
}

/** A send that was answered landed by then; one that was not may land until it is given up. */
function lastMoment({ told, toldAt, deadlineAt }: Send): number {
  return told === 'landed' ? Math.min(toldAt, deadlineAt) : deadlineAt
}
