/**
 * Owns where posts and actions belong, as far as it was seen: which account, which post, which
 * platform. None of it ever changes, so it may be remembered; nothing rests on it being known.
 */

import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import { RecentMap } from '../../core/recent-map.ts'
import type { PostView } from '../views.ts'

export interface Place {
  readonly accountId: AccountId
  readonly postId: PostId
  readonly platform: string
}

/** What a step works on. */
export type Subject =
  | { readonly kind: 'post'; readonly id: PostId }
  | { readonly kind: 'action'; readonly id: ActionId }

const mostRemembered = 20_000

export class Places {
  readonly #places = new RecentMap<string, Place>(mostRemembered)

  find({ kind, id }: Subject): Place | null {
    return this.#places.get(`${kind} ${id}`) ?? null
  }

  /** Whoever reads a post may plan for it next, and then it is good to know whose it is. */
  rememberAll(views: readonly (Pick<PostView, 'account' | 'post'> | null)[]): void {
    for (const view of views) {
      if (view !== null) this.remember({ kind: 'post', id: view.post.id }, placeOfPost(view))
    }
  }

  remember({ kind, id }: Subject, place: Place): void {
    this.#places.set(`${kind} ${id}`, place)
  }
}

export function placeOfPost({ account, post }: Pick<PostView, 'account' | 'post'>): Place {
  return { accountId: account.id, postId: post.id, platform: account.platform }
}

/** What is locked here, or would be by others that are shown the same. */
export const accountAndPost = ({ accountId, postId }: Place) => [
  `account ${accountId}`,
  `post ${postId}`,
]
export const postAlone = ({ postId }: Place) => [`post ${postId}`]
export const postAndPlatform = (place: Place) => [...postAlone(place), `platform ${place.platform}`]
