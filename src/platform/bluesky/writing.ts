/**
 * Owns sending what was prepared, finding it again and taking it back. Each write is one call. Sent
 * twice, a comment or an edit is the same record under the same key, which the server takes for
 * done; a thread is refused as a whole.
 */

import { z } from 'zod'
import { AnswerError } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { FetchError } from '../fetch/fetch-error.ts'
import type { Landed, Location } from '../platform.ts'
import { postCollection, postUri, postUrl } from './at-uri.ts'
import { ChangedMeanwhile, NotSent, UnusableCredentials } from './errors.ts'
import type { JsonObject } from './json-object.ts'
import { findPost, findRecord } from './records.ts'
import type { Session } from './session.ts'
import type { EditToken, ReplyToken, Token } from './token.ts'
import { errorNameOf, procedure } from './xrpc.ts'

const collection = postCollection

export async function commit(session: Session, token: Token): Promise<Landed> {
  requireSameAccount(session, token)
  return token.kind === 'edit' ? commitEdit(session, token) : commitReply(session, token)
}

/** Credentials can be replaced by those of another account while an action waits. */
function requireSameAccount({ did }: Session, token: Token): void {
  if (did === token.did) return
  const problem = 'The credentials belong to another account than the one it was prepared for.'
  throw new NotSent(new UnusableCredentials(problem))
}

async function commitReply(session: Session, token: ReplyToken): Promise<Landed> {
  const isOut = await beforeSending(() => lookFirst(session, token))
  if (!isOut) await send(session, token)
  return landedReply(token)
}

/** Whatever fails here, no write was sent. */
async function beforeSending<Result>(look: () => Promise<Result>): Promise<Result> {
  try {
    return await look()
  } catch (error) {
    throw error instanceof NotSent ? error : new NotSent(error)
  }
}

/** The server would take a reply to a post that is gone. True where nothing is left to do. */
async function lookFirst(session: Session, token: ReplyToken): Promise<boolean> {
  const parent = await findPost(session, token.parentUri)
  if (parent === null) throw new ChangedMeanwhile('The post was deleted.')
  const [first] = token.posts
  if (first === undefined || token.posts.length === 1) return false
  // The server calls a thread that is out already an error of its own, which tells nobody anything.
  const { did } = token
  const stands = await findRecord(session, { did, collection, rkey: first.rkey })
  return stands?.cid === first.cid
}

async function send(session: Session, { did, posts }: ReplyToken): Promise<void> {
  const [only, ...more] = posts
  if (only === undefined) throw new Error('A reply has at least one post')
  if (more.length === 0) {
    const { rkey, record } = only
    await put(session, { did, rkey, record, swapRecord: null })
    return
  }
  const writes = posts.map(({ rkey, record: value }) => {
    return { $type: 'com.atproto.repo.applyWrites#create', collection, rkey, value }
  })
  const body = { repo: did, writes }
  const response = await session.call(procedure('com.atproto.repo.applyWrites', body))
  const { results } = response.parse(writesSchema)
  const uris = posts.map(({ rkey }) => postUri({ did, rkey }))
  const given = results?.map(({ uri }) => uri) ?? uris
  if (given.join(' ') !== uris.join(' ')) throw strange(response)
}

const commitSchema = z.object({ commit: z.object({ cid: z.string(), rev: z.string() }) })
/** What was deleted has no name in the results. */
const writesSchema = commitSchema.extend({
  results: z.array(z.object({ uri: z.string() })).optional(),
})

const putSchema = z.object({ uri: z.string(), cid: z.string() })

interface Put {
  readonly did: string
  readonly rkey: string
  readonly record: JsonObject
  /** The version that is replaced; null where nothing may stand there. */
  readonly swapRecord: string | null
}

/** The version that stands there now. */
async function put(session: Session, { did, rkey, record, swapRecord }: Put): Promise<string> {
  const body = { repo: did, collection, rkey, record, swapRecord }
  const response = await session.call(procedure('com.atproto.repo.putRecord', body))
  const { uri, cid } = response.parse(putSchema)
  if (uri !== postUri({ did, rkey })) throw strange(response)
  return cid
}

/** It says that it did something, and not what was asked for. */
function strange({ where }: GuardedResponse): FetchError {
  const problem = 'the answer names another record than the one that was sent'
  return new FetchError({ kind: 'malformed', sent: true, where, problem })
}

/** The version to replace is part of the call, so what the owner wrote since is never lost. */
async function commitEdit(session: Session, token: EditToken): Promise<Landed> {
  const { did, rkey, record, baseCid } = token
  const cid = await put(session, { did, rkey, record, swapRecord: baseCid }).catch(explainSwap)
  return landedEdit(token, cid)
}

function explainSwap(error: unknown): never {
  const isSwap = error instanceof AnswerError && errorNameOf(error.response) === 'InvalidSwap'
  throw isSwap ? new ChangedMeanwhile('The owner changed the post meanwhile.') : error
}

export async function locate(session: Session, token: Token): Promise<Location> {
  requireSameAccount(session, token)
  if (token.kind === 'edit') return locateEdit(session, token)
  const { did, posts } = token
  for (const { rkey } of posts) {
    // What was written at once is out at once, even if a part of it was removed since.
    const record = await findRecord(session, { did, collection, rkey })
    if (record !== null) return { kind: 'found', landed: landedReply(token) }
  }
  return { kind: 'not_found' }
}

async function locateEdit(session: Session, token: EditToken): Promise<Location> {
  const stored = await findPost(session, postUri(token))
  if (stored === null) return { kind: 'cannot_tell', why: 'The post is not there any more.' }
  if (stored.cid === token.baseCid) return { kind: 'not_found' }
  if (stored.post.text === token.record['text']) {
    return { kind: 'found', landed: landedEdit(token, stored.cid) }
  }
  return { kind: 'cannot_tell', why: 'Another text stands there; it may have replaced ours.' }
}

export async function undo(session: Session, token: Token): Promise<void> {
  requireSameAccount(session, token)
  return token.kind === 'edit' ? undoEdit(session, token) : undoReply(session, token)
}

/** Deleting what is gone is an error in one of the two calls, so only what stands is named. */
async function undoReply(session: Session, { did, posts }: ReplyToken): Promise<void> {
  const standing: string[] = []
  for (const { rkey } of posts) {
    const name = { did, collection, rkey }
    if ((await beforeSending(() => findRecord(session, name))) !== null) standing.push(rkey)
  }
  if (standing.length === 0) return
  const writes = standing.map((rkey) => {
    return { $type: 'com.atproto.repo.applyWrites#delete', collection, rkey }
  })
  const call = procedure('com.atproto.repo.applyWrites', { repo: did, writes })
  const response = await session.call(call)
  response.parse(commitSchema)
}

async function undoEdit(session: Session, token: EditToken): Promise<void> {
  const { did, rkey, baseRecord: record, baseCid } = token
  const stored = await beforeSending(() => findPost(session, postUri(token)))
  if (stored === null || stored.cid === baseCid) return
  if (stored.post.text !== token.record['text']) {
    throw new NotSent(new ChangedMeanwhile('The owner changed the post since.'))
  }
  await put(session, { did, rkey, record, swapRecord: stored.cid }).catch(explainSwap)
}

function landedReply({ did, posts }: ReplyToken): Landed {
  const names = posts.map(({ rkey }) => ({ did, rkey }))
  const [first] = names
  if (first === undefined) throw new Error('A reply has at least one post')
  return {
    remoteId: postUri(first),
    url: postUrl(first),
    remoteIds: names.map(postUri),
    postRemoteId: null,
    contentVersion: null,
  }
}

function landedEdit(token: EditToken, cid: string): Landed {
  const remoteId = postUri(token)
  const url = postUrl(token)
  return { remoteId, url, remoteIds: [remoteId], postRemoteId: null, contentVersion: cid }
}
