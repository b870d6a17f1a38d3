/**
 * A small server of the network for one account: the methods that the connector calls, with the
 * reference server's answers and errors. Sessions are Bearer tokens, or tokens bound to a key.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Json } from '../../../src/core/json.ts'
import { serve } from '../../guarded-fetch/servers.ts'
import type { LocalServer } from '../../guarded-fetch/servers.ts'
import { FakeIndex } from './fake-index.ts'
import { FakeError, FakeRepo } from './fake-repo.ts'
import type { FakeWrite } from './fake-repo.ts'

export const anna = { did: 'did:plc:anna7anna7anna7anna7anna', handle: 'anna.test' } as const
export const post = 'app.bsky.feed.post'

/** Says of a request that is signed with a key what is wrong with it, or nothing. */
export type KeyCheck = (request: IncomingMessage) => { readonly nonce: string } | FakeError

export interface Asked {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly params: URLSearchParams
  readonly body: Json
}

/** Whatever it gives is written as JSON. */
type Handler = (asked: Asked) => unknown

export class FakePds implements AsyncDisposable {
  readonly repo = new FakeRepo(anna.did)
  readonly index: FakeIndex
  /** All methods that were called, in order. */
  readonly calls: string[] = []
  /** What each kind of token may be; a test ends sessions by taking it out. */
  readonly access = new Set<string>()
  readonly refresh = new Set<string>()
  readonly expired = new Set<string>()
  readonly handles = new Map<string, string>([[anna.handle, anna.did]])
  checkKey: KeyCheck | null = null
  appPassword = 'abcd-efgh-ijkl-mnop'
  #server: LocalServer | null = null
  #sessions = 0

  constructor() {
    const replies = (uri: string) =>
      this.repo.all(post).filter(({ value }) => parentOf(value) === uri).length
    this.index = new FakeIndex({
      find: async (uri) => this.repo.find(uri),
      countReplies: async (uri) => replies(uri),
    })
  }

  static async start(): Promise<FakePds> {
    const pds = new FakePds()
    pds.#server = await serve((request, response) => void pds.#answer(request, response))
    return pds
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  get host(): string {
    return this.#server?.host ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  /** A session as after signing in. */
  openSession(secret = ''): { readonly accessJwt: string; readonly refreshJwt: string } {
    this.#sessions += 1
    const accessJwt = `access-${this.#sessions}-${secret}`
    const refreshJwt = `refresh-${this.#sessions}-${secret}`
    this.access.add(accessJwt)
    this.refresh.add(refreshJwt)
    return { accessJwt, refreshJwt }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://pds')
    const method = url.pathname.replace(/^\/xrpc\//, '')
    this.calls.push(method)
    const head: Record<string, string> = { 'content-type': 'application/json' }
    try {
      const text = Buffer.concat((await request.toArray()) as Buffer[]).toString()
      const body = text === '' ? null : (JSON.parse(text) as Json)
      const checked = this.#authorize(method, request)
      if (checked !== null) head['dpop-nonce'] = checked.nonce
      const handler = this.#handlers[method]
      if (handler === undefined) throw new FakeError(501, 'MethodNotImplemented', method)
      const { headers } = request
      const answer = await handler({ method, headers, params: url.searchParams, body })
      response.writeHead(200, head).end(JSON.stringify(answer))
    } catch (error) {
      const known =
        error instanceof FakeError ? error : new FakeError(500, 'InternalServerError', '')
      if ('nonce' in known) head['dpop-nonce'] = String(known.nonce)
      const told = JSON.stringify({ error: known.error, message: known.message })
      response.writeHead(known.status, head).end(told)
    }
  }

  /** Reading records is open to everyone, as on the real server. */
  #authorize(method: string, request: IncomingMessage): { readonly nonce: string } | null {
    const open = ['getRecord', 'listRecords', 'resolveHandle', 'createSession', 'refreshSession']
    if (open.some((name) => method.endsWith(`.${name}`))) return null
    const [kind, token] = (request.headers.authorization ?? '').split(' ')
    if (token === undefined) throw new FakeError(401, 'AuthMissing', 'Authentication Required')
    if (kind === 'DPoP') {
      const checked = this.checkKey?.(request) ?? new FakeError(400, 'InvalidToken', 'No keys')
      if (checked instanceof FakeError) throw checked
      return checked
    }
    if (this.expired.has(token)) throw new FakeError(400, 'ExpiredToken', 'Token has expired')
    if (!this.access.has(token)) throw new FakeError(400, 'InvalidToken', 'Token is not known')
    return null
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    'com.atproto.server.createSession': ({ body }) => this.#createSession(body),
    'com.atproto.server.refreshSession': ({ headers }) => this.#refreshSession(headers),
    'com.atproto.server.getSession': () => ({ ...anna, active: true }),
    'com.atproto.identity.resolveHandle': ({ params }) => {
      const did = this.handles.get(params.get('handle') ?? '')
      if (did !== undefined) return { did }
      throw new FakeError(400, 'InvalidRequest', 'Unable to resolve handle')
    },
    'com.atproto.repo.getRecord': ({ params }) => {
      const record = this.repo.get(params.get('collection') ?? '', params.get('rkey') ?? '')
      if (record !== null) return record
      throw new FakeError(400, 'RecordNotFound', 'Could not locate record')
    },
    'com.atproto.repo.listRecords': ({ params }) => {
      const limit = Number(params.get('limit') ?? '50')
      const collection = params.get('collection') ?? ''
      const records = this.repo.list(collection, params.get('cursor'), limit)
      const last = records.at(-1)?.uri.split('/').at(-1)
      return { records, cursor: last }
    },
    'com.atproto.repo.putRecord': ({ body }) => {
      const { collection, rkey, record, swapRecord } = putSchema.parse(body)
      const cid = this.repo.put(collection, rkey, record as Record<string, Json>, swapRecord)
      return { uri: `at://${anna.did}/${collection}/${rkey}`, cid, validationStatus: 'valid' }
    },
    'com.atproto.repo.applyWrites': ({ body }) => {
      const writes = writesSchema.parse(body).writes.map(toWrite)
      this.repo.apply(writes)
      const results = writes.map(({ kind, collection, rkey }) => {
        const $type = `com.atproto.repo.applyWrites#${kind}Result`
        const uri = `at://${anna.did}/${collection}/${rkey}`
        return kind === 'delete' ? { $type } : { $type, uri, validationStatus: 'valid' }
      })
      return { commit: { cid: 'bafycommit', rev: '3krev' }, results }
    },
    'app.bsky.feed.getPosts': ({ params }) => this.index.getPosts(params.getAll('uris')),
  }

  #createSession(body: Json): Json {
    const { identifier, password } = signInSchema.parse(body)
    if (identifier !== anna.handle || password !== this.appPassword) {
      throw new FakeError(401, 'AuthenticationRequired', 'Invalid identifier or password')
    }
    const service = { type: 'AtprotoPersonalDataServer', serviceEndpoint: this.url }
    const didDoc = { id: anna.did, service: [{ id: '#atproto_pds', ...service }] }
    return { ...anna, ...this.openSession(), didDoc, active: true }
  }

  #refreshSession({ authorization = '' }: IncomingHttpHeaders): Json {
    const token = authorization.replace(/^Bearer /, '')
    if (!this.refresh.delete(token)) {
      throw new FakeError(400, 'ExpiredToken', 'Token has been revoked')
    }
    return { ...anna, ...this.openSession() }
  }
}

const record = z.record(z.string(), z.unknown())
const putSchema = z.object({
  repo: z.literal(anna.did),
  collection: z.string(),
  rkey: z.string(),
  record,
  swapRecord: z.string().nullable().optional(),
})
const writesSchema = z.object({
  repo: z.literal(anna.did),
  writes: z.array(
    z.object({
      $type: z.enum([
        'com.atproto.repo.applyWrites#create',
        'com.atproto.repo.applyWrites#update',
        'com.atproto.repo.applyWrites#delete',
      ]),
      collection: z.string(),
      rkey: z.string(),
      value: record.optional(),
    }),
  ),
})
const signInSchema = z.object({ identifier: z.string(), password: z.string() })

function toWrite(write: z.infer<typeof writesSchema>['writes'][number]): FakeWrite {
  const { collection, rkey, value } = write
  const kind = write.$type.split('#')[1] as FakeWrite['kind']
  return { kind, collection, rkey, value: (value as FakeWrite['value'] | undefined) ?? null }
}

/** The post that a record hangs below. */
export function parentOf(value: Readonly<Record<string, Json>>): string | null {
  const parsed = replySchema.safeParse(value)
  return parsed.success ? parsed.data.reply.parent.uri : null
}
const replySchema = z.object({ reply: z.object({ parent: z.object({ uri: z.string() }) }) })
