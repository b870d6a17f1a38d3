/** Owns what is checked before a write, and the bytes it is fixed to. Reads only. */

import type { Fault, FaultCode } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Description, Preparation, WriteRequest } from '../platform.ts'
import { newestId } from './api.ts'
import type { Api } from './api.ts'
import { listMatching } from './locating.ts'
import type { Profile } from './profile.ts'
import { hasReplies } from './reading.ts'
import { canonical, textOf } from './text.ts'
import type { EditToken, ReplyToken } from './token.ts'
import type { Tweet } from './wire.ts'

/** Why the write cannot be made whatever the post looks like, or null. */
export function checkRequest(description: Description, request: WriteRequest): Preparation | null {
  const ability = description.actions[request.action]
  if (!ability.supported) return refuse('unsupported', ability.why)
  const { texts, segment, previous } = request
  const most = request.action === 'thread' ? description.threadMaximum : 1
  const text = texts[0] ?? ''
  if (texts.length !== 1)
    return refuse('invalid', `One text is sent at a time, not ${texts.length}.`)
  if (segment >= most) {
    return refuse('invalid', `A thread has at most ${most} posts; this would be one more.`)
  }
  if (previous.length !== segment) {
    return refuse('invalid', `Segment ${segment} follows ${previous.length} that are out.`)
  }
  if (text.trim() === '') return refuse('invalid', 'The text is empty.')
  const { maximum, measure } = description.length
  const length = measure(text)
  if (length <= maximum) return null
  return refuse('invalid', `The text has a length of ${length}; at most ${maximum} fit.`)
}

/** The post as it is shown now, or why there is nothing to write on. */
async function readNow(api: Api, id: string): Promise<Tweet | Preparation> {
  const found = await api.readOne(id)
  if (found?.kind === 'restricted') return { kind: 'changed', why: 'The post is hidden from us.' }
  if (found?.kind !== 'live') return { kind: 'changed', why: 'The post was deleted.' }
  const newest = newestId(found.tweet)
  if (newest === found.tweet.id) return found.tweet
  const shown = await api.readOne(newest)
  return shown?.kind === 'live' ? shown.tweet : { kind: 'changed', why: 'The post was deleted.' }
}

export async function prepareReply(
  api: Api,
  profile: Profile,
  request: WriteRequest,
): Promise<Preparation> {
  const post = await readNow(api, request.target.remoteId)
  if ('kind' in post) return post
  const token: ReplyToken = {
    kind: 'reply',
    parentId: request.previous.at(-1)?.remoteIds.at(-1) ?? post.id,
    text: request.texts[0] ?? '',
    known: [],
    notBefore: post.created_at,
  }
  if (request.previous.length > 0 || !hasReplies(post)) return { kind: 'ready', token }
  const { found } = await listMatching(api, profile, token)
  return { kind: 'ready', token: { ...token, known: found.map(({ id }) => id) } }
}

export async function prepareEdit(
  api: Api,
  request: WriteRequest,
  now: Instant,
): Promise<Preparation> {
  const { target } = request
  const post = await readNow(api, target.remoteId)
  if ('kind' in post) return post
  if (target.text === null && target.contentVersion === null) {
    return refuse('invalid', 'Nothing is known of the text that the edit was written for.')
  }
  const isChanged =
    (target.contentVersion !== null && target.contentVersion !== newestId(post)) ||
    (target.text !== null && canonical(target.text) !== canonical(textOf(post)))
  if (isChanged) return { kind: 'changed', why: 'The owner edited the post.' }
  const text = request.texts[0] ?? ''
  if (canonical(text) === canonical(textOf(post))) {
    return refuse('invalid', 'The edit would change nothing.')
  }
  const problem = editProblem(post, now)
  if (problem !== null) return problem
  const token: EditToken = { kind: 'edit', id: post.id, text }
  return { kind: 'ready', token }
}

function editProblem(post: Tweet, now: Instant): Preparation | null {
  const { edit_controls: controls, attachments, referenced_tweets: referenced = [] } = post
  const hasMore =
    (attachments?.media_keys ?? []).length > 0 ||
    (attachments?.poll_ids ?? []).length > 0 ||
    referenced.length > 0
  if (hasMore) {
    // Nothing says what becomes of them, so they are not put at risk.
    return refuse(
      'unsupported',
      'The post has pictures, a poll or a quote, which an edit may lose.',
    )
  }
  if (controls?.is_edit_eligible !== true) {
    return refuse('forbidden', 'X says that this post cannot be edited.', 'post')
  }
  if (controls.edits_remaining < 1) {
    return refuse('forbidden', 'The post was edited as often as X allows.', 'post')
  }
  return now < controls.editable_until
    ? null
    : refuse('forbidden', 'It is too late to edit the post.', 'post')
}

function refuse(
  code: FaultCode,
  detail: string,
  scope: Fault['scope'] = 'request',
): Preparation & { readonly kind: 'refused' } {
  return { kind: 'refused', fault: { landed: 'no', code, scope, retryAt: null, detail } }
}
