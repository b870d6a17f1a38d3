/**
 * Owns which texts the ledger takes, the same for every store. What people and generators write is
 * refused where a store could not give it back as it was: a text that comes back changed would not
 * be the one its hash stands for (I8). What a network says is taken with such characters left out,
 * because nobody here can mend it, and one bad post must not keep others from being read.
 */

import type { Fault } from '../core/fault.ts'
import { requireWellFormed } from '../core/ids.ts'
import { InputError } from '../core/input-error.ts'
import type { PostRow } from './rows.ts'
import type { Decision } from './steps/approval.ts'
import type { SeenContent } from './steps/post.ts'
import type { Finding } from './steps/reconcile.ts'
import type { Settlement } from './steps/settle.ts'

export function requireText(value: string, field: string): void {
  if (requireWellFormed(value, field).includes('\0')) {
    throw new InputError(field, 'holds a NUL character, which not every store can keep')
  }
}

/** The texts of a decision, as far as its kind has any. */
export function requireTexts(decision: Decision): void {
  if ('text' in decision && decision.text !== undefined) requireText(decision.text, 'text')
  if ('reason' in decision) requireText(decision.reason, 'reason')
}

/** Without NUL; half a surrogate pair becomes the sign for a character that was lost. */
export function keepable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

function keepableOrNull(text: string | null): string | null {
  return text === null ? null : keepable(text)
}

export function keepablePost(post: PostRow): PostRow {
  return {
    ...post,
    remoteId: keepable(post.remoteId),
    url: keepableOrNull(post.url),
    text: keepableOrNull(post.text),
    contentVersion: keepableOrNull(post.contentVersion),
  }
}

/** An answer of a network to a send. JSON keeps every character, also in Postgres. */
export function keepableSettlement<Answer extends Settlement | Finding>(answer: Answer): Answer {
  return {
    ...answer,
    ...('remoteId' in answer ? { remoteId: keepableOrNull(answer.remoteId) } : {}),
    ...('fault' in answer ? { fault: keepableFault(answer.fault) } : {}),
    ...('postContent' in answer && answer.postContent !== undefined
      ? {
          postContent: {
            remoteId: keepable(answer.postContent.remoteId),
            ...keepableContent(answer.postContent),
          },
        }
      : {}),
  }
}

function keepableFault(fault: Fault): Fault {
  return { ...fault, detail: keepable(fault.detail) }
}

export function keepableContent({ contentVersion, text }: SeenContent): SeenContent {
  return { contentVersion: keepableOrNull(contentVersion), text: keepableOrNull(text) }
}
