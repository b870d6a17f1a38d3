/**
 * Owns the network's side of a call: who calls, how often, and what the answer is. It answers at
 * once and without fault; what happens on the way is the delivery's.
 */

import { secondMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import { countUntil } from './by-time.ts'
import { editPost, removePost } from './editing.ts'
import { isWrite } from './protocol.ts'
import type {
  Answer,
  AnswerData,
  Call,
  Caller,
  CallKind,
  CountersItem,
  PostItem,
  RateState,
  ReplyItem,
  TimelineItem,
} from './protocol.ts'
import { RateWindows } from './rate-windows.ts'
import { isVisible, versionName, visibleVersion } from './records.ts'
import type { StoredAccount, StoredPost, StoredReply, Version } from './records.ts'
import { createReplies, removeReply } from './replying.ts'
import type { Store } from './store.ts'
import { refusal } from './writing.ts'
import type { Refusal } from './writing.ts'

const noReplies: readonly never[] = []

/** A write as it arrived. The same writes on a network of the same seed make the same network. */
export interface ArrivedWrite {
  readonly call: Call
  readonly caller: Caller
  readonly at: Instant
}

export class Server {
  readonly #store: Store
  readonly #windows = new Map<string, RateWindows>()
  /** Told of each write before it is applied. */
  readonly #onWrite: (write: ArrivedWrite) => void

  constructor(store: Store, onWrite: (write: ArrivedWrite) => void = () => {}) {
    this.#store = store
    this.#onWrite = onWrite
  }

  answer(call: Call, caller: Caller, now: Instant): Answer {
    if (isWrite(call.kind)) this.#onWrite({ call, caller, at: now })
    return this.apply(call, caller, now)
  }

  /** The same without a word to anyone, as when a journal is read back. */
  apply(call: Call, caller: Caller, now: Instant): Answer {
    const account = this.#store.accounts.get(caller.handle)
    if (account === undefined || account.credentials !== caller.bearer) {
      // Real servers quote what they were sent. A connector must not pass it on.
      return refused(refusal(401, 'credentials', `${caller.bearer} is not a valid token`), null)
    }
    const waitMs = this.#windowsOf(account).take(isWrite(call.kind), now)
    if (waitMs !== null) {
      const wholeMs = Math.ceil(waitMs / secondMs) * secondMs
      return refused(refusal(429, 'rate_limit', 'Too many requests'), wholeMs)
    }
    const data = this.#dataFor(call, account, now)
    return isRefusal(data) ? refused(data, null) : { kind: 'done', at: now, data }
  }

  /** How full the account's windows are, for the headers of an answer. */
  rateState(handle: string, now: Instant): RateState | null {
    return this.#windows.get(handle)?.state(now) ?? null
  }

  #windowsOf({ handle }: StoredAccount): RateWindows {
    const known = this.#windows.get(handle)
    if (known !== undefined) return known
    const windows = new RateWindows(this.#store.profile.rates)
    this.#windows.set(handle, windows)
    return windows
  }

  #dataFor(call: Call, account: StoredAccount, now: Instant): AnswerData[CallKind] | Refusal {
    const store = this.#store
    switch (call.kind) {
      case 'timeline':
        return this.#timeline(account, call.since, now)
      case 'counters':
        return this.#counters(call.ids, now)
      case 'post':
        return this.#post(call.id, now)
      case 'replies':
        return this.#replies(account, call.parentId, call.since, now)
      case 'records':
        return this.#records(account, call.keys, now)
      case 'create':
        return createReplies(store, account, call, now)
      case 'edit':
        return editPost(store, account, call, now)
      case 'remove':
        return this.#remove(account, call.id, now)
    }
  }

  #timeline(account: StoredAccount, since: Instant, now: Instant): readonly TimelineItem[] {
    const items: TimelineItem[] = []
    let index = countUntil(account.posts, now, ({ publishedAt }) => publishedAt)
    while (index > 0) {
      index -= 1
      const post = account.posts[index] as StoredPost
      if (post.publishedAt < since) break
      if (post.deletedAt !== null || post.isRestricted) continue
      const version = visibleVersion(post, now)
      const { id, text } = version
      const { publishedAt: at } = post
      items.push({ id, url: this.#store.urlOf(id), text, version: this.#nameOf(version), at })
    }
    return items
  }

  #counters(ids: readonly string[], now: Instant): readonly CountersItem[] | Refusal {
    const { observeBatch } = this.#store.profile.description
    if (ids.length > observeBatch) return refusal(400, 'invalid', `At most ${observeBatch} ids`)
    const items: CountersItem[] = []
    for (const id of ids) items.push(this.#countersOf(id, now))
    return items
  }

  #countersOf(id: string, now: Instant): CountersItem {
    const post = this.#store.findPost(id, now)
    if (post === undefined) return this.#replyCounters(id, now)
    if (post.deletedAt !== null) return { state: 'deleted', id }
    if (post.isRestricted) return { state: 'restricted', id }
    const { description, readsBack } = this.#store.profile
    const counts = post.growth.read(now - description.counterLagMs)
    const version = visibleVersion(post, now)
    return {
      state: 'live',
      id,
      impressions: description.hasImpressions ? counts.impressions : null,
      engagements: counts.engagements,
      interactions: counts.interactions,
      text: readsBack ? version.text : null,
      version: this.#nameOf(version),
      ownReplies: readsBack ? ownReplies(post, now) : noReplies,
    }
  }

  /** Nobody reacts to replies here; they can be read all the same. */
  #replyCounters(id: string, now: Instant): CountersItem {
    const reply = this.#store.findReply(id)
    if (reply === undefined || !isVisible(reply, now)) return { state: 'deleted', id }
    const { description, readsBack } = this.#store.profile
    const interactions: Record<string, number> = {}
    for (const name of description.counters) interactions[name] = 0
    return {
      state: 'live',
      id,
      impressions: description.hasImpressions ? 0 : null,
      engagements: 0,
      interactions,
      text: readsBack ? reply.text : null,
      version: null,
      ownReplies: readsBack ? ownReplies(reply, now) : noReplies,
    }
  }

  #post(id: string, now: Instant): PostItem | Refusal {
    if (!this.#store.profile.readsBack) return refusal(403, 'forbidden', 'Not readable')
    const post = this.#store.findPost(id, now)
    if (post === undefined || post.deletedAt !== null) return { state: 'deleted' }
    if (post.isRestricted) return { state: 'restricted' }
    const version = visibleVersion(post, now)
    return {
      state: 'live',
      currentId: version.id,
      url: this.#store.urlOf(version.id),
      text: version.text,
      version: this.#nameOf(version),
      audience: post.audience,
      extras: version.extras,
      at: post.publishedAt,
    }
  }

  #nameOf(version: Version): string | null {
    return this.#store.profile.readsBack ? versionName(version) : null
  }

  /** The account's own replies to a post or reply, even if that is gone. */
  #replies(
    account: StoredAccount,
    parentId: string,
    since: Instant,
    now: Instant,
  ): readonly ReplyItem[] | Refusal {
    if (!this.#store.profile.readsBack) return refusal(403, 'forbidden', 'Not readable')
    const parent = this.#store.findPost(parentId, now) ?? this.#store.findReply(parentId)
    if (parent === undefined || parent.handle !== account.handle) return noReplies
    return parent.replies
      .filter((reply) => reply.at >= since && isVisible(reply, now))
      .map((reply) => this.#item(reply))
  }

  #records(account: StoredAccount, keys: readonly string[], now: Instant) {
    const items: ReplyItem[] = []
    for (const key of keys) {
      const reply = account.records.get(key)
      if (reply !== undefined && isVisible(reply, now)) items.push(this.#item(reply))
    }
    return items
  }

  #item({ id, text, at }: StoredReply): ReplyItem {
    return { id, url: this.#store.urlOf(id), text, at }
  }

  #remove(account: StoredAccount, id: string, now: Instant): AnswerData['remove'] | Refusal {
    const record = this.#store.findPost(id, now) ?? this.#store.findReply(id)
    if (record === undefined) return refusal(404, 'not_found', 'No such post')
    if (record.handle !== account.handle) return refusal(403, 'forbidden', 'Not your post')
    const isPost = record.kind === 'post'
    const remove = isPost
      ? removePost(this.#store, record, now)
      : removeReply(this.#store, record, now)
    return { removed: remove }
  }
}

function ownReplies({ replies }: StoredPost | StoredReply, now: Instant) {
  if (replies.length === 0) return noReplies
  const seen = replies.filter((reply) => isVisible(reply, now))
  return seen.map(({ id, at }) => ({ remoteId: id, at }))
}

function isRefusal(data: AnswerData[CallKind] | Refusal): data is Refusal {
  return 'kind' in data && data.kind === 'refusal'
}

function refused({ status, code, message }: Refusal, retryAfterMs: number | null): Answer {
  return { kind: 'refused', status, code, message, retryAfterMs }
}
