/**
 * Noticeboard itself, as a small HTTP server: enough of it that a connector can be written against
 * it, and can be shown every way in which a network fails. Its time is a clock that is handed in.
 */

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from 'secondwind'
import type { HarnessFault } from 'secondwind/testing'

export interface Notice {
  readonly id: string
  readonly by: string
  readonly text: string
  readonly parent: string | null
  readonly at: number
  readonly views: number
  readonly likes: number
}

/** What can be made to happen to the next write. */
export const possibleFaults = [
  'lost_request',
  'lost_answer',
  'late_apply',
  'stalled',
  'server_error_before',
  'server_error_after',
  'malformed',
  'rate_limited',
] as const satisfies readonly HarnessFault[]
export type PossibleFault = (typeof possibleFaults)[number]

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Noticeboard implements AsyncDisposable {
  readonly notices = new Map<string, Notice>()
  /** A write that is late arrives after this long. */
  readonly lateMs = 60_000
  readonly #clock: Clock
  readonly #tokens = new Map<string, string>()
  readonly #http = createServer((request, response) => void this.#serve(request, response))
  #next: { readonly fault: PossibleFault; readonly met: () => void } | null = null
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves with the address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#http.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections()
    await new Promise((resolve) => {
      this.#http.close(resolve)
    })
  }

  addPerson(handle: string, token: string): void {
    this.#tokens.set(token, handle)
  }

  pin(by: string, text: string, parent: string | null = null): string {
    this.#count += 1
    const id = `notice-${this.#count}`
    this.notices.set(id, { id, by, text, parent, at: this.#clock.now(), views: 0, likes: 0 })
    return id
  }

  /** So many more look at it, and so many of them like it. */
  show(id: string, views: number, likes: number): void {
    const notice = this.notices.get(id)
    if (notice === undefined) return
    const seen = { views: notice.views + views, likes: notice.likes + likes }
    this.notices.set(id, { ...notice, ...seen })
  }

  repliesTo(id: string): readonly Notice[] {
    return [...this.notices.values()].filter(({ parent }) => parent === id)
  }

  /** Resolves when the next write has met it. */
  failNextWrite(fault: PossibleFault): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#next = { fault, met: resolve }
    return promise
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const handle = this.#tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (handle === undefined) return send(response, { status: 401 })
    const url = new URL(request.url ?? '/', 'http://noticeboard')
    const apply = () => this.#apply(request.method ?? '', url, handle, Buffer.concat(chunks))
    const next = request.method === 'GET' ? null : this.#next
    if (next === null) return send(response, apply())
    this.#next = null
    this.#fail(next.fault, response, apply)
    next.met()
  }

  #fail(fault: PossibleFault, response: ServerResponse, apply: () => Answer): void {
    switch (fault) {
      case 'lost_request':
        response.destroy()
        return
      case 'lost_answer':
        apply()
        response.destroy()
        return
      case 'late_apply':
        void this.#clock.sleep(this.lateMs).then(apply)
        response.destroy()
        return
      case 'stalled':
        // Carried out, and never answered.
        apply()
        return
      case 'server_error_before':
        return send(response, { status: 503 })
      case 'server_error_after':
        apply()
        return send(response, { status: 502 })
      case 'malformed':
        apply()
        response.end('<html>')
        return
      case 'rate_limited':
        return send(response, { status: 429, headers: { 'retry-after': '90' } })
    }
  }

  #apply(method: string, url: URL, handle: string, body: Buffer): Answer {
    const id = url.pathname.split('/')[2] ?? ''
    if (url.pathname === '/me') return { status: 200, body: { handle } }
    switch (method) {
      case 'GET':
        return { status: 200, body: { now: this.#clock.now(), notices: this.#find(url, handle) } }
      case 'PUT':
        return this.#put(id, handle, JSON.parse(body.toString()) as Pick<Notice, 'text' | 'parent'>)
      case 'DELETE':
        return { status: this.notices.delete(id) ? 200 : 404 }
      default:
        return { status: 400 }
    }
  }

  #find({ searchParams }: URL, handle: string): readonly object[] {
    const ids = searchParams.get('ids')?.split(',')
    const since = Number(searchParams.get('since') ?? 0)
    return [...this.notices.values()]
      .filter(({ id, by, at }) => ids?.includes(id) ?? (by === handle && at >= since))
      .map((notice) => Object.assign({ replies: this.repliesTo(notice.id) }, notice))
  }

  /** Pinned again under the same id, a notice stays as it is. */
  #put(id: string, by: string, { text, parent }: Pick<Notice, 'text' | 'parent'>): Answer {
    if (this.notices.has(id)) return { status: 200, body: { id } }
    if (parent !== null && !this.notices.has(parent)) return { status: 404 }
    this.notices.set(id, { id, by, text, parent, at: this.#clock.now(), views: 0, likes: 0 })
    return { status: 201, body: { id } }
  }
}

function send(response: ServerResponse, { status, body = {}, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
