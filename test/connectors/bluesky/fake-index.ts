/**
 * Stands in for the app's index: shows posts as far as their server has them, with the counters
 * that a test gives. It also serves in front of a real server, which asks it in the same way.
 */

import type { RequestListener } from 'node:http'
import type { Json } from '../../../src/core/json.ts'
import type { FakeRecord } from './fake-repo.ts'

/** Where the index finds posts and the replies to them. */
export interface RecordSource {
  find(uri: string): Promise<FakeRecord | null>
  countReplies(uri: string): Promise<number>
}

export class FakeIndex {
  readonly #source: RecordSource
  readonly #likes = new Map<string, number>()
  readonly #hidden = new Set<string>()
  readonly #labels = new Map<string, Json>()
  readonly #views = new Map<string, Json>()

  constructor(source: RecordSource) {
    this.#source = source
  }

  like(uri: string, amount: number): void {
    this.#likes.set(uri, (this.#likes.get(uri) ?? 0) + amount)
  }

  /** The post is missing from what readers are shown. */
  hide(uri: string): void {
    this.#hidden.add(uri)
  }

  label(uri: string, labels: Json): void {
    this.#labels.set(uri, labels)
  }

  /** Shows exactly this under a URI: a post of someone else, or one that is odd. */
  show(uri: string, view: Json): void {
    this.#views.set(uri, view)
  }

  async getPosts(uris: readonly string[]): Promise<Json> {
    const posts: Json[] = []
    for (const uri of uris) {
      const view = this.#views.get(uri) ?? (await this.#view(uri))
      if (view !== null) posts.push(view)
    }
    return { posts }
  }

  async #view(uri: string): Promise<Json> {
    const record = this.#hidden.has(uri) ? null : await this.#source.find(uri)
    if (record === null) return null
    return {
      uri,
      cid: record.cid,
      record: record.value,
      replyCount: await this.#source.countReplies(uri),
      repostCount: 0,
      likeCount: this.#likes.get(uri) ?? 0,
      quoteCount: 0,
      bookmarkCount: 0,
      labels: this.#labels.get(uri) ?? [],
    }
  }

  /** Answers as a server of its own. */
  readonly listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://index')
    const head = { 'content-type': 'application/json' }
    void this.getPosts(url.searchParams.getAll('uris')).then((answer) =>
      response.writeHead(200, head).end(JSON.stringify(answer)),
    )
  }
}
