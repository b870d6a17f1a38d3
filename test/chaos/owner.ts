/**
 * Owns what people do meanwhile, by a connection of their own: approve, rewrite and reject, pause
 * and resume. Everything that the ledger acknowledged to them is kept, to be held against it.
 */

import type { ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { minuteMs } from '../../src/core/duration.ts'
import type { AccountRow, ActionRow, Decision, Ledger } from '../../src/ledger/index.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import { systemClock } from '../../src/system.ts'
import { untilDone } from '../torture/open-ledger.ts'

/** From the acknowledgement of a pause to the moment before someone asked to lift it. */
export interface PauseSpan {
  readonly accountId: string
  /** When it was asked for, which is before it was acknowledged. */
  readonly askedAt: Instant
  readonly from: Instant
  to: Instant
}

export interface Approval {
  readonly text: string
  /** No later than this it was acknowledged. */
  readonly at: Instant
}

export interface OwnerSettings {
  readonly ledger: Ledger
  readonly accounts: readonly AccountRow[]
  readonly random: Stream
}

const lookEveryMs = 50

export class Owner {
  readonly approvals = new Map<ActionId, Approval>()
  readonly rejections = new Set<ActionId>()
  readonly pauses: PauseSpan[] = []
  readonly #settings: OwnerSettings
  readonly #leaving = new AbortController()
  #deciding: Promise<void> | null = null

  constructor(settings: OwnerSettings) {
    this.#settings = settings
  }

  /** Decides on all that is asked, until they leave. */
  begin(): void {
    this.#deciding = this.#decideOnAll()
  }

  async leave(): Promise<void> {
    this.#leaving.abort('left')
    await this.#deciding
  }

  async #decideOnAll(): Promise<void> {
    const { ledger } = this.#settings
    const { signal } = this.#leaving
    const filter = { states: ['awaiting_approval'] as const }
    while (!signal.aborted) {
      const asked = await call(() => ledger.listActions(filter, { after: null, limit: 100 }))
      for (const row of asked) if (!signal.aborted) await this.#decideOn(row)
      await systemClock.sleep(lookEveryMs, signal)
    }
  }

  async #decideOn(row: ActionRow): Promise<void> {
    const { ledger, random } = this.#settings
    const choice = random.fraction()
    const text = choice < 0.3 ? `${row.text ?? ''} (${choice.toFixed(3)})` : (row.text ?? '')
    const decision: Decision =
      choice > 0.92
        ? { kind: 'reject', reason: 'not now' }
        : {
            kind: 'approve',
            textHash: row.textHash,
            text,
            graceMs: choice * 200,
            expiresAfterMs: 60 * minuteMs,
          }
    // Noted before: whoever is told too late that it was approved has sent nothing without it.
    if (decision.kind === 'approve') {
      this.approvals.set(row.id, { text, at: await call(() => ledger.now()) })
    }
    const result = await call(() => ledger.decide({ actionId: row.id, by: 'owner', decision }))
    if (result.kind === 'done' && decision.kind === 'reject') this.rejections.add(row.id)
    if (result.kind === 'done' || (await this.#isApproved(row.id))) return
    this.approvals.delete(row.id)
  }

  /** Where the answer was lost, it may have been sent before the same was asked once more. */
  async #isApproved(id: ActionId): Promise<boolean> {
    const rows = await call(() => this.#settings.ledger.listApprovals(id))
    return rows.some(({ decision }) => decision === 'approved')
  }

  /** Pauses an account that is not paused by them already. */
  async pause(): Promise<void> {
    const { ledger, accounts, random } = this.#settings
    const free = accounts.filter(({ id }) => !this.#isPaused(id))
    const account = free[Math.floor(random.fraction() * free.length)]
    if (account === undefined) return
    const askedAt = await call(() => ledger.now())
    const pause = { scope: 'account', target: account.id, reason: 'a look', by: 'owner' } as const
    await call(() => ledger.pause({ ...pause, until: null }))
    const from = await call(() => ledger.now())
    this.pauses.push({ accountId: account.id, askedAt, from, to: Infinity })
  }

  /** Lifts all pauses, also those by which the engine lets an account rest. */
  async resumeAll(): Promise<void> {
    const { ledger } = this.#settings
    for (const span of this.pauses.filter(({ to }) => to === Infinity)) {
      span.to = await call(() => ledger.now())
      await call(() => ledger.resume('account', span.accountId))
    }
    for (const { scope, target } of await call(() => ledger.listPauses())) {
      await call(() => ledger.resume(scope, target))
    }
  }

  #isPaused(id: string): boolean {
    return this.pauses.some(({ accountId, to }) => accountId === id && to === Infinity)
  }
}

/** Repeats a call while Postgres is away, as its errors advise. */
export function call<Result>(run: () => Promise<Result>): Promise<Result> {
  return untilDone({ store: 'postgres', connectionString: '' }, run)
}
