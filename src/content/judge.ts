/** Owns whether a draft may be said: within the limits, and not what was said already. */

import type { ContentRequest } from './content.ts'
import { fitDraft } from './limits.ts'
import type { Allowances, Draft } from './limits.ts'
import { findRepeated, isSaidIn, nearlyIdentical, similarity } from './similarity.ts'

export type Judgement =
  | { readonly kind: 'passed'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }

/** Every writer's drafts come through here; a person's own words, typed in an approval, do not. */
export function judge(draft: Draft, request: ContentRequest, allowances: Allowances): Judgement {
  const fitted = fitDraft(draft, request, allowances)
  if (fitted.kind === 'broken') return { kind: 'refused', why: fitted.why }
  const why = findRepetition(draft, fitted.text, request)
  return why === null ? { kind: 'passed', text: fitted.text } : { kind: 'refused', why }
}

function findRepetition(draft: Draft, text: string, request: ContentRequest): string | null {
  const { post, recentTexts } = request
  const tooAlike = 'it is nearly the same as a recent text'
  if (draft.kind === 'edit') {
    if (isSaidIn(draft.addition, post.text)) return 'the post says so already'
    return findRepeatedEdit(draft.addition, text, request) === null ? null : tooAlike
  }
  if (findRepeated(text, recentTexts) !== null) return tooAlike
  // A thread takes the post's own sentences up, so it may be like the post. A comment may not.
  const isEcho = draft.kind === 'comment' && similarity(text, post.text) >= nearlyIdentical
  return isEcho ? 'it only repeats the post' : null
}

/**
 * Two edits of one post share all of its text. So an earlier edit of this post is compared by what
 * it added, and a text for another post as a whole.
 */
function findRepeatedEdit(
  addition: string,
  text: string,
  { post, recentTexts }: ContentRequest,
): string | null {
  const before = post.text.trimEnd()
  const ofThisPost: string[] = []
  const ofOthers: string[] = []
  for (const recent of recentTexts) {
    if (!recent.startsWith(before)) ofOthers.push(recent)
    else if (recent.length > before.length) ofThisPost.push(recent.slice(before.length))
  }
  return findRepeated(addition, ofThisPost) ?? findRepeated(text, ofOthers)
}
