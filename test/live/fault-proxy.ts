/**
 * Owns an HTTP proxy on 127.0.0.1 in front of a real server. It can do to a request what networks
 * do: refuse it, swallow it, carry it out and lose the answer. It can also treat Idempotency-Key in
 * the ways that servers are known to, in front of a server that ignores it.
 */

import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ProxiedRequest, ServerAnswer } from './fault-proxy/exchange.ts'
import { RepeatedWrites } from './fault-proxy/repeated-writes.ts'
import type { KeyBehaviour } from './fault-proxy/repeated-writes.ts'

export { isWrite } from './fault-proxy/exchange.ts'
export type { ProxiedRequest } from './fault-proxy/exchange.ts'
export type { KeyBehaviour } from './fault-proxy/repeated-writes.ts'

export const proxyFaults = [
  /** The connection breaks; the server never sees the request. */
  'refuse',
  /** No answer ever comes; the server never sees the request. */
  'stall',
  /** A server error; the server never sees the request. */
  'error_before',
  /** Too many requests, with a time to come back; the server never sees the request. */
  'rate_limited',
  /** The server carries it out; then the connection breaks. */
  'commit_then_drop',
  /** The server carries it out; no answer ever comes. */
  'commit_then_stall',
  /** The server carries it out; a page with an error comes from something in between. */
  'commit_then_5xx',
  /** The server carries it out; the answer makes no sense. */
  'commit_then_malformed',
  /** The connection breaks; the server gets the request when `release` is called. */
  'apply_late',
] as const
export type ProxyFault = (typeof proxyFaults)[number]

/** An answer that a server would give, without asking it. */
export interface GivenAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface FaultRule {
  readonly fault: ProxyFault | GivenAnswer
  /** Every request where it is left out. */
  readonly matches?: (request: ProxiedRequest) => boolean
  /** Which of the requests that match, from 1. */
  readonly nth?: number
}

export interface ArmedFault {
  /** Resolves when the request has met the fault, and the server has done its part of it. */
  readonly met: Promise<void>
  readonly isMet: boolean
  /** What met it. */
  readonly request: ProxiedRequest | null
  /** Hands an `apply_late` request on to the server. */
  release(): Promise<void>
  disarm(): void
}

export interface FaultProxyOptions {
  /** Like http://127.0.0.1:2583. */
  readonly target: string
  /** What becomes of a POST with an Idempotency-Key that was there before. Ignored by default. */
  readonly keys?: KeyBehaviour
  /** Where the target must see its own name and not the proxy's; it does by default. */
  readonly host?: 'target' | 'proxy'
  readonly now?: () => number
}

export class FaultProxy implements AsyncDisposable {
  readonly url: string
  /** All that came, in order, whether or not it was handed on. */
  readonly requests: ProxiedRequest[] = []
  readonly #options: FaultProxyOptions
  readonly #repeats: RepeatedWrites
  readonly #sockets = new Set<Socket>()
  #server: Server
  #rules: Rule[] = []

  private constructor(options: FaultProxyOptions, server: Server) {
    this.#options = options
    this.#server = server
    this.#repeats = new RepeatedWrites(options.keys ?? 'ignored', options.now ?? Date.now)
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.#serve(server)
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    return new FaultProxy(options, await listen(0))
  }

  /** The next request that fits meets this; one rule at a time applies to one request. */
  arm({ fault, matches = () => true, nth = 1 }: FaultRule): ArmedFault {
    const rule = new Rule(fault, matches, nth, (request) => this.#ask(request))
    this.#rules.push(rule)
    return Object.assign(rule, {
      disarm: () => void (this.#rules = this.#rules.filter((each) => each !== rule)),
    })
  }

  /** From now on nobody listens, as when a machine is down. */
  async goAway(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async comeBack(): Promise<void> {
    if (this.#server.listening) return
    this.#server = await listen(Number(new URL(this.url).port))
    this.#serve(this.#server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.goAway()
  }

  #serve(server: Server): void {
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    })
    server.on('request', (message, response) => {
      // Whoever gave up has closed the connection; nobody is left to tell.
      void this.#handle(message, response).catch(() => message.socket.destroy())
    })
  }

  async #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: ProxiedRequest = {
      method: message.method ?? 'GET',
      path: message.url ?? '/',
      headers: message.headers,
      body: await readAll(message),
    }
    this.requests.push(request)
    const rule = this.#rules.find((each) => each.takes(request))
    if (rule === undefined) return reply(response, await this.#ask(request))
    await rule.meet(request, response)
  }

  #ask(request: ProxiedRequest): Promise<ServerAnswer> {
    return this.#repeats.through(request, () => this.#forward(request))
  }

  async #forward({ method, path, headers, body }: ProxiedRequest): Promise<ServerAnswer> {
    const target = new URL(this.#options.target)
    const host = this.#options.host === 'proxy' ? headers.host : target.host
    const { connection: _, 'transfer-encoding': __, ...kept } = headers
    const length = body.length > 0 ? { 'content-length': body.length } : {}
    const { hostname, port } = target
    const asked = { ...kept, host, ...length }
    const outgoing = httpRequest({ hostname, port, method, path, agent: false, headers: asked })
    outgoing.end(body)
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode: status = 502 } = message
    return { status, headers: message.headers, body: await readAll(message) }
  }
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await message.toArray()) as Buffer[])
}

/** One fault that waits for its request. */
class Rule implements Omit<ArmedFault, 'disarm'> {
  readonly met: Promise<void>
  isMet = false
  request: ProxiedRequest | null = null
  readonly #fault: ProxyFault | GivenAnswer
  readonly #matches: (request: ProxiedRequest) => boolean
  readonly #ask: (request: ProxiedRequest) => Promise<ServerAnswer>
  readonly #tell: () => void
  #left: number

  constructor(
    fault: ProxyFault | GivenAnswer,
    matches: (request: ProxiedRequest) => boolean,
    nth: number,
    ask: (request: ProxiedRequest) => Promise<ServerAnswer>,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.met = promise
    this.#tell = resolve
    this.#fault = fault
    this.#matches = matches
    this.#left = nth
    this.#ask = ask
  }

  takes(request: ProxiedRequest): boolean {
    if (this.#left === 0 || !this.#matches(request)) return false
    this.#left -= 1
    return this.#left === 0
  }

  async meet(request: ProxiedRequest, response: ServerResponse): Promise<void> {
    this.request = request
    const fault = this.#fault
    if (typeof fault === 'string' && fault.startsWith('commit_')) await this.#ask(request)
    this.isMet = true
    this.#tell()
    if (typeof fault !== 'string') return answer(response, fault)
    switch (fault) {
      case 'refuse':
      case 'apply_late':
      case 'commit_then_drop':
        response.socket?.resetAndDestroy()
        return
      case 'stall':
      case 'commit_then_stall':
        return
      case 'error_before':
        return answer(response, { status: 503, body: '{"error":"try later"}' })
      case 'rate_limited':
        return answer(response, { status: 429, headers: { 'retry-after': '30' }, body: '{}' })
      case 'commit_then_5xx':
        return answer(response, { status: 502, headers: html, body: '<html>Bad gateway</html>' })
      case 'commit_then_malformed':
        return answer(response, { status: 200, body: '{"id":' })
    }
  }

  async release(): Promise<void> {
    if (this.request !== null) await this.#ask(this.request)
  }
}

const html = { 'content-type': 'text/html' }

function answer(response: ServerResponse, { status, headers = {}, body = '' }: GivenAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

/** How a message is framed is between two neighbours; the rest is handed on. */
function reply(response: ServerResponse, { status, headers, body }: ServerAnswer): void {
  const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...kept } = headers
  response.writeHead(status, kept).end(body)
}

async function listen(port: number): Promise<Server> {
  const server = createServer({ keepAlive: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}
