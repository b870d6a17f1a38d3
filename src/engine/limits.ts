/**
 * Owns what networks say of their limits with each answer. An account that has nearly used one up
 * is left alone until it is full again, so that the limit is never run into. Workers tell each
 * other through the ledger, so that only one of them has to hear it.
 */

import type { Clock } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RateLimit } from '../platform/fetch/rate-limit.ts'

/** So much of a limit is kept for what a person does, and for other programs. */
const keptShare = 0.02
/** Until when each account's limit is used up; an item whose time is over is gone. */
const collection = 'limits'
/** Before each of many sends the ledger need not be asked again whether others heard something. */
const askAgainMs = 1000

export class Limits {
  readonly #clock: Clock
  readonly #ledger: Pick<Ledger, 'now' | 'getItem' | 'putItem'>
  readonly #spentUntil = new Map<AccountId, Instant>()
  /** When the ledger last knew of nothing. */
  readonly #askedMs = new Map<AccountId, number>()
  /** What the others have not been told yet. */
  readonly #news = new Set<AccountId>()

  constructor(clock: Clock, ledger: Pick<Ledger, 'now' | 'getItem' | 'putItem'>) {
    this.#clock = clock
    this.#ledger = ledger
  }

  note(id: AccountId, { limit, remaining, resetAt }: RateLimit): void {
    if (remaining === null || resetAt === null) return
    const kept = Math.ceil((limit ?? 0) * keptShare)
    if (remaining > kept) return
    this.#spentUntil.set(id, Math.max(resetAt, this.#spentUntil.get(id) ?? 0))
    this.#news.add(id)
  }

  async isSpent(id: AccountId): Promise<boolean> {
    const until = this.#spentUntil.get(id)
    if (until !== undefined && this.#clock.now() < until) return true
    this.#spentUntil.delete(id)
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - (this.#askedMs.get(id) ?? -Infinity) < askAgainMs) return false
    if ((await this.#ledger.getItem(collection, id)) !== null) return true
    this.#askedMs.set(id, nowMs)
    return false
  }

  /** Tells the other workers what was heard of this account's limit. */
  async share(id: AccountId): Promise<void> {
    const until = this.#spentUntil.get(id)
    if (!this.#news.delete(id) || until === undefined) return
    const known = await this.#ledger.getItem(collection, id)
    // The others go by the ledger's time, and this process's clock may differ from it.
    const leftMs = until - this.#clock.now()
    const end = (await this.#ledger.now()) + leftMs
    await this.#ledger.putItem(collection, id, null, known?.version ?? null, end)
  }
}
