/**
 * A connector for Noticeboard, a made-up network on which people pin notices: all that its author
 * has to write. It reads, prepares, makes one irreversible call, and can say whether that landed.
 * It decides nothing, retries nothing and remembers nothing. See docs/connectors.md.
 */

import { createHash } from 'node:crypto'
import type { Fault, FaultCode, Json } from 'secondwind'
import type {
  CallOptions,
  Description,
  GuardedFetch,
  Landed,
  Platform,
  WriteRequest,
} from 'secondwind/platform'
import { z } from 'zod'

export const description: Description = {
  platform: 'noticeboard',
  actions: {
    // A notice is pinned under an id that we choose, and pinning it again changes nothing: class A.
    comment: { supported: true, writeClass: 'A', withinMs: null },
    edit: { supported: false, why: 'a notice that hangs cannot be changed' },
    thread: { supported: true, writeClass: 'A', withinMs: null },
  },
  length: { maximum: 400, measure: (text) => Array.from(text).length },
  threadMaximum: 5,
  threadIsAtomic: false,
  counters: ['likes', 'replies'],
  hasImpressions: true,
  counterLagMs: 0,
  visibleWithinMs: 0,
  deduplicatesForMs: null,
  observeBatch: 20,
  rates: [{ name: 'pins', windowMs: 60_000, maximum: 30 }],
  canUndo: { comment: true, edit: false, thread: true },
}

/** What comes from the network is parsed once, here. */
const reply = z.object({ id: z.string(), at: z.number(), by: z.string() })
const notice = reply.extend({
  text: z.string(),
  parent: z.string().nullable(),
  views: z.number(),
  likes: z.number(),
  replies: z.array(reply),
})
const noticeList = z.object({ now: z.number(), notices: z.array(notice) })
/** What is fixed before anything is sent; the ledger keeps it and hands it back unchanged. */
const pin = z.object({ id: z.string(), text: z.string(), parent: z.string() })

/** The network said no, or something that makes no sense. */
class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number
  readonly retryAfterSeconds: number | null

  constructor(status: number, retryAfterSeconds: number | null) {
    super(`Noticeboard answered ${status}`)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function connectNoticeboard(url: string, fetch: GuardedFetch): Platform {
  const board = new BoardClient(url, fetch)
  return {
    name: description.platform,
    describe: () => description,
    ...readingOf(board),
    ...writingOf(board),
    classify,
  }
}

interface BoardCall {
  readonly method?: 'PUT' | 'DELETE'
  readonly body?: object
}

/** One request a call: it never retries. */
class BoardClient {
  readonly #url: string
  readonly #fetch: GuardedFetch

  constructor(url: string, fetch: GuardedFetch) {
    this.#url = url
    this.#fetch = fetch
  }

  async call({ connection, signal }: CallOptions, path: string, given: BoardCall = {}) {
    const { method = 'GET', body } = given
    const authorization = `Bearer ${connection.credentials?.reveal() ?? ''}`
    const answer = await this.#fetch(new URL(path, this.#url), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    })
    if (answer.ok) return answer
    const after = Number(answer.header('retry-after') ?? Number.NaN)
    throw new AnswerError(answer.status, Number.isFinite(after) ? after : null)
  }

  async read(options: CallOptions, ids: readonly string[]) {
    const path = `/notices?ids=${ids.map(encodeURIComponent).join(',')}`
    return (await this.call(options, path)).parse(noticeList)
  }
}

function readingOf(board: BoardClient): Pick<Platform, 'probe' | 'discover' | 'observe'> {
  return {
    probe: async (options) => {
      const { handle } = (await board.call(options, '/me')).parse(z.object({ handle: z.string() }))
      return { handle, profile: null }
    },

    discover: async ({ since, ...options }) => {
      const answer = await board.call(options, `/notices?since=${since}`)
      const posts = answer.parse(noticeList).notices.filter(({ parent }) => parent === null)
      return posts
        .sort((a, b) => b.at - a.at)
        .map(({ id, text, at }) => ({
          remoteId: id,
          url: urlOf(id),
          text,
          contentVersion: null,
          publishedAt: at,
        }))
    },

    observe: async ({ remoteIds, ...options }) => {
      const { now, notices } = await board.read(options, remoteIds)
      return remoteIds.map((remoteId) => {
        const seen = notices.find(({ id }) => id === remoteId)
        if (seen === undefined) return { kind: 'deleted', remoteId }
        const { text, views, likes, replies, by } = seen
        const interactions = { likes, replies: replies.length }
        const engagements = likes + replies.length
        const own = replies.filter((each) => each.by === by)
        return {
          kind: 'live',
          remoteId,
          sample: { at: now, impressions: views, engagements, interactions },
          text,
          contentVersion: null,
          ownReplies: own.map(({ id, at }) => ({ remoteId: id, at })),
        }
      })
    },
  }
}

type Writing = Pick<Platform, 'prepare' | 'commit' | 'locate' | 'undo'>

function writingOf(board: BoardClient): Writing {
  return {
    prepare: async ({ request, ...options }) => {
      const refusal = findRefusal(request)
      if (refusal !== null) return { kind: 'refused', fault: refusal }
      const [text = ''] = request.texts
      const parent = request.previous.at(-1)?.remoteId ?? request.target.remoteId
      const { notices } = await board.read(options, [parent])
      if (notices.length === 0) return { kind: 'changed', why: 'the notice was taken down' }
      // Made from the key, so that the same action always has the same id.
      const id = createHash('sha256').update(`${request.key}:${request.segment}`).digest('hex')
      return { kind: 'ready', token: { id, text, parent } }
    },

    commit: async ({ token, ...options }) => {
      const { id, ...body } = pin.parse(token)
      const answer = await board.call(options, `/notices/${id}`, { method: 'PUT', body })
      return landedAs(answer.parse(z.object({ id: z.string() })).id)
    },

    locate: async ({ token, ...options }) => {
      const { id } = pin.parse(token)
      const { notices } = await board.read(options, [id])
      return notices.length === 0 ? { kind: 'not_found' } : { kind: 'found', landed: landedAs(id) }
    },

    undo: async ({ landed, ...options }) => {
      for (const id of landed.remoteIds) {
        await board.call(options, `/notices/${encodeURIComponent(id)}`, { method: 'DELETE' })
      }
    },
  }
}

function urlOf(id: string): string {
  return `https://noticeboard.example/${id}`
}

function landedAs(id: string): Landed {
  const ids = { remoteId: id, remoteIds: [id], url: urlOf(id) }
  return { ...ids, postRemoteId: null, contentVersion: null }
}

/** The network's rules, so that what cannot go is refused before it is tried. */
function findRefusal({ action, texts, segment }: WriteRequest): Fault | null {
  const { actions, length, threadMaximum } = description
  const ability = actions[action]
  const [text = ''] = texts
  if (!ability.supported) return refused('unsupported', ability.why)
  if (text.trim() === '') return refused('invalid', 'a notice needs some text')
  if (length.measure(text) > length.maximum) {
    return refused('invalid', `a notice has at most ${length.maximum} characters`)
  }
  if (segment >= threadMaximum) {
    return refused('invalid', `a thread has at most ${threadMaximum} notices`)
  }
  return null
}

function refused(code: FaultCode, detail: string): Fault {
  return { landed: 'no', code, scope: 'request', retryAt: null, detail }
}

const codes: Readonly<Record<number, FaultCode>> = {
  400: 'invalid',
  401: 'credentials',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limit',
}

/**
 * The one question that matters: may the write have been applied? Only a plain refusal, or a
 * request that never left, says no. Whatever is not known is in doubt.
 */
function classify(error: unknown, call: 'read' | 'write', now: number): Fault {
  const doubt = call === 'write' ? 'unknown' : 'no'
  if (error instanceof AnswerError) {
    const { status, retryAfterSeconds } = error
    const code = codes[status]
    return {
      landed: code === undefined ? doubt : 'no',
      code: code ?? 'service_unavailable',
      scope: code === 'credentials' || code === 'rate_limit' ? 'account' : 'request',
      retryAt: retryAfterSeconds === null ? null : now + retryAfterSeconds * 1000,
      detail: error.message,
    }
  }
  const { name, kind, sent } = factsOf(error)
  const isStopped = ['AbortError', 'TimeoutError'].includes(name) || isOneOf(kind, stopped)
  return {
    landed: sent === false ? 'no' : doubt,
    code: isStopped ? 'timeout' : isOneOf(kind, broken) ? 'network_error' : 'bad_answer',
    scope: 'request',
    retryAt: null,
    // Words of our own: those of an error may repeat a secret.
    detail: `the call to Noticeboard failed${kind === null ? '' : ` (${kind})`}`,
  }
}

const stopped = ['aborted', 'timeout']
const broken = ['dns', 'connect', 'tls', 'reset']

function isOneOf(kind: Json, kinds: readonly string[]): boolean {
  return typeof kind === 'string' && kinds.includes(kind)
}

/** The guarded fetch says of each failure of its own what it was, and whether anything was sent. */
function factsOf(error: unknown) {
  const nothing = { name: '', kind: null, sent: null }
  if (!(error instanceof Error)) return nothing
  const facts = z.object({ kind: z.string(), sent: z.boolean() }).safeParse(error)
  const isOurs = error.name === 'FetchError' && facts.success
  return { ...nothing, name: error.name, ...(isOurs ? facts.data : {}) }
}
