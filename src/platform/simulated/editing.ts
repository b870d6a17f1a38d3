/** Owns how the simulated network changes and removes posts. */

import type { Instant } from '../../core/instant.ts'
import type { AnswerData, CallOf, Extras } from './protocol.ts'
import { newestVersion, versionName } from './records.ts'
import type { StoredAccount, StoredPost } from './records.ts'
import type { Store } from './store.ts'
import { addEffect, byOwner, checkText, refusal } from './writing.ts'
import type { Doer, Refusal } from './writing.ts'

export function editPost(
  store: Store,
  account: StoredAccount,
  call: CallOf<'edit'>,
  now: Instant,
): AnswerData['edit'] | Refusal {
  const post = store.findPost(call.id, now)
  const problem = objection(store, account, post, now) ?? checkText(store, call.text)
  if (problem !== null) return problem
  if (post === undefined) return refusal(404, 'not_found', 'No such post')
  const { edits } = store.profile
  const newest = newestVersion(post)
  if (edits.conditional && call.ifVersion !== null && call.ifVersion !== versionName(newest)) {
    return refusal(409, 'conflict', 'Another version stands there')
  }
  const extras = edits.replacesAll ? call.extras : newest.extras
  const isUnchanged = call.text === newest.text && isSame(extras, newest.extras)
  if (isUnchanged && edits.unchanged === 'refused') {
    return refusal(422, 'invalid', 'Nothing would change')
  }
  const doer: Doer | null = call.audit === null ? null : { ...call.audit, by: 'connector' }
  if (!isUnchanged) addVersion(store, post, { text: call.text, extras, at: now, doer })
  const { id } = newestVersion(post)
  return { id, url: store.urlOf(id), version: versionName(newestVersion(post)) }
}

function objection(
  { profile }: Store,
  account: StoredAccount,
  post: StoredPost | undefined,
  now: Instant,
): Refusal | null {
  const ability = profile.description.actions.edit
  if (!ability.supported) return refusal(403, 'forbidden', 'Posts cannot be edited')
  if (post === undefined || post.deletedAt !== null) return refusal(404, 'not_found', 'It is gone')
  if (post.handle !== account.handle) return refusal(403, 'forbidden', 'Not your post')
  if (post.isRestricted) return refusal(403, 'forbidden', 'The post is restricted')
  const isLate = ability.withinMs !== null && now - post.publishedAt > ability.withinMs
  return isLate ? refusal(403, 'forbidden', 'Too late to edit') : null
}

/** The owner edits by hand; only the text changes. */
export function editByHand(store: Store, post: StoredPost, text: string, now: Instant): void {
  const { extras } = newestVersion(post)
  addVersion(store, post, { text, extras, at: now, doer: byOwner('edit') })
}

interface Draft {
  readonly text: string
  readonly extras: Extras
  readonly at: Instant
  /** Null where an edit is taken back, which is no new effect. */
  readonly doer: Doer | null
}

function addVersion(store: Store, post: StoredPost, { text, extras, at, doer }: Draft): void {
  const newest = newestVersion(post)
  const account = store.requireAccount(post.handle)
  const id = store.profile.edits.givesNewId ? store.nextId(account) : newest.id
  const visibleAt = doer?.by === 'owner' ? at : store.drawVisibleAt(at)
  endLastEdit(post, at)
  if (doer !== null) {
    const factor = doer.by === 'owner' ? 1 : store.drawFactor(post, 'edit')
    post.lastEdit = addEffect(store, post, doer, { remoteId: id, text, at, visibleAt, factor })
  }
  post.versions.push({ number: newest.number + 1, id, text, extras, visibleAt })
  store.addId(id, post)
}

/** A text that is replaced is not seen any more, and does nothing any more. */
function endLastEdit(post: StoredPost, at: Instant): void {
  const effect = post.lastEdit
  if (effect === null) return
  effect.removedAt = at
  post.lastEdit = null
  if (effect.factor !== 1) post.growth.boost(Math.max(at, effect.visibleAt), 1 / effect.factor)
}

function isSame(a: Extras, b: Extras): boolean {
  const isSameMedia = a.media.length === b.media.length && a.media.every((m, i) => m === b.media[i])
  return isSameMedia && a.warning === b.warning && a.language === b.language
}

/** Removing what is gone already changes nothing and is no error. */
export function removePost(store: Store, post: StoredPost, now: Instant): boolean {
  if (post.deletedAt !== null) return false
  post.deletedAt = now
  store.deletions.push({ remoteId: post.id, at: now })
  return true
}
