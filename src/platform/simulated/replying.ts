/**
 * Owns how the simulated network makes and removes replies, and who recognises a repeat: networks
 * differ most in that.
 */

import type { Instant } from '../../core/instant.ts'
import type { AnswerData, Audience, CallOf } from './protocol.ts'
import type { StoredAccount, StoredPost, StoredReply } from './records.ts'
import type { Store } from './store.ts'
import { addEffect, byOwner, checkText, refusal } from './writing.ts'
import type { Doer, Refusal } from './writing.ts'

export function createReplies(
  store: Store,
  account: StoredAccount,
  call: CallOf<'create'>,
  now: Instant,
): AnswerData['create'] | Refusal {
  const { description } = store.profile
  if (!description.actions[call.audit.action].supported) {
    return refusal(403, 'forbidden', 'Replies are not allowed')
  }
  if (call.texts.length === 0 || (call.texts.length > 1 && !description.threadIsAtomic)) {
    return refusal(400, 'invalid', `${call.texts.length} posts in one call`)
  }
  for (const text of call.texts) {
    const problem = checkText(store, text)
    if (problem !== null) return problem
  }
  const repeated = findRepeat(store, account, call, now)
  if (repeated !== null) return 'kind' in repeated ? repeated : answerFor(store, repeated.replies)
  const parent = findParent(store, account, call.parentId, now)
  if ('status' in parent) return parent
  const replies: StoredReply[] = []
  const visibleAt = store.drawVisibleAt(now)
  for (const [index, text] of call.texts.entries()) {
    const above: StoredPost | StoredReply = replies.at(-1) ?? parent
    const id = replyId(store, account, call, index)
    const doer: Doer = { ...call.audit, by: 'connector', segment: call.audit.segment + index }
    // Where a post cannot be read, replies stay in the same room.
    const audience = store.profile.readsBack ? call.audience : parent.audience
    replies.push(addReply(store, above, doer, { id, text, audience, at: now, visibleAt }))
  }
  rememberWrite(store, account, call, replies, now)
  return answerFor(store, replies)
}

/** Null where the network takes it for a new write. */
function findRepeat(
  store: Store,
  account: StoredAccount,
  call: CallOf<'create'>,
  now: Instant,
): { readonly replies: readonly StoredReply[] } | Refusal | null {
  const { recognition } = store.profile
  if (recognition.by === 'idempotency_key' && call.idempotencyKey !== null) {
    forgetOld(account, now)
    const known = account.remembered.get(call.idempotencyKey)
    if (known === undefined) return null
    const isGone = known.replies.some(({ effect }) => effect.removedAt !== null)
    return isGone ? refusal(404, 'not_found', 'The post of this key is gone') : known
  }
  if (recognition.by !== 'record_key') return null
  const keys = call.recordKeys
  if (keys === null || keys.length !== call.texts.length) {
    return refusal(400, 'invalid', 'Each post needs a key')
  }
  const known = keys.map((key) => account.records.get(key)).filter((reply) => reply !== undefined)
  if (known.length === 0) return null
  const isSame = keys.every((key, index) => account.records.get(key)?.text === call.texts[index])
  if (!isSame || known[0]?.parentId !== call.parentId) {
    return refusal(409, 'conflict', 'Another record stands under this key')
  }
  const isGone = known.every(({ effect }) => effect.removedAt !== null)
  if (isGone && recognition.afterDeletion === 'made_again') return null
  if (keys.length > 1 && recognition.repeatedThread === 'server_error') {
    return refusal(500, 'server_error', 'Internal server error')
  }
  return { replies: known }
}

function rememberWrite(
  store: Store,
  account: StoredAccount,
  call: CallOf<'create'>,
  replies: readonly StoredReply[],
  now: Instant,
): void {
  for (const [index, key] of (call.recordKeys ?? []).entries()) {
    const reply = replies[index]
    if (reply !== undefined) account.records.set(key, reply)
  }
  const { recognition } = store.profile
  if (recognition.by !== 'idempotency_key' || call.idempotencyKey === null) return
  account.remembered.set(call.idempotencyKey, { replies, until: now + recognition.rememberedMs })
}

/** Keys are remembered equally long, so the oldest come first. */
function forgetOld({ remembered }: StoredAccount, now: Instant): void {
  for (const [key, { until }] of remembered) {
    if (until > now) return
    remembered.delete(key)
  }
}

function findParent(
  store: Store,
  account: StoredAccount,
  parentId: string,
  now: Instant,
): StoredPost | StoredReply | Refusal {
  const parent = store.findPost(parentId, now) ?? store.findReply(parentId)
  if (parent === undefined) return refusal(404, 'not_found', 'No such post')
  if (parent.handle !== account.handle) return refusal(403, 'forbidden', 'Not your post')
  const post = parent.kind === 'post' ? parent : parent.post
  const isGone = parent.kind === 'reply' && parent.effect.removedAt !== null
  if (isGone || post.deletedAt !== null) return refusal(404, 'not_found', 'The post is gone')
  if (post.isRestricted) return refusal(403, 'forbidden', 'The post is restricted')
  return parent
}

function replyId(
  store: Store,
  account: StoredAccount,
  call: CallOf<'create'>,
  index: number,
): string {
  const key = call.recordKeys?.[index]
  return key === undefined ? store.nextId(account) : `${account.handle}/${key}`
}

interface Draft {
  readonly id: string
  readonly text: string
  readonly audience: Audience
  readonly at: Instant
  readonly visibleAt: Instant
}

function addReply(
  store: Store,
  parent: StoredPost | StoredReply,
  doer: Doer,
  draft: Draft,
): StoredReply {
  const post = parent.kind === 'post' ? parent : parent.post
  // A thread is one action however many posts it has; what the owner does by hand is no action.
  const factor = doer.by === 'owner' || doer.segment > 0 ? 1 : store.drawFactor(post, doer.action)
  const { id: remoteId, text, at, visibleAt } = draft
  const effect = addEffect(store, post, doer, { remoteId, text, at, visibleAt, factor })
  const place = { handle: parent.handle, parentId: parent.id, post }
  const reply: StoredReply = { kind: 'reply', ...draft, ...place, replies: [], effect }
  store.addReply(reply, parent)
  if (parent.kind === 'post') countReply(post, visibleAt, 1, doer.by === 'connector')
  return reply
}

function countReply(post: StoredPost, at: Instant, amount: 1 | -1, byAction: boolean): void {
  post.growth.add({ at, counter: 'replies', amount, byAction })
}

function answerFor(store: Store, replies: readonly StoredReply[]): AnswerData['create'] {
  const ids = replies.map(({ id }) => id)
  return { ids, url: store.urlOf(ids[0] as string) }
}

/** The owner replies by hand. */
export function replyByHand(store: Store, post: StoredPost, text: string, now: Instant): string {
  const account = store.requireAccount(post.handle)
  const id = store.nextId(account)
  const { audience } = post
  const draft = { id, text, audience, at: now, visibleAt: now }
  return addReply(store, post, byOwner('comment'), draft).id
}

/** Removing what is gone already changes nothing and is no error. */
export function removeReply(store: Store, reply: StoredReply, now: Instant): boolean {
  const { effect, post, visibleAt } = reply
  if (effect.removedAt !== null) return false
  effect.removedAt = now
  store.deletions.push({ remoteId: reply.id, at: now })
  const from = Math.max(now, visibleAt)
  if (reply.parentId === post.id) countReply(post, from, -1, effect.by === 'connector')
  if (effect.factor !== 1) post.growth.boost(from, 1 / effect.factor)
  return true
}
