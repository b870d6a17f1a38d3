/**
 * What is learnt about an account that was erased meanwhile is written without its words: a send
 * that was under way is still settled, but no text comes back into the ledger with it.
 */

import type { Json } from '../../core/json.ts'
import type { PostContent } from '../store.ts'
import type { ActionView } from '../views.ts'
import type { Finding } from './reconcile.ts'
import type { Settlement } from './settle.ts'

/** Only a row that has lost its text can be an erased account's, so others are not looked up. */
export function isErased(view: ActionView): boolean {
  return view.action.text === null && view.account.status === 'erased'
}

export function wordless<Answer extends Settlement | Finding>(
  view: ActionView,
  answer: Answer,
): Answer {
  if (!isErased(view)) return answer
  return {
    ...answer,
    ...('outcome' in answer ? { outcome: null } : {}),
    ...('fault' in answer ? { fault: { ...answer.fault, detail: '' } } : {}),
    ...('postContent' in answer && answer.postContent !== undefined
      ? { postContent: withoutText(answer.postContent) }
      : {}),
  }
}

export function wordlessOutcome(view: ActionView, outcome: Json): Json {
  return isErased(view) ? null : outcome
}

type Content = Omit<PostContent, 'postId'>

function withoutText(content: Content): Content {
  return { ...content, text: null }
}
