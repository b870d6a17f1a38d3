/** Owns the posts of the fake X: versions in a chain, each with its own counters. */

import type { Json } from '../../../src/core/json.ts'

export const userId = '2244994945'

export interface FakePost {
  readonly id: string
  readonly createdAt: number
  /** When the first version was made. */
  readonly begunAt: number
  readonly parentId: string | null
  readonly text: string
  /** The ids of all versions, shared by all of them. */
  readonly chain: string[]
  likes: number
  impressions: number
  isHidden: boolean
  attachments: Json
}

const windowMs = 3_600_000
const mostEdits = 5

export class FakePosts {
  readonly #now: () => number
  readonly #all = new Map<string, FakePost>()
  #count = 0

  constructor(now: () => number) {
    this.#now = now
  }

  find(id: string): FakePost | null {
    return this.#all.get(id) ?? null
  }

  /** The newest version of a post, by the id of any. */
  current(id: string): FakePost | null {
    const newest = this.find(id)?.chain.at(-1)
    return newest === undefined ? null : this.find(newest)
  }

  isShown(text: string): boolean {
    return [...this.#all.values()].some((post) => post.text === text)
  }

  add(text: string, parentId: string | null): FakePost {
    return this.#insert({ text, parentId, chain: [], begunAt: this.#now() })
  }

  edit({ parentId, chain, begunAt }: FakePost, text: string): FakePost {
    return this.#insert({ text, parentId, chain, begunAt })
  }

  #insert(part: Pick<FakePost, 'text' | 'parentId' | 'chain' | 'begunAt'>): FakePost {
    this.#count += 1
    const id = String(1_900_000_000_000_000_000n + BigInt(this.#count))
    const counters = { likes: 0, impressions: 10 }
    const rest = { ...counters, isHidden: false, attachments: null }
    const post: FakePost = { ...part, ...rest, id, createdAt: this.#now() }
    post.chain.push(id)
    this.#all.set(id, post)
    return post
  }

  /** With one version all of them go. */
  remove(id: string): boolean {
    const post = this.find(id)
    for (const version of post?.chain ?? []) this.#all.delete(version)
    return post !== null
  }

  repliesTo(id: string): readonly FakePost[] {
    const chain = this.find(id)?.chain ?? [id]
    const replies = [...this.#all.values()].filter(({ parentId }) => chain.includes(parentId ?? ''))
    return replies.filter((post) => post.chain.at(-1) === post.id)
  }

  timeline(query: URLSearchParams): Json {
    const since = Date.parse(query.get('start_time') ?? '')
    const withReplies = !(query.get('exclude') ?? '').includes('replies')
    const first = Number(query.get('pagination_token') ?? '0')
    const size = Number(query.get('max_results'))
    const newestFirst = [...this.#all.values()].toReversed()
    const shown = newestFirst.filter(
      (post) =>
        post.chain.at(-1) === post.id &&
        post.begunAt >= since &&
        !post.isHidden &&
        (withReplies || post.parentId === null),
    )
    const data = shown.slice(first, first + size).map((post) => this.toJson(post))
    const isMore = shown.length > first + size
    const meta = { result_count: data.length, ...(isMore && { next_token: String(first + size) }) }
    return { ...(data.length > 0 && { data }), meta }
  }

  toJson(post: FakePost): Json {
    const { text, urls } = shortened(post.text)
    const isReply = post.parentId !== null
    return {
      id: post.id,
      text,
      author_id: userId,
      created_at: new Date(post.createdAt).toISOString(),
      edit_history_tweet_ids: post.chain,
      edit_controls: {
        is_edit_eligible: true,
        editable_until: new Date(post.begunAt + windowMs).toISOString(),
        edits_remaining: mostEdits - (post.chain.length - 1),
      },
      ...(urls.length > 0 && { entities: { urls } }),
      ...(post.attachments !== null && { attachments: post.attachments }),
      ...(isReply && { referenced_tweets: [{ type: 'replied_to', id: post.parentId }] }),
      public_metrics: {
        retweet_count: 0,
        reply_count: this.repliesTo(post.id).length,
        like_count: post.likes,
        quote_count: 0,
        bookmark_count: 0,
        impression_count: post.impressions,
      },
    }
  }
}

/** As X gives it: links made short, and three signs as HTML has them. */
function shortened(text: string): { readonly text: string; readonly urls: readonly Json[] } {
  const urls: Json[] = []
  const short = text.replace(/https?:\/\/\S+/g, (target) => {
    const url = `https://t.co/link${urls.length}`
    urls.push({ url, expanded_url: target, display_url: target.slice(8, 30) })
    return url
  })
  const escaped = short.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { text: escaped, urls }
}
