/**
 * Owns what steps of one transaction did that others in it, which were read at the same time, have
 * not been shown: what an account claimed first and what it reserved, and attempts on a platform.
 * These are all that reaches beyond the post a step is about.
 */

import type { TallyEntry } from '../../core/history.ts'
import type { AccountId, ActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { ActionRow } from '../rows.ts'
import type { Changes } from '../store.ts'

type Claim = TallyEntry & { readonly actionId: ActionId }

export class Earlier {
  readonly #claims = new Map<AccountId, readonly Claim[]>()
  readonly #attempts = new Map<string, readonly TallyEntry[]>()
  readonly #reserved = new Map<AccountId, readonly Instant[]>()

  /** Newest first. */
  claimsOf(accountId: AccountId): readonly Claim[] {
    return this.#claims.get(accountId) ?? []
  }

  attemptsOn(platform: string): readonly TallyEntry[] {
    return this.#attempts.get(platform) ?? []
  }

  /** A plan that is claimed or cancelled in the same transaction still counts, which is safe. */
  reservedBy(accountId: AccountId): readonly Instant[] {
    return this.#reserved.get(accountId) ?? []
  }

  /** `shown` are the actions as the step saw them. */
  note(shown: readonly ActionRow[], changes: Changes): void {
    const { insertAction, updateAction, insertAttempt } = changes
    if (insertAction !== undefined) this.#notePlan(insertAction)
    if (updateAction !== undefined) this.#noteClaim(shown, updateAction)
    if (insertAttempt === undefined) return
    const { platform, startedAt: at } = insertAttempt
    this.#attempts.set(platform, [...this.attemptsOn(platform), { at, count: 1 }])
  }

  /** What waits for an approval reserves nothing. */
  #notePlan({ accountId, state, dueAt, undoes }: ActionRow) {
    if (state !== 'planned' || dueAt === null || undoes !== null) return
    this.#reserved.set(accountId, [...this.reservedBy(accountId), dueAt])
  }

  /** An action counts once, at its first claim; an undo does not count. */
  #noteClaim(shown: readonly ActionRow[], { id, accountId, firstClaimedAt, undoes }: ActionRow) {
    const before = shown.find((row) => row.id === id)
    if (before?.firstClaimedAt !== null || firstClaimedAt === null || undoes !== null) return
    const claim = { at: firstClaimedAt, count: 1, actionId: id }
    this.#claims.set(accountId, [claim, ...this.claimsOf(accountId)])
  }
}
