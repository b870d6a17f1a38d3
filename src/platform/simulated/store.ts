/**
 * Owns the simulated network's state and its chance. Everything that is drawn hangs on the seed and
 * on what was made, never on how often something was read.
 */

import type { Action } from '../../core/action.ts'
import { actions } from '../../core/action.ts'
import { dayMs } from '../../core/duration.ts'
import type { ActionKey } from '../../core/ids.ts'
import { InputError, shown } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { Random } from '../../core/random.ts'
import { Arrivals } from './arrivals.ts'
import { countUntil } from './by-time.ts'
import { drawForm } from './form.ts'
import type { FormSettings, FormWish } from './form.ts'
import { Growth } from './growth.ts'
import type { Profile } from './profile.ts'
import { noExtras } from './protocol.ts'
import type { Audience, Extras } from './protocol.ts'
import type { Effect, StoredAccount, StoredPost, StoredReply } from './records.ts'
import { fractionFrom, seededRandom } from './seeded-random.ts'

/** What an action truly does: arrivals are multiplied by a factor drawn around this mean. */
export interface TrueEffect {
  readonly mean: number
  /** Spread of the factor from post to post, in logarithms. */
  readonly spread: number
}

export interface StoreSettings {
  readonly forms: FormSettings
  readonly effects: Readonly<Record<Action, TrueEffect>>
  /** The share of writes that readers see only later, by up to the network's longest delay. */
  readonly lateShare: number
}

export interface NewAccount {
  readonly handle: string
  readonly credentials?: string | null
  /** How many engagements its posts usually get; drawn where it is left out. */
  readonly usualTotal?: number
  /** When its readers are most active, in milliseconds after midnight UTC. */
  readonly peakMs?: number
}

export interface NewPost extends FormWish {
  readonly text: string
  /** May lie in the past or in the future; now where it is left out. */
  readonly at?: Instant
  readonly audience?: Audience
  readonly extras?: Extras
}

export class Store {
  readonly profile: Profile
  readonly settings: StoreSettings
  readonly accounts = new Map<string, StoredAccount>()
  readonly posts: StoredPost[] = []
  readonly effects: Effect[] = []
  readonly #effectsByKey = new Map<ActionKey, Effect[]>()
  readonly deletions: { readonly remoteId: string; readonly at: Instant }[] = []
  /** By every id that it has or had. */
  readonly #postsById = new Map<string, StoredPost>()
  readonly #repliesById = new Map<string, StoredReply>()
  readonly #seedText: string
  readonly #seedNumber: number
  readonly #arrivals: Arrivals
  #lastId = 1000
  #writes = 0

  constructor(profile: Profile, settings: StoreSettings, random: Random) {
    this.profile = profile
    this.settings = settings
    this.#seedNumber = Math.floor(random.fraction() * 2 ** 32)
    this.#seedText = `${this.#seedNumber}-${Math.floor(random.fraction() * 2 ** 32)}`
    this.#arrivals = new Arrivals(seededRandom(`${this.#seedText}:arrivals`))
  }

  addAccount(account: NewAccount): StoredAccount {
    const { handle } = account
    if (this.accounts.has(handle)) throw new InputError('handle', `${shown(handle)} is taken`)
    const stream = seededRandom(`${this.#seedText}:account:${handle}`)
    const usualTotal = stream.logNormal(60, 0.7)
    const peakMs = stream.between(0, dayMs)
    const stored: StoredAccount = {
      handle,
      credentials: account.credentials ?? null,
      usualTotal: account.usualTotal ?? usualTotal,
      peakMs: account.peakMs ?? peakMs,
      posts: [],
      records: new Map(),
      remembered: new Map(),
    }
    this.accounts.set(handle, stored)
    return stored
  }

  requireAccount(handle: string): StoredAccount {
    const account = this.accounts.get(handle)
    if (account === undefined) throw new InputError('handle', `${shown(handle)} has no account`)
    return account
  }

  publish(handle: string, draft: NewPost, now: Instant): StoredPost {
    const account = this.requireAccount(handle)
    const { counters } = this.profile.description
    const ordinal = this.posts.length + 1
    const publishedAt = draft.at ?? now
    const stream = seededRandom(`${this.#seedText}:post:${ordinal}`)
    const form = drawForm(stream, this.settings.forms, counters, account.usualTotal, draft)
    const id = this.nextId(account)
    const extras = draft.extras ?? noExtras
    const post: StoredPost = {
      kind: 'post',
      ordinal,
      id,
      handle,
      publishedAt,
      audience: draft.audience ?? 'public',
      form,
      growth: new Growth(form, publishedAt, account.peakMs, counters, this.#arrivals),
      versions: [{ number: 1, id, text: draft.text, extras, visibleAt: publishedAt }],
      replies: [],
      lastEdit: null,
      boosts: 0,
      deletedAt: null,
      isRestricted: false,
    }
    this.posts.push(post)
    this.#postsById.set(id, post)
    insertByTime(account.posts, post)
    return post
  }

  /** A post is there from its publication on, and after its deletion as one that is gone. */
  findPost(id: string, now: Instant): StoredPost | undefined {
    const post = this.#postsById.get(id)
    return post === undefined || post.publishedAt > now ? undefined : post
  }

  findReply(id: string): StoredReply | undefined {
    return this.#repliesById.get(id)
  }

  requirePost(id: string, now: Instant): StoredPost {
    const post = this.findPost(id, now)
    if (post === undefined) throw new InputError('remoteId', `${shown(id)} is no post here`)
    return post
  }

  /** An edit gave the post one more id. */
  addId(id: string, post: StoredPost): void {
    this.#postsById.set(id, post)
  }

  addReply(reply: StoredReply, parent: StoredPost | StoredReply): void {
    this.#repliesById.set(reply.id, reply)
    parent.replies.push(reply)
  }

  addEffect(effect: Effect): void {
    this.effects.push(effect)
    if (effect.key === null) return
    const known = this.#effectsByKey.get(effect.key)
    if (known === undefined) this.#effectsByKey.set(effect.key, [effect])
    else known.push(effect)
  }

  effectsOf(key: ActionKey): readonly Effect[] {
    return this.#effectsByKey.get(key) ?? []
  }

  nextId({ handle }: StoredAccount): string {
    this.#lastId += 1
    const isKeyed = this.profile.recognition.by === 'record_key'
    return isKeyed ? `${handle}/${this.#lastId}` : String(this.#lastId)
  }

  urlOf(id: string): string {
    return `https://${this.profile.description.platform}.invalid/${encodeURI(id)}`
  }

  /** When readers see a write that is applied now. */
  drawVisibleAt(at: Instant): Instant {
    this.#writes += 1
    const { lateShare } = this.settings
    if (fractionFrom(this.#seedNumber, this.#writes, 1) >= lateShare) return at
    const { visibleWithinMs } = this.profile.description
    return at + Math.floor(fractionFrom(this.#seedNumber, this.#writes, 2) * visibleWithinMs)
  }

  /** Each action on each post has a factor of its own; the mean over posts is the true one. */
  drawFactor(post: StoredPost, action: Action): number {
    post.boosts += 1
    const { mean, spread } = this.settings.effects[action]
    const place = actions.indexOf(action)
    const label = `${this.#seedText}:effect:${post.ordinal}:${place}:${post.boosts}`
    return mean * Math.exp(spread * seededRandom(label).normal() - spread ** 2 / 2)
  }
}

function insertByTime(posts: StoredPost[], post: StoredPost): void {
  const index = countUntil(posts, post.publishedAt, ({ publishedAt }) => publishedAt)
  posts.splice(index, 0, post)
}
