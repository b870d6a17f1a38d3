/** Owns the idempotency key: two planners that see the same ledger compute the same one. */

import { hash } from 'node:crypto'
import type { Action, Tier } from './action.ts'
import type { ActionKey } from './ids.ts'

const digestCharacters = 32

/**
 * The key of an action. Generation 0 is the key of the classic executor; a later generation, which
 * counts the rows for this post, action and tier that have ended, is appended.
 */
export function actionKey(postId: string, action: Action, tier: Tier, generation = 0): ActionKey {
  const suffix = generation > 0 ? `:${generation}` : ''
  const digest = hash('sha256', `${postId}:${action}:${tier}${suffix}`, 'hex')
  return `sheal_${digest.slice(0, digestCharacters)}` as ActionKey
}
