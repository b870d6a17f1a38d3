/** Owns the requests to X. Each is made once and never repeated. */

import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import type { Session } from '../oauth/session.ts'
import type { Credentials } from './credentials.ts'
import {
  createdSchema,
  deletedSchema,
  timelineSchema,
  tweetFields,
  tweetsSchema,
  userSchema,
} from './wire.ts'
import type { Tweet } from './wire.ts'

/** As many as X gives at once, of posts by id and of a timeline. */
export const batchSize = 100

/** A post as it was found, or why it was not. */
export type Found =
  | { readonly kind: 'live'; readonly tweet: Tweet }
  | { readonly kind: 'deleted' | 'restricted' }

export class Api {
  readonly #session: Session<Credentials>

  constructor(session: Session<Credentials>) {
    this.#session = session
  }

  async readMe() {
    const path = '/2/users/me?user.fields=subscription_type,username'
    return requireOk(await this.#session.send({ path })).parse(userSchema).data
  }

  /** By id. One that the answer says nothing about is left out: it was not read. */
  async readMany(ids: readonly string[]): Promise<ReadonlyMap<string, Found>> {
    const found = new Map<string, Found>()
    for (let start = 0; start < ids.length; start += batchSize) {
      const part = ids.slice(start, start + batchSize)
      const query = new URLSearchParams({ ids: part.join(','), 'tweet.fields': tweetFields })
      const response = await this.#session.send({ path: `/2/tweets?${query.toString()}` })
      const { data = [], errors = [] } = requireOk(response).parse(tweetsSchema)
      for (const tweet of data) found.set(tweet.id, { kind: 'live', tweet })
      for (const { type, resource_id: id } of errors) {
        const kind = kindOf(type)
        if (id !== undefined && kind !== null) found.set(id, { kind })
      }
    }
    return found
  }

  async readOne(id: string): Promise<Found | null> {
    return (await this.readMany([id])).get(id) ?? null
  }

  /** The account's own posts since a time, the newest first, so many pages at most. */
  async listOwn(
    userId: string,
    options: { readonly since: Instant; readonly withReplies: boolean; readonly pages: number },
  ): Promise<{ readonly found: readonly Tweet[]; readonly isWhole: boolean }> {
    const found: Tweet[] = []
    let next: string | undefined
    for (let page = 0; page < options.pages; page += 1) {
      const query = new URLSearchParams({
        max_results: String(batchSize),
        exclude: options.withReplies ? 'retweets' : 'replies,retweets',
        start_time: startTime(options.since),
        'tweet.fields': tweetFields,
        ...(next === undefined ? {} : { pagination_token: next }),
      })
      const path = `/2/users/${encodeURIComponent(userId)}/tweets?${query.toString()}`
      const answer = requireOk(await this.#session.send({ path })).parse(timelineSchema)
      found.push(...(answer.data ?? []))
      next = answer.meta?.next_token
      if (next === undefined) return { found, isWhole: true }
    }
    return { found, isWhole: false }
  }

  async reply(parentId: string, text: string): Promise<string> {
    return this.#post({ text, reply: { in_reply_to_tweet_id: parentId } })
  }

  /** The post gets another id by it. */
  async edit(id: string, text: string): Promise<string> {
    return this.#post({ text, edit_options: { previous_post_id: id } })
  }

  async remove(id: string): Promise<void> {
    const path = `/2/tweets/${encodeURIComponent(id)}`
    const response = await this.#session.send({ path, method: 'DELETE' })
    // What is gone already needs no removing.
    if (response.status !== 404) requireOk(response).parse(deletedSchema)
  }

  async #post(body: Json): Promise<string> {
    const response = await this.#session.send({
      path: '/2/tweets',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return requireOk(response).parse(createdSchema).data.id
  }
}

/** X takes whole seconds. */
function startTime(since: Instant): string {
  return `${new Date(since).toISOString().slice(0, 19)}Z`
}

function kindOf(type: string): 'deleted' | 'restricted' | null {
  if (type.endsWith('/resource-not-found')) return 'deleted'
  return type.endsWith('/not-authorized-for-resource') ? 'restricted' : null
}

/** The id of the version that is shown now. */
export function newestId(tweet: Tweet): string {
  return tweet.edit_history_tweet_ids.at(-1) ?? tweet.id
}

export function urlOf(username: string, id: string): string {
  return `https://x.com/${username}/status/${id}`
}
