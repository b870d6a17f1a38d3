/** Owns what a pause concerns, how long it lasts, and what is said of it. */

import type { NewEvent } from '../../core/events.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { PauseRow } from '../rows.ts'

type Scoped = Pick<PauseRow, 'scope' | 'target'>

/** Whether what belongs to an account on a platform rests. */
export function concerns({ scope, target }: Scoped, accountId: AccountId, platform: string) {
  return scope === 'everything' || target === (scope === 'account' ? accountId : platform)
}

export function pauseEvent(
  type: 'paused' | 'resumed',
  at: Instant,
  { scope, target }: Scoped,
): NewEvent {
  const accountId = scope === 'account' ? (target as AccountId) : null
  return { type, at, accountId, postId: null, actionId: null, data: { scope, target } }
}

export function isInForce({ until }: { readonly until: Instant | null }, now: Instant): boolean {
  return until === null || until > now
}

/** Null stands for a pause that someone has to lift. */
export function outlasts(one: Instant | null, other: Instant | null): boolean {
  return one === null || (other !== null && one >= other)
}
