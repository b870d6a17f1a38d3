/**
 * Owns what steps of one transaction did that others in it, which were read at the same time, have
 * not been shown: first claims of an account and attempts on a platform. These two are all that
 * reaches beyond the post a step is about.
 */

import type { TallyEntry } from '../../core/history.ts'
import type { AccountId, ActionId } from '../../core/ids.ts'
import type { ActionRow } from '../rows.ts'
import type { Changes } from '../store.ts'

type Claim = TallyEntry & { readonly actionId: ActionId }

export class Earlier {
  readonly #claims = new Map<AccountId, readonly Claim[]>()
  readonly #attempts = new Map<string, readonly TallyEntry[]>()

  /** Newest first. */
  claimsOf(accountId: AccountId): readonly Claim[] {
    return this.#claims.get(accountId) ?? []
  }

  attemptsOn(platform: string): readonly TallyEntry[] {
    return this.#attempts.get(platform) ?? []
  }

  /** `shown` are the actions as the step saw them. */
  note(shown: readonly ActionRow[], { updateAction, insertAttempt }: Changes): void {
    if (updateAction !== undefined) this.#noteClaim(shown, updateAction)
    if (insertAttempt === undefined) return
    const { platform, startedAt: at } = insertAttempt
    this.#attempts.set(platform, [...this.attemptsOn(platform), { at, count: 1 }])
  }

  /** An action counts once, at its first claim; an undo does not count. */
  #noteClaim(shown: readonly ActionRow[], { id, accountId, firstClaimedAt, undoes }: ActionRow) {
    const before = shown.find((row) => row.id === id)
    if (before?.firstClaimedAt !== null || firstClaimedAt === null || undoes !== null) return
    const claim = { at: firstClaimedAt, count: 1, actionId: id }
    this.#claims.set(accountId, [claim, ...this.claimsOf(accountId)])
  }
}
