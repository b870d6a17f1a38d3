/**
 * Owns what is checked before a write, and the records that it is fixed to. Reads only; nothing
 * becomes visible.
 */

import { z } from 'zod'
import type { FaultCode, FaultScope } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { Description, Preparation, WriteRequest } from '../platform.ts'
import {
  parsePostUri,
  postCollection,
  postUri,
  readPostUri,
  threadgateCollection,
} from './at-uri.ts'
import { contentId } from './content-id.ts'
import type { JsonObject } from './json-object.ts'
import { findDid, findPost, findRecord, readViews } from './records.ts'
import type { Reference, StoredPost } from './records.ts'
import { findFeatures, toFacets } from './rich-text.ts'
import type { Session } from './session.ts'
import { recordKeys } from './tid.ts'
import type { EditToken, ReplyToken } from './token.ts'

export async function prepare(
  session: Session,
  description: Description,
  request: WriteRequest,
): Promise<Preparation> {
  const problem = checkRequest(description, request)
  if (problem !== null) return problem
  const { remoteId } = request.target
  if (parsePostUri(remoteId, 'target.remoteId').did !== session.did) {
    return refuse('invalid', 'The post belongs to another account.')
  }
  const target = await findPost(session, remoteId)
  if (target === null) return { kind: 'changed', why: 'The post was deleted.' }
  return request.action === 'edit'
    ? prepareEdit(session, request, target)
    : prepareReply(session, request, target)
}

/** Why the write cannot be made whatever the post looks like, or null. */
function checkRequest(description: Description, request: WriteRequest): Preparation | null {
  const { action, texts, segment, previous } = request
  const ability = description.actions[action]
  if (!ability.supported) return refuse('unsupported', ability.why)
  const most = action === 'thread' ? description.threadMaximum : 1
  if (texts.length < 1 || texts.length > most) {
    return refuse('invalid', `${texts.length} texts were given; a ${action} has at most ${most}.`)
  }
  // All of a thread goes out at once, so nothing can have gone out before.
  if (segment !== 0 || previous.length !== 0) {
    return refuse('invalid', 'A part of a thread cannot be sent by itself.')
  }
  const { maximum, measure } = description.length
  for (const text of texts) {
    if (text.trim() === '') return refuse('invalid', 'The text is empty.')
    const length = measure(text)
    if (length > maximum) {
      return refuse('invalid', `The text has a length of ${length}; at most ${maximum} fit.`)
    }
  }
  return null
}

async function prepareReply(
  session: Session,
  request: WriteRequest,
  target: StoredPost,
): Promise<Preparation> {
  const here: Reference = { uri: target.uri, cid: target.cid }
  const root = target.post.reply?.root ?? here
  const closed = await whyClosed(session, root)
  if (closed !== null) return refuse('forbidden', closed, 'post')
  const { key, segment, preparedAt, texts } = request
  const rkeys = recordKeys(JSON.stringify([key, segment, texts]), preparedAt, texts.length)
  const posts: ReplyToken['posts'] = []
  let parent = here
  for (const [index, rkey] of rkeys.entries()) {
    const text = texts[index] ?? ''
    const record = {
      ...(await wording(session, text)),
      $type: postCollection,
      reply: { root, parent },
      ...(target.post.langs === undefined ? {} : { langs: target.post.langs }),
      createdAt: timestamp(preparedAt, index),
    }
    const cid = contentId(record)
    posts.push({ rkey, cid, record })
    parent = { uri: postUri({ did: session.did, rkey }), cid }
  }
  const token: ReplyToken = { kind: 'reply', did: session.did, parentUri: target.uri, posts }
  return { kind: 'ready', token }
}

/** A text with what is to be seen in it. */
async function wording(session: Session, text: string): Promise<JsonObject> {
  const features = findFeatures(text)
  const didOf = new Map<string, string>()
  for (const { kind, value } of features) {
    if (kind !== 'mention' || didOf.has(value)) continue
    const did = await findDid(session, value)
    if (did !== null) didOf.set(value, did)
  }
  const facets = toFacets(features, didOf)
  return facets.length === 0 ? { text } : { text, facets }
}

/** A millisecond apart, so that a thread stays in order wherever it is sorted by time. */
function timestamp(preparedAt: Instant, index: number): string {
  return new Date(Math.floor(preparedAt) + index).toISOString()
}

const gateSchema = z.object({ allow: z.array(z.json()).optional() })

/**
 * Who may reply is said by the author of the thread's first post. The author always may, by the
 * network's rules; but where replies are off for everyone, ours would be the only voice.
 * A postgate is about quoting, which we never do.
 */
async function whyClosed(session: Session, root: Reference): Promise<string | null> {
  const off = 'Replies are switched off for this thread.'
  const name = readPostUri(root.uri)
  if (name?.did !== session.did) {
    const view = (await readViews(session, [root.uri])).get(root.uri)
    if (view === undefined) return 'The first post of the thread cannot be read.'
    const isOff = view.threadgate?.record?.allow?.length === 0
    return isOff || view.viewer?.replyDisabled === true ? off : null
  }
  const gate = await findRecord(session, { ...name, collection: threadgateCollection })
  return gate !== null && gateSchema.safeParse(gate.value).data?.allow?.length === 0 ? off : null
}

/** Everything but the text and its facets stays as it is, the time of writing included. */
async function prepareEdit(
  session: Session,
  { target: expected, texts }: WriteRequest,
  { uri, cid, value, post }: StoredPost,
): Promise<Preparation> {
  if (expected.text === null && expected.contentVersion === null) {
    return refuse('invalid', 'Nothing is known of the text that the edit was written for.')
  }
  const isChanged =
    (expected.contentVersion !== null && expected.contentVersion !== cid) ||
    (expected.text !== null && expected.text !== post.text)
  if (isChanged) return { kind: 'changed', why: 'The owner edited the post.' }
  const text = texts[0] ?? ''
  if (text === post.text) return refuse('invalid', 'The edit would change nothing.')
  const { facets: _, ...kept } = value
  const record = { ...kept, ...(await wording(session, text)) }
  const { did, rkey } = parsePostUri(uri, 'target.remoteId')
  const base = { baseCid: cid, baseRecord: value }
  const token: EditToken = { kind: 'edit', did, rkey, record, ...base }
  return { kind: 'ready', token }
}

function refuse(
  code: FaultCode,
  detail: string,
  scope: FaultScope = 'request',
): Preparation & { readonly kind: 'refused' } {
  return { kind: 'refused', fault: { landed: 'no', code, scope, retryAt: null, detail } }
}
