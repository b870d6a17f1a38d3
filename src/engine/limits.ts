/**
 * Owns what networks say of their limits with each answer. An account that has nearly used one up
 * is left alone until it is full again, so that the limit is never run into. What was heard is not
 * worth remembering: after a restart the first answer says it again.
 */

import type { Clock } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { RateLimit } from '../platform/fetch/rate-limit.ts'

/** So much of a limit is kept for what a person does, and for other processes. */
const keptShare = 0.02

export class Limits {
  readonly #clock: Clock
  readonly #spentUntil = new Map<AccountId, Instant>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(id: AccountId, { limit, remaining, resetAt }: RateLimit): void {
    if (remaining === null || resetAt === null) return
    const kept = Math.ceil((limit ?? 0) * keptShare)
    if (remaining > kept) return
    this.#spentUntil.set(id, Math.max(resetAt, this.#spentUntil.get(id) ?? 0))
  }

  isSpent(id: AccountId): boolean {
    const until = this.#spentUntil.get(id)
    if (until === undefined) return false
    if (this.#clock.now() < until) return true
    this.#spentUntil.delete(id)
    return false
  }
}
