/** Owns what all writes on the simulated network share: refusals, and effects that are visible. */

import type { Action } from '../../core/action.ts'
import type { ActionKey } from '../../core/ids.ts'
import type { RefusalCode } from './protocol.ts'
import type { Effect, StoredPost } from './records.ts'
import type { Store } from './store.ts'

/** The network turns it down; nothing has changed. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly status: number
  readonly code: RefusalCode
  readonly message: string
}

export function refusal(status: number, code: RefusalCode, message: string): Refusal {
  return { kind: 'refusal', status, code, message }
}

/** Who does something to a post, and on behalf of which action. */
export interface Doer {
  readonly by: Effect['by']
  readonly key: ActionKey | null
  readonly action: Action
  readonly segment: number
}

/** What the owner does by hand belongs to no action. */
export const byOwner = (action: Action): Doer => ({ by: 'owner', key: null, action, segment: 0 })

/** Why the network does not take a text, or null. */
export function checkText({ profile }: Store, text: string): Refusal | null {
  const { maximum, measure } = profile.description.length
  if (text === '') return refusal(422, 'invalid', 'The text is empty')
  return measure(text) > maximum ? refusal(422, 'too_long', `At most ${maximum}`) : null
}

export function addEffect(
  store: Store,
  post: StoredPost,
  { by, key, action, segment }: Doer,
  rest: Pick<Effect, 'remoteId' | 'text' | 'at' | 'visibleAt' | 'factor'>,
): Effect {
  const effect: Effect = {
    key,
    action,
    segment,
    by,
    handle: post.handle,
    postId: post.id,
    ...rest,
    removedAt: null,
  }
  store.addEffect(effect)
  if (rest.factor !== 1) post.growth.boost(rest.visibleAt, rest.factor)
  return effect
}
