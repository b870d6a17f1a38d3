/** Owns who is asking and what they may see and do. */

import { toAccountId } from '../../core/ids.ts'
import type { AccountId } from '../../core/ids.ts'
import { notFound, Problem } from '../problem.ts'
import { scopes } from '../schema/session.ts'
import type { ActorView, Scope } from '../schema/session.ts'

export interface Actor {
  readonly kind: 'owner' | 'token'
  /** Of the session or the token. */
  readonly id: string
  /** As it stands beside what they decided. */
  readonly name: string
  readonly scope: Scope
  /** Null where all accounts may be seen. */
  readonly accountIds: readonly AccountId[] | null
}

/** Each scope includes those before it. */
export function hasScope({ scope }: Actor, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed)
}

export function maySee({ accountIds }: Actor, id: AccountId | null): boolean {
  if (accountIds === null) return true
  return id !== null && accountIds.includes(id)
}

/** What belongs to another account does not exist for this one. */
export function requireVisible(actor: Actor, id: AccountId | null, what: string): void {
  if (!maySee(actor, id)) throw notFound(what)
}

/** What concerns all accounts is not for those who may see some. */
export function requireUnlimited({ accountIds }: Actor): void {
  if (accountIds === null) return
  throw new Problem(403, 'This concerns all accounts, and the token is limited to some')
}

/** Which accounts a list is about: the one that was asked for, or all that may be seen. */
export function accountFilter(
  actor: Actor,
  asked: string | undefined,
): { readonly accountId?: AccountId; readonly accountIds?: readonly AccountId[] } {
  if (asked !== undefined) {
    const accountId = toAccountId(asked)
    requireVisible(actor, accountId, 'account')
    return { accountId }
  }
  return actor.accountIds === null ? {} : { accountIds: actor.accountIds }
}

export function toActorView({ kind, name, scope, accountIds }: Actor): ActorView {
  return { kind, name, scope, accountIds: accountIds === null ? null : [...accountIds] }
}
