/**
 * A small server that speaks Mastodon's API as far as the connector uses it, in the manner of
 * several programs. It forgets whatever an edit does not send along, as Mastodon does.
 */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../../src/core/json.ts'
import { FakeStatuses } from './fake-statuses.ts'
import type { FakeStatus, StatusInput } from './fake-statuses.ts'

/** What a server says of itself. */
export interface Manner {
  readonly name: string
  readonly version: string
  /** Of the API, as `/api/v?/instance` gives it. */
  readonly apiVersion: string
  readonly hasSecondInstance: boolean
  readonly hasNodeInfo: boolean
  readonly canReadMany: boolean
  readonly hasQuotes: boolean
  readonly pagesTurn: boolean
  /** Messages to someone stand in the list of one's own posts. */
  readonly listsMessages: boolean
  /** An edit that changes nothing is refused. */
  readonly refusesSameText: boolean
  readonly features: readonly string[] | null
}

const mastodon: Manner = {
  name: 'mastodon',
  version: '4.5.0',
  apiVersion: '4.5.0',
  hasSecondInstance: true,
  hasNodeInfo: true,
  canReadMany: true,
  hasQuotes: true,
  pagesTurn: true,
  listsMessages: true,
  refusesSameText: false,
  features: null,
}

export const manners = {
  mastodon,
  oldMastodon: {
    ...mastodon,
    version: '3.4.1',
    apiVersion: '3.4.1',
    hasSecondInstance: false,
    canReadMany: false,
    hasQuotes: false,
  },
  gotosocial: {
    ...mastodon,
    name: 'gotosocial',
    version: '0.20.0+git-1234567',
    canReadMany: false,
    hasQuotes: false,
    refusesSameText: true,
  },
  pleroma: {
    ...mastodon,
    name: 'pleroma',
    version: '2.9.1',
    apiVersion: '2.7.2 (compatible; Pleroma 2.9.1)',
    hasSecondInstance: false,
    hasNodeInfo: false,
    canReadMany: false,
    hasQuotes: false,
    features: ['pleroma_api', 'editing'],
  },
} as const satisfies Readonly<Record<string, Manner>>

export interface FakeServerOptions {
  readonly manner: Manner
  readonly now: () => number
  readonly token: string
  readonly maximumCharacters?: number
}

interface Answer {
  readonly status: number
  readonly body: Json
  readonly headers?: Readonly<Record<string, string>>
}

export const accountId = '1001'
export const clientSecret = 'canary-client-secret'

export class FakeServer implements AsyncDisposable {
  readonly url: string
  readonly statuses: FakeStatuses
  /** Of every request, the method, the path and what it asked for. */
  readonly requests: string[] = []
  /** Tokens that work, and what a refresh gives. */
  readonly tokens: Set<string>
  tokenAnswer: (form: URLSearchParams) => Answer = () => ({ status: 500, body: null })
  readonly #options: FakeServerOptions
  readonly #server: Server

  private constructor(options: FakeServerOptions, server: Server) {
    this.#options = options
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.tokens = new Set([options.token])
    const { now, manner, maximumCharacters = 500 } = options
    const { hasQuotes, listsMessages } = manner
    this.statuses = new FakeStatuses({ now, maximumCharacters, hasQuotes, listsMessages })
    server.on('request', (message, response) => void this.#serve(message, response))
  }

  static async start(options: FakeServerOptions): Promise<FakeServer> {
    const server = createServer({ keepAlive: false })
    server.on('connection', (socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new FakeServer(options, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers = {} } = await this.#answer(message)
    const date = new Date(this.#options.now()).toUTCString()
    response.writeHead(status, { 'content-type': 'application/json', date, ...headers })
    response.end(JSON.stringify(body))
  }

  async #answer(message: IncomingMessage): Promise<Answer> {
    const body = Buffer.concat((await message.toArray()) as Buffer[]).toString()
    const url = new URL(message.url ?? '/', this.url)
    const { method = 'GET', headers } = message
    this.requests.push(`${method} ${url.pathname}${url.search}`)
    const isOpen = this.#openAnswer(method, url, body)
    if (isOpen !== null) return isOpen
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!this.tokens.has(bearer)) return { status: 401, body: { error: 'The token is invalid' } }
    if (method === 'GET') return this.#read(url)
    return this.#write(method, url, JSON.parse(body === '' ? '{}' : body) as StatusInput)
  }

  /** What needs no token. */
  #openAnswer(method: string, { pathname }: URL, body: string): Answer | null {
    const { manner, maximumCharacters = 500 } = this.#options
    const limits = { max_characters: maximumCharacters, characters_reserved_per_url: 23 }
    const about = { version: manner.apiVersion, configuration: { statuses: limits } }
    const pleroma = { metadata: { features: manner.features ?? [] } }
    switch (`${method} ${pathname}`) {
      case 'GET /api/v2/instance':
        if (!manner.hasSecondInstance) return notFound
        return { status: 200, body: { ...about, domain: 'social.example' } }
      case 'GET /api/v1/instance':
        return {
          status: 200,
          body: { ...about, uri: 'https://social.example', ...(manner.features && { pleroma }) },
        }
      case 'GET /.well-known/nodeinfo': {
        if (!manner.hasNodeInfo) return notFound
        const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
        const links = [{ rel, href: 'https://elsewhere.example/nodeinfo/2.0' }]
        return { status: 200, body: { links } }
      }
      case 'GET /nodeinfo/2.0':
        return { status: 200, body: { software: { name: manner.name, version: manner.version } } }
      case 'POST /api/v1/apps':
        return { status: 200, body: { client_id: 'client-1', client_secret: clientSecret } }
      case 'POST /oauth/token':
        return this.tokenAnswer(new URLSearchParams(body))
      default:
        return null
    }
  }

  #read({ pathname, searchParams }: URL): Answer {
    if (pathname === '/api/v1/accounts/verify_credentials') {
      return { status: 200, body: { id: accountId, acct: 'anna' } }
    }
    if (pathname === `/api/v1/accounts/${accountId}/statuses`) {
      if (!this.#options.manner.pagesTurn) {
        return { status: 200, body: this.statuses.listOwn(new URLSearchParams()).page }
      }
      const { page, isMore } = this.statuses.listOwn(searchParams)
      const next = isMore ? `, <${this.url}?max_id=1>; rel="next"` : ''
      const link = `<${this.url}?min_id=1>; rel="prev"${next}`
      return { status: 200, body: page, headers: { link } }
    }
    if (pathname === '/api/v1/statuses' && this.#options.manner.canReadMany) {
      const ids = searchParams.getAll('id[]')
      if (ids.length > 20) return { status: 422, body: { error: 'Too many ids' } }
      const found = ids.map((id) => this.statuses.find(id))
      const live = found.filter((status) => status !== null)
      return { status: 200, body: live.map((status) => this.statuses.toJson(status)) }
    }
    const [, id = '', part = ''] = /^\/api\/v1\/statuses\/([^/]+)\/?(.*)$/.exec(pathname) ?? []
    const status = this.statuses.find(decodeURIComponent(id))
    if (status === null) return notFound
    return { status: 200, body: this.#readPart(status, part) }
  }

  #readPart(status: FakeStatus, part: string): Json {
    if (part === 'source') {
      return { id: status.id, text: status.text, spoiler_text: status.spoilerText }
    }
    if (part === 'context') {
      const below = this.statuses.below(status.id)
      return { ancestors: [], descendants: below.map((each) => this.statuses.toJson(each)) }
    }
    return this.statuses.toJson(status)
  }

  #write(method: string, { pathname }: URL, input: StatusInput): Answer {
    if (method === 'POST' && pathname === '/api/v1/statuses') return this.#post(input)
    const id = /^\/api\/v1\/statuses\/([^/]+)$/.exec(pathname)?.[1] ?? ''
    const status = this.statuses.find(decodeURIComponent(id))
    if (status === null) return notFound
    const shown = this.statuses.toJson(status)
    if (method === 'DELETE') {
      this.statuses.remove(status.id)
      return { status: 200, body: shown }
    }
    const problem = this.statuses.problemOf(input)
    if (problem !== null) return { status: 422, body: { error: problem } }
    if (this.#options.manner.refusesSameText && input.status === status.text) {
      return { status: 422, body: { error: 'Unprocessable Entity: status was not changed' } }
    }
    return { status: 200, body: this.statuses.toJson(this.statuses.edit(status, input)) }
  }

  #post(input: StatusInput): Answer {
    const problem = this.statuses.problemOf(input)
    if (problem !== null) return { status: 422, body: { error: problem } }
    const { in_reply_to_id: parentId = null } = input
    if (parentId !== null && this.statuses.find(parentId) === null) return notFound
    return { status: 200, body: this.statuses.toJson(this.statuses.add(input)) }
  }
}

const notFound: Answer = { status: 404, body: { error: 'Record not found' } }
