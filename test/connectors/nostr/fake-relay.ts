/**
 * A small relay on 127.0.0.1 that keeps to the protocol: NIP-01, 09, 11, 42 and 45. The same tests
 * run against a real relay elsewhere, so that it cannot drift from what relays do.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { isGenuine } from '../../../src/platform/nostr/event.ts'
import type { NostrEvent } from '../../../src/platform/nostr/event.ts'
import { EventStore } from './event-store.ts'
import type { WireFilter } from './event-store.ts'

export interface FakeRelayOptions {
  /** What it says of itself (NIP-11). */
  readonly information?: object
  /** The most events that it gives for one filter. */
  readonly maximumEvents?: number
  /** Whether it counts (NIP-45). */
  readonly counts?: boolean
  /** What needs a login (NIP-42), and whether it names its challenge only when asked. */
  readonly login?: { readonly for: 'reads' | 'writes'; readonly challenges: 'first' | 'late' }
  /** Whether it takes the login. */
  readonly admits?: boolean
  /** Takes requests to delete and does not follow them. */
  readonly keepsDeleted?: boolean
  /** The answer to every event, in place of storing it. */
  readonly refusesWith?: string
  /** What it sends when it has been asked for something. */
  readonly saysInstead?: string
  /** What it sends before each answer, though nobody asked for it. */
  readonly saysBefore?: readonly (readonly unknown[])[]
}

export class FakeRelay implements AsyncDisposable {
  readonly store = new EventStore()
  readonly url: string
  /** Every message that came, in order. */
  readonly received: unknown[][] = []
  readonly #options: FakeRelayOptions
  readonly #server: Server
  readonly #sockets: WebSocketServer

  private constructor(options: FakeRelayOptions, server: Server) {
    this.#options = options
    this.#server = server
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.#sockets = new WebSocketServer({ server })
    this.#sockets.on('connection', (socket) => this.#serve(socket))
    server.on('request', (request, response) => {
      const isAsked = request.headers.accept === 'application/nostr+json'
      response.writeHead(isAsked && options.information !== undefined ? 200 : 404)
      response.end(isAsked ? JSON.stringify(options.information) : '')
    })
  }

  static async start(options: FakeRelayOptions = {}): Promise<FakeRelay> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FakeRelay(options, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#sockets.close()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(socket: WebSocket): void {
    const { login, saysInstead, saysBefore = [] } = this.#options
    const visit = { isLoggedIn: false, challenge: `challenge-${this.received.length}` }
    const say = (...message: unknown[]) => socket.send(JSON.stringify(message))
    if (login?.challenges === 'first') say('AUTH', visit.challenge)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as [string, ...unknown[]]
      this.received.push(message)
      if (saysInstead !== undefined) return socket.send(saysInstead)
      for (const each of saysBefore) say(...each)
      const [type, first, ...rest] = message
      if (type === 'EVENT') return this.#store(first as NostrEvent, visit, say)
      if (type === 'REQ') return this.#find(first as string, rest as WireFilter[], visit, say)
      if (type === 'COUNT') return this.#count(first as string, rest[0] as WireFilter, say)
      if (type === 'AUTH') return this.#logIn(first as NostrEvent, visit, say)
    })
  }

  #store(event: NostrEvent, visit: Visit, say: Say): void {
    const { refusesWith, keepsDeleted = false } = this.#options
    if (this.#wantsLogin('writes', visit)) {
      say('OK', event.id, false, 'auth-required: log in first')
      this.#challengeLate(visit, say)
      return
    }
    if (refusesWith !== undefined) return say('OK', event.id, false, refusesWith)
    if (!isGenuine(event)) return say('OK', event.id, false, 'invalid: bad signature')
    if (this.store.has(event.id)) return say('OK', event.id, true, 'duplicate: already have it')
    if (this.store.isDeleted(event.id)) return say('OK', event.id, false, 'blocked: deleted')
    if (event.kind !== 5 || !keepsDeleted) this.store.put(event)
    say('OK', event.id, true, '')
  }

  #find(subscription: string, filters: readonly WireFilter[], visit: Visit, say: Say): void {
    if (this.#wantsLogin('reads', visit)) {
      say('CLOSED', subscription, 'auth-required: log in first')
      this.#challengeLate(visit, say)
      return
    }
    const { maximumEvents = Infinity } = this.#options
    for (const filter of filters) {
      for (const event of this.store.find(filter).slice(0, maximumEvents)) {
        say('EVENT', subscription, event)
      }
    }
    say('EOSE', subscription)
  }

  #count(subscription: string, filter: WireFilter, say: Say): void {
    if (this.#options.counts !== true) return say('CLOSED', subscription, 'unsupported: count')
    say('COUNT', subscription, { count: this.store.find(filter).length })
  }

  #logIn(event: NostrEvent, visit: Visit, say: Say): void {
    const tag = (name: string) => event.tags.find(([key]) => key === name)?.[1]
    const isRight =
      event.kind === 22_242 && tag('challenge') === visit.challenge && tag('relay') === this.url
    visit.isLoggedIn = isRight && isGenuine(event) && this.#options.admits !== false
    say('OK', event.id, visit.isLoggedIn, visit.isLoggedIn ? '' : 'invalid: not admitted')
  }

  #wantsLogin(what: 'reads' | 'writes', { isLoggedIn }: Visit): boolean {
    return this.#options.login?.for === what && !isLoggedIn
  }

  #challengeLate({ challenge }: Visit, say: Say): void {
    if (this.#options.login?.challenges === 'late') say('AUTH', challenge)
  }
}

interface Visit {
  isLoggedIn: boolean
  readonly challenge: string
}

type Say = (...message: unknown[]) => void
