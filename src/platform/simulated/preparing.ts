/**
 * Owns what is checked before a write, and the bytes that it is fixed to. Reads at most; makes
 * nothing visible.
 */

import type { Fault, FaultCode } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Preparation, WriteRequest } from '../platform.ts'
import type { Profile } from './profile.ts'
import type { PostItem } from './protocol.ts'
import { recordKeysFor } from './token.ts'
import type { EditToken, ReplyToken } from './token.ts'

/** The post as it stands at the network, with the network's time. Null where it cannot be read. */
export interface Standing {
  readonly at: Instant
  readonly post: PostItem
}

/** Why the write cannot be made whatever the post looks like, or null. */
export function checkRequest(profile: Profile, request: WriteRequest): Preparation | null {
  const { description } = profile
  const ability = description.actions[request.action]
  if (!ability.supported) return refuse('unsupported', ability.why)
  const { texts, segment, previous } = request
  const isThread = request.action === 'thread'
  const isWhole = isThread && description.threadIsAtomic
  const most = isThread ? description.threadMaximum : 1
  if (isWhole ? texts.length < 1 || texts.length > most : texts.length !== 1) {
    return refuse('invalid', `${texts.length} texts were given for one ${request.action}.`)
  }
  if (segment >= most || (isWhole && segment > 0)) {
    return refuse('invalid', `A thread has at most ${most} posts; this would be one more.`)
  }
  if (previous.length !== segment) {
    return refuse('invalid', `Segment ${segment} follows ${previous.length} that are out.`)
  }
  for (const text of texts) {
    const problem = lengthProblem(profile, text)
    if (problem !== null) return refuse('invalid', problem)
  }
  return null
}

function lengthProblem({ description }: Profile, text: string): string | null {
  if (text.trim() === '') return 'The text is empty.'
  const { maximum, measure } = description.length
  const length = measure(text)
  return length > maximum ? `The text has a length of ${length}; at most ${maximum} fit.` : null
}

export function prepareReply(
  profile: Profile,
  request: WriteRequest,
  standing: Standing | null,
): Preparation {
  const ground = standing === null ? null : lostGround(profile, request, standing)
  if (ground !== null) return ground
  const { recognition } = profile
  const { key, segment, previous, preparedAt } = request
  const parent = previous.at(-1)
  const token: ReplyToken = {
    kind: 'reply',
    action: request.action === 'thread' ? 'thread' : 'comment',
    segment,
    parentId: parent?.remoteIds.at(-1) ?? request.target.remoteId,
    texts: [...request.texts],
    // Nobody may read the reply who cannot read the post.
    audience: standing?.post.state === 'live' ? standing.post.audience : 'public',
    createdAt: preparedAt,
    recordKeys: recognition.by === 'record_key' ? recordKeysFor(request) : null,
    idempotencyKey: recognition.by === 'idempotency_key' ? `${key}:${segment}` : null,
    notBefore: standing?.at ?? preparedAt,
  }
  return { kind: 'ready', token }
}

export function prepareEdit(
  profile: Profile,
  request: WriteRequest,
  standing: Standing,
): Preparation {
  const ground = lostGround(profile, request, standing)
  if (ground !== null) return ground
  const { post } = standing
  if (post.state !== 'live' || post.text === null || post.version === null) {
    return refuse('unsupported', 'The post cannot be read, so an edit could undo what is there.')
  }
  const { target } = request
  if (target.text === null && target.contentVersion === null) {
    return refuse('invalid', 'Nothing is known of the text that the edit was written for.')
  }
  const isChanged =
    (target.contentVersion !== null && target.contentVersion !== post.version) ||
    (target.text !== null && target.text !== post.text)
  if (isChanged) return { kind: 'changed', why: 'The owner edited the post.' }
  const text = request.texts[0] as string
  if (text === post.text) return refuse('invalid', 'The edit would change nothing.')
  const token: EditToken = {
    kind: 'edit',
    id: post.currentId,
    text,
    baseText: post.text,
    baseVersion: post.version,
    extras: { ...post.extras, media: [...post.extras.media] },
  }
  return { kind: 'ready', token }
}

/** The post is gone, hidden, or too old for the action. */
function lostGround(
  { description }: Profile,
  { action }: WriteRequest,
  { at, post }: Standing,
): Preparation | null {
  if (post.state === 'deleted') return { kind: 'changed', why: 'The post was deleted.' }
  if (post.state === 'restricted') return { kind: 'changed', why: 'The post is hidden from us.' }
  const ability = description.actions[action]
  if (post.state !== 'live' || !ability.supported || ability.withinMs === null) return null
  if (at - post.at <= ability.withinMs) return null
  return refuse('forbidden', `It is too late for an ${action}.`, 'post')
}

function refuse(
  code: FaultCode,
  detail: string,
  scope: Fault['scope'] = 'request',
): Preparation & { readonly kind: 'refused' } {
  return { kind: 'refused', fault: { landed: 'no', code, scope, retryAt: null, detail } }
}
