/**
 * The connector to a simulated network, over whatever wire leads to it. It knows of the network
 * only what its answers say, like any other connector, and never sees the truth behind them.
 */

import type { Action } from '../../core/action.ts'
import type { ActionKey } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type {
  CallOptions,
  CommitRequest,
  Connection,
  Description,
  Landed,
  Location,
  Observation,
  Platform,
  Preparation,
  Probed,
  RemotePost,
  WriteRequest,
} from '../platform.ts'
import type { Json } from '../../core/json.ts'
import { classifyError } from './classify.ts'
import { checkRequest, prepareEdit, prepareReply } from './preparing.ts'
import type { Standing } from './preparing.ts'
import type { Profile } from './profile.ts'
import type { AnswerData, AuditLabel, CallKind, CallOf, CountersItem, Wire } from './protocol.ts'
import { parseToken } from './token.ts'
import type { EditToken, ReplyToken } from './token.ts'
import { ChangedMeanwhile, NotSent, RefusedCall } from './wire-error.ts'

export class SimulatedPlatform implements Platform {
  readonly name: string
  readonly #profile: Profile
  readonly #wire: Wire

  constructor(profile: Profile, wire: Wire) {
    this.name = profile.description.platform
    this.#profile = profile
    this.#wire = wire
  }

  describe(_connection: Connection): Description {
    return this.#profile.description
  }

  async probe(options: CallOptions): Promise<Probed> {
    const { at } = await this.#ask(options, { kind: 'counters', ids: [] })
    return { handle: options.connection.handle, profile: { probedAt: at } }
  }

  async discover(
    options: CallOptions & { readonly since: Instant },
  ): Promise<readonly RemotePost[]> {
    const { data } = await this.#ask(options, { kind: 'timeline', since: options.since })
    return data.map(({ id, url, text, version, at }) => ({
      remoteId: id,
      url,
      text,
      contentVersion: version,
      publishedAt: at,
    }))
  }

  async observe(
    options: CallOptions & { readonly remoteIds: readonly string[] },
  ): Promise<readonly Observation[]> {
    const { at, data } = await this.#ask(options, { kind: 'counters', ids: options.remoteIds })
    const observations: Observation[] = []
    for (const item of data) observations.push(toObservation(item, at))
    return observations
  }

  async prepare(options: CallOptions & { readonly request: WriteRequest }): Promise<Preparation> {
    const { request } = options
    const problem = checkRequest(this.#profile, request)
    if (problem !== null) return problem
    const id = request.target.remoteId
    const standing = this.#profile.readsBack ? await this.#stand(options, id) : null
    if (request.action !== 'edit') return prepareReply(this.#profile, request, standing)
    if (standing === null) throw new Error('A network without reading cannot offer edits')
    return prepareEdit(this.#profile, request, standing)
  }

  async commit(request: CommitRequest): Promise<Landed> {
    const token = parseToken(request.token)
    return token.kind === 'edit'
      ? this.#commitEdit(request, token)
      : this.#commitReply(request, token)
  }

  async #commitReply(request: CommitRequest, token: ReplyToken): Promise<Landed> {
    const { action, segment, parentId, texts, audience, createdAt } = token
    const { recordKeys, idempotencyKey } = token
    const audit = label(request.key, action, segment)
    const content = { parentId, texts, audience, createdAt }
    const keys = { recordKeys, idempotencyKey }
    const { data } = await this.#ask(request, { kind: 'create', ...content, ...keys, audit })
    return landedReplies(data.ids, data.url)
  }

  async #commitEdit(request: CommitRequest, token: EditToken): Promise<Landed> {
    const { id, text, extras, baseVersion } = token
    try {
      const { post } = await this.#stand(request, id)
      if (post.state !== 'live') throw new ChangedMeanwhile('The post is not there any more.')
      if (post.version !== baseVersion && post.text !== text) {
        throw new ChangedMeanwhile('The owner changed the post meanwhile.')
      }
      // A resend that finds its own work has nothing left to do.
      if (post.text === text) return landedEdit(id, post.currentId, post.url, post.version)
    } catch (error) {
      throw new NotSent(error)
    }
    const audit = label(request.key, 'edit', 0)
    const change = { id, text, extras, ifVersion: baseVersion }
    const { data } = await this.#ask(request, { kind: 'edit', ...change, audit })
    return landedEdit(id, data.id, data.url, data.version)
  }

  async locate(request: CommitRequest): Promise<Location> {
    const token = parseToken(request.token)
    if (!this.#profile.readsBack) {
      return { kind: 'cannot_tell', why: 'The network does not let anything be read back.' }
    }
    if (token.kind === 'edit') return this.#locateEdit(request, token)
    return token.recordKeys === null
      ? this.#locateByText(request, token)
      : this.#locateByKey(request, token.recordKeys)
  }

  async #locateByKey(request: CommitRequest, keys: readonly string[]): Promise<Location> {
    const { data } = await this.#ask(request, { kind: 'records', keys })
    const [first] = data
    if (first === undefined) return { kind: 'not_found' }
    // What is written at once has landed at once, even if some of it was removed since.
    const ids = keys.map((key) => `${request.connection.handle}/${key}`)
    return { kind: 'found', landed: landedReplies(ids, first.url) }
  }

  async #locateByText(request: CommitRequest, token: ReplyToken): Promise<Location> {
    const { parentId, notBefore: since } = token
    const { data } = await this.#ask(request, { kind: 'replies', parentId, since })
    const found = data.find(({ text }) => normalise(text) === normalise(token.texts[0] as string))
    if (found === undefined) return { kind: 'not_found' }
    return { kind: 'found', landed: landedReplies([found.id], found.url) }
  }

  async #locateEdit(request: CommitRequest, token: EditToken): Promise<Location> {
    const { post } = await this.#stand(request, token.id)
    if (post.state !== 'live')
      return { kind: 'cannot_tell', why: 'The post is not there any more.' }
    if (post.version === token.baseVersion) return { kind: 'not_found' }
    if (post.text !== token.text) {
      return { kind: 'cannot_tell', why: 'Another text stands there; it may have replaced ours.' }
    }
    const landed = landedEdit(token.id, post.currentId, post.url, post.version)
    return { kind: 'found', landed }
  }

  async undo(
    options: CallOptions & { readonly token: Json; readonly landed: Landed },
  ): Promise<void> {
    const token = parseToken(options.token)
    if (token.kind === 'edit') {
      await this.#undoEdit(options, token)
      return
    }
    // From the end, so that nothing hangs on a post that is gone.
    for (const id of options.landed.remoteIds.toReversed()) {
      await this.#ask(options, { kind: 'remove', id })
    }
  }

  async #undoEdit(options: CallOptions, token: EditToken): Promise<void> {
    const { id, baseText: text, extras } = token
    const { post } = await this.#stand(options, id)
    if (post.state !== 'live' || post.text === text) return
    if (post.text !== token.text) throw new ChangedMeanwhile('The owner changed the post since.')
    const change = { id, text, extras, ifVersion: post.version }
    await this.#ask(options, { kind: 'edit', ...change, audit: null })
  }

  classify(error: unknown, call: 'read' | 'write', now: Instant) {
    return classifyError(error, call, now)
  }

  async #stand(options: CallOptions, id: string): Promise<Standing> {
    const { at, data } = await this.#ask(options, { kind: 'post', id })
    return { at, post: data }
  }

  async #ask<Kind extends CallKind>(
    { connection, signal }: CallOptions,
    call: CallOf<Kind>,
  ): Promise<{ readonly at: Instant; readonly data: AnswerData[Kind] }> {
    const bearer = connection.credentials?.reveal() ?? null
    const caller = { handle: connection.handle, bearer }
    const answer = await this.#wire.send(call, caller, signal)
    if (answer.kind === 'done') return answer
    throw new RefusedCall(answer.status, answer.code, answer.retryAfterMs)
  }
}

function toObservation(item: CountersItem, at: Instant): Observation {
  if (item.state !== 'live') return { kind: item.state, remoteId: item.id }
  const { impressions, engagements, interactions } = item
  return {
    kind: 'live',
    remoteId: item.id,
    sample: { at, impressions, engagements, interactions },
    text: item.text,
    contentVersion: item.version,
    ownReplies: item.ownReplies,
  }
}

function label(key: ActionKey, action: Action, segment: number): AuditLabel {
  return { key, action, segment }
}

function landedReplies(ids: readonly string[], url: string): Landed {
  const remoteId = ids[0] as string
  return { remoteId, url, remoteIds: ids, postRemoteId: null, contentVersion: null }
}

function landedEdit(before: string, now: string, url: string, version: string | null): Landed {
  const postRemoteId = now === before ? null : now
  return { remoteId: now, url, remoteIds: [now], postRemoteId, contentVersion: version }
}

/** Networks change spaces and composed characters; what reads the same is the same. */
function normalise(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
