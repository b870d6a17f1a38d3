/**
 * A proxy on 127.0.0.1 in front of a relay, fake or real. It hands on every message, and can do to
 * one of them what networks do: lose it, carry it out and lose the answer, never answer. A fault
 * concerns requests (EVENT, REQ, COUNT); all else passes.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** What becomes of a request. */
export interface RelayFault {
  /** Whether the relay gets it; `late`: when `release` is called. */
  readonly reaches: 'never' | 'first' | 'late'
  /** What the client sees then: a reason where it is refused. */
  readonly answer: 'drop' | 'stall' | 'malformed' | { readonly refuse: string }
}

/** Asked for each request: what it is to meet, if anything. */
export type Gate = (request: RelayRequest) => MetFault | null

export interface RelayRequest {
  readonly isWrite: boolean
}

export interface MetFault {
  readonly fault: RelayFault
  /** Called when the request has met it, and the relay has done its part. */
  readonly met: () => void
}

/** A handshake that is turned down. */
export interface RefusedVisit {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export class RelayProxy implements AsyncDisposable {
  readonly url: string
  readonly #target: string
  #server: Server
  #visitors = new WebSocketServer({ noServer: true })
  readonly #sockets = new Set<Socket | Duplex | WebSocket>()
  #late: (() => Promise<void>)[] = []
  gate: Gate = () => null
  /** Asked for each connection. */
  visit: () => RefusedVisit | null = () => null

  private constructor(target: string, server: Server) {
    this.#target = target
    this.#server = server
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.#serve(server)
  }

  static async start(target: string): Promise<RelayProxy> {
    return new RelayProxy(target, await listen(0))
  }

  /** From now on nobody listens. */
  async goAway(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) {
      if (socket instanceof WebSocket) socket.terminate()
      else socket.destroy()
    }
    await closed
  }

  async comeBack(): Promise<void> {
    if (this.#server.listening) return
    this.#server = await listen(Number(new URL(this.url).port))
    this.#serve(this.#server)
  }

  /** Hands on what was to come late. */
  async release(): Promise<void> {
    const late = this.#late
    this.#late = []
    for (const handOn of late) await handOn()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.goAway()
  }

  #serve(server: Server): void {
    server.on('connection', (socket: Socket) => this.#track(socket))
    server.on('request', (request, response) => {
      const headers = { accept: request.headers.accept ?? '' }
      const pass = async () => {
        const answer = await fetch(this.#target.replace(/^ws/, 'http'), { headers })
        response.writeHead(answer.status)
        response.end(await answer.text())
      }
      void pass()
    })
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refused = this.visit()
      if (refused === null) {
        this.#visitors.handleUpgrade(request, socket, head, (client) => this.#join(client))
        return
      }
      const lines = Object.entries(refused.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${refused.status} No\r\n${lines.join('')}connection: close\r\n\r\n`)
    })
  }

  #track(socket: Socket | WebSocket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #join(client: WebSocket): void {
    const relay = new WebSocket(this.#target)
    this.#track(client)
    this.#track(relay)
    /** Requests whose answers are kept back, by the name that the answer bears. */
    const kept = new Map<string, MetFault>()
    const toRelay = (text: string) => {
      if (relay.readyState === WebSocket.OPEN) relay.send(text)
      else relay.once('open', () => relay.send(text))
    }
    client.on('message', (data: Buffer) => {
      const request = readRequest(data.toString())
      const met = request === null ? null : this.gate(request)
      if (request === null || met === null) return toRelay(data.toString())
      if (met.fault.reaches === 'first') {
        kept.set(request.name, met)
        return toRelay(data.toString())
      }
      if (met.fault.reaches === 'late') this.#late.push(() => deliver(this.#target, request))
      fail(client, request, met)
    })
    relay.on('message', (data: Buffer) => {
      const [type, name = ''] = JSON.parse(data.toString()) as [string, string?]
      const met = kept.get(name)
      if (met === undefined) return client.send(data.toString())
      if (type === 'EVENT') return
      kept.delete(name)
      fail(client, { name, isWrite: type === 'OK' }, met)
    })
    client.once('close', () => relay.close())
    relay.once('close', () => client.close())
  }
}

interface NamedRequest extends RelayRequest {
  /** The event's id, or the subscription's name. */
  readonly name: string
  readonly text?: string
}

function readRequest(text: string): NamedRequest | null {
  const [type, first] = JSON.parse(text) as [string, unknown]
  if (type === 'EVENT') return { isWrite: true, name: (first as { id: string }).id, text }
  if (type === 'REQ' || type === 'COUNT') return { isWrite: false, name: first as string, text }
  return null
}

function fail(client: WebSocket, { name, isWrite }: NamedRequest, { fault, met }: MetFault): void {
  const { answer } = fault
  if (answer === 'drop') client.terminate()
  else if (answer === 'malformed') client.send('<html>502 Bad Gateway</html>')
  else if (answer !== 'stall') {
    client.send(
      JSON.stringify(
        isWrite ? ['OK', name, false, answer.refuse] : ['CLOSED', name, answer.refuse],
      ),
    )
  }
  met()
}

/** Sends one request of a client that is long gone, and waits until the relay has it. */
async function deliver(target: string, { text = '' }: NamedRequest): Promise<void> {
  const relay = new WebSocket(target)
  await once(relay, 'open')
  relay.send(text)
  await once(relay, 'message')
  relay.close()
  await once(relay, 'close')
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
