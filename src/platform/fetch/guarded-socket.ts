/**
 * Owns the one WebSocket that connectors use. It goes where the guarded fetch may go and nowhere
 * else: public hosts over wss and those the owner allowed, at the addresses that were checked. It
 * limits time and size, follows no redirect, and is closed when the conversation on it ends.
 */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import { WebSocket } from 'ws'
import { secondMs } from '../../core/duration.ts'
import { formatCount } from '../../core/wording.ts'
import type { GuardedFetchSettings } from '../guarded-fetch.ts'
import { connect } from './connect.ts'
import { stopError, within } from './deadline.ts'
import { codeOf, FetchError, placeOf } from './fetch-error.ts'
import { AnswerError, GuardedResponse } from './guarded-response.ts'
import { resolveTarget, systemLookup } from './resolve.ts'
import { AllowList, parseTarget } from './target.ts'
import type { Target } from './target.ts'

export interface SocketLimits {
  /** For finding the address, connecting, and both handshakes. */
  readonly connectMs: number
  /** For a whole conversation; its own `timeoutMs` comes before it. */
  readonly timeoutMs: number
  readonly maximumMessageBytes: number
  /** Of all messages of one conversation. */
  readonly maximumBytes: number
}

export const standardSocketLimits: SocketLimits = {
  connectMs: 10 * secondMs,
  timeoutMs: 30 * secondMs,
  maximumMessageBytes: 1024 * 1024,
  maximumBytes: 16 * 1024 * 1024,
}

export interface GuardedSocketSettings extends Omit<GuardedFetchSettings, 'limits'> {
  readonly limits?: Partial<SocketLimits>
}

export interface ConversationOptions {
  readonly signal: AbortSignal
  /** For the whole conversation, connecting included. */
  readonly timeoutMs?: number
}

/** The two ends of an open conversation. Both fail with a `FetchError` once it has broken. */
export interface Conversation {
  /** Whether anything was sent: what fails after that may have had an effect. */
  readonly hasSent: boolean
  send(text: string): void
  /** The next message, in the order in which they came. */
  receive(): Promise<string>
}

/** Connects, talks, and closes the connection whatever became of it. */
export type GuardedSocket = <Result>(
  url: string,
  options: ConversationOptions,
  talk: (conversation: Conversation) => Promise<Result>,
) => Promise<Result>

export function createGuardedSocket(settings: GuardedSocketSettings): GuardedSocket {
  const { clock, certificates, lookup = systemLookup, userAgent = 'secondwind' } = settings
  const limits = { ...standardSocketLimits, ...settings.limits }
  const allowList = new AllowList(settings.allowHosts)
  const trusted =
    certificates === undefined ? null : [...getCACertificates('default'), ...certificates]
  return async (url, { signal, timeoutMs = limits.timeoutMs }, talk) => {
    const target = parseTarget(asWebUrl(url), allowList)
    const where = placeOf(asSocketUrl(target))
    const limit = { clock, durationMs: timeoutMs, what: 'the whole conversation' }
    return within(limit, signal, async (whole) => {
      if (whole.aborted) throw stopError(whole, where, false)
      const connecting = { clock, durationMs: limits.connectMs, what: 'connecting' }
      const line = await within(connecting, whole, async (part) => {
        const addresses = await resolveTarget(target, lookup, part)
        const socket = await connect({ target, addresses, trusted, signal: part })
        return upgrade(new Line(where, limits), { target, socket, userAgent, signal: part })
      })
      const stop = () => line.fail(stopError(whole, where, line.hasSent))
      whole.addEventListener('abort', stop)
      try {
        return await talk(line)
      } finally {
        whole.removeEventListener('abort', stop)
        line.hangUp()
      }
    })
  }
}

/** The rules for targets are those of https; anything but a WebSocket's address breaks them. */
function asWebUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol } = new URL(url)
  if (protocol !== 'wss:' && protocol !== 'ws:') {
    const problem = 'only wss is supported'
    throw new FetchError({ kind: 'bad_url', sent: false, where: `a URL with ${protocol}`, problem })
  }
  return url.trim().replace(/^ws/i, 'http')
}

function asSocketUrl({ url }: Target): URL {
  return new URL(url.href.replace(/^http/, 'ws'))
}

interface Upgrade {
  readonly target: Target
  readonly socket: Socket
  readonly userAgent: string
  readonly signal: AbortSignal
}

/** Asks the server to speak WebSocket. Nothing of the conversation has been sent until then. */
async function upgrade(line: Line, options: Upgrade): Promise<Line> {
  const { target, socket, userAgent, signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<Line>()
  const url = asSocketUrl(target)
  url.hash = ''
  const webSocket = new WebSocket(url, {
    createConnection: () => socket,
    headers: { 'user-agent': userAgent },
    followRedirects: false,
    // A small message can unpack into a large one, and what relays send is short.
    perMessageDeflate: false,
    maxPayload: line.limits.maximumMessageBytes,
  })
  const stop = () => line.fail(stopError(signal, line.where, false))
  line.attach(webSocket, socket, reject)
  webSocket.once('open', () => resolve(line))
  webSocket.once('unexpected-response', (_request, response: IncomingMessage) => {
    line.fail(new AnswerError(headOf(response, line.where)))
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A server that does not want to be spoken to says why in the head: 401, 429, 503. */
function headOf(response: IncomingMessage, where: string): GuardedResponse {
  const headers = new Map<string, string>()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    headers.set(name, values.join(', '))
  }
  return new GuardedResponse({
    status: response.statusCode ?? 0,
    where,
    headers,
    bytes: Buffer.alloc(0),
  })
}

class Line implements Conversation {
  readonly where: string
  readonly limits: SocketLimits
  hasSent = false
  #webSocket: WebSocket | null = null
  #socket: Socket | null = null
  #onFailure: (error: Error) => void = () => {}
  readonly #messages: string[] = []
  #receivedBytes = 0
  #failure: Error | null = null
  #waiting: PromiseWithResolvers<string> | null = null

  constructor(where: string, limits: SocketLimits) {
    this.where = where
    this.limits = limits
  }

  attach(webSocket: WebSocket, socket: Socket, onFailure: (error: Error) => void): void {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#onFailure = onFailure
    webSocket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary))
    // The listeners stay: an error after the end must not stop the process.
    webSocket.on('error', (error) => this.fail(this.#broken(error)))
    webSocket.on('close', () => this.fail(this.#broken(null)))
  }

  send(text: string): void {
    if (this.#failure !== null) throw this.#failure
    this.hasSent = true
    this.#webSocket?.send(text, (error) => {
      if (error) this.fail(this.#broken(error))
    })
  }

  /** What came before the end is still given out; a relay may answer and hang up at once. */
  async receive(): Promise<string> {
    const message = this.#messages.shift()
    if (message !== undefined) return message
    if (this.#failure !== null) throw this.#failure
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  fail(error: Error): void {
    if (this.#failure !== null) return
    this.#failure = error
    this.#onFailure(error)
    this.#waiting?.reject(error)
    this.#waiting = null
    this.#socket?.destroy()
  }

  /** Says goodbye and does not wait for the answer. */
  hangUp(): void {
    this.#webSocket?.close()
    this.#socket?.destroySoon()
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#failure !== null) return
    this.#receivedBytes += data.length
    const { maximumBytes } = this.limits
    if (this.#receivedBytes > maximumBytes) {
      const problem = `more than ${formatCount(maximumBytes)} bytes came`
      return this.fail(this.#error('too_large', problem))
    }
    if (isBinary) return this.fail(this.#error('malformed', 'a message is not text'))
    const text = data.toString()
    if (this.#waiting === null) this.#messages.push(text)
    else this.#waiting.resolve(text)
    this.#waiting = null
  }

  #broken(error: unknown): FetchError {
    const code = codeOf(error)
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
      const maximum = formatCount(this.limits.maximumMessageBytes)
      return this.#error('too_large', `a message is larger than ${maximum} bytes`)
    }
    // The machine's own errors have a code; one without is about the handshake.
    if (error !== null && (code === null || /^(WS_ERR|HPE)_/.test(code))) {
      return this.#error('malformed', 'the answer is not a WebSocket’s', code)
    }
    return this.#error('reset', 'the connection was closed from the other side', code)
  }

  #error(kind: FetchError['kind'], problem: string, code: string | null = null): FetchError {
    return new FetchError({ kind, sent: this.hasSent, where: this.where, problem, code })
  }
}
