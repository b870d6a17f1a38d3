/**
 * A small server that speaks X's API as far as the connector uses it, after the public
 * documentation: every edit makes another post with counters of its own, and the same text is
 * refused a second time.
 */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../../src/core/json.ts'
import { FakePosts, userId } from './fake-posts.ts'

export interface FakeXOptions {
  readonly now: () => number
  readonly token: string
}

interface Answer {
  readonly status: number
  readonly body: Json
}

interface PostBody {
  readonly text?: string
  readonly reply?: { readonly in_reply_to_tweet_id: string }
  readonly edit_options?: { readonly previous_post_id: string }
}

export class FakeX implements AsyncDisposable {
  readonly url: string
  readonly posts: FakePosts
  /** Of every request, the method and the path without its query. */
  readonly requests: string[] = []
  readonly tokens: Set<string>
  subscription = 'Premium'
  tokenAnswer: (form: URLSearchParams) => Answer = () => ({ status: 503, body: null })
  readonly #server: Server

  private constructor({ now, token }: FakeXOptions, server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.tokens = new Set([token])
    this.posts = new FakePosts(now)
    server.on('request', (message, response) => void this.#serve(message, response))
  }

  static async start(options: FakeXOptions): Promise<FakeX> {
    const server = createServer({ keepAlive: false })
    server.on('connection', (socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new FakeX(options, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.#answer(message)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }

  async #answer(message: IncomingMessage): Promise<Answer> {
    const body = Buffer.concat((await message.toArray()) as Buffer[]).toString()
    const { method = 'GET', headers } = message
    const url = new URL(message.url ?? '/', this.url)
    this.requests.push(`${method} ${url.pathname}`)
    if (url.pathname === '/2/oauth2/token') return this.tokenAnswer(new URLSearchParams(body))
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!this.tokens.has(bearer)) return problem(401, 'Unauthorized')
    if (method === 'GET') return this.#read(url)
    if (method === 'POST') return this.#post(JSON.parse(body) as PostBody)
    const id = /^\/2\/tweets\/(\d+)$/.exec(url.pathname)?.[1] ?? ''
    return { status: 200, body: { data: { deleted: this.posts.remove(id) } } }
  }

  #read({ pathname, searchParams }: URL): Answer {
    switch (pathname) {
      case '/2/users/me': {
        const subscription = { subscription_type: this.subscription }
        return { status: 200, body: { data: { id: userId, username: 'anna', ...subscription } } }
      }
      case '/2/tweets':
        return this.#readMany((searchParams.get('ids') ?? '').split(','))
      case `/2/users/${userId}/tweets`:
        return { status: 200, body: this.posts.timeline(searchParams) }
      default:
        return problem(404, 'Not Found')
    }
  }

  #readMany(ids: readonly string[]): Answer {
    if (ids.length > 100) return problem(400, 'Invalid Request')
    const data: Json[] = []
    const errors: Json[] = []
    for (const id of ids) {
      const post = this.posts.find(id)
      const kind = post === null ? 'resource-not-found' : 'not-authorized-for-resource'
      if (post === null || post.isHidden)
        errors.push({ resource_id: id, type: `${problems}/${kind}` })
      else data.push(this.posts.toJson(post))
    }
    // X leaves out a list that is empty.
    return {
      status: 200,
      body: { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) },
    }
  }

  #post({ text = '', reply, edit_options: edit }: PostBody): Answer {
    if (this.posts.isShown(text)) {
      return problem(403, 'You are not allowed to create a Tweet with duplicate content.')
    }
    if (edit !== undefined) {
      const post = this.posts.find(edit.previous_post_id)
      if (post === null) return problem(403, 'You are not permitted to perform this action.')
      return created(this.posts.edit(post, text).id)
    }
    const parentId = reply?.in_reply_to_tweet_id ?? null
    if (parentId !== null && this.posts.find(parentId) === null) {
      return problem(
        403,
        'You attempted to reply to a Tweet that is deleted or not visible to you.',
      )
    }
    return created(this.posts.add(text, parentId).id)
  }
}

const problems = 'https://api.twitter.com/2/problems'

function problem(status: number, detail: string): Answer {
  return { status, body: { title: 'Problem', detail, type: 'about:blank', status } }
}

function created(id: string): Answer {
  return { status: 201, body: { data: { id, text: '', edit_history_tweet_ids: [id] } } }
}
