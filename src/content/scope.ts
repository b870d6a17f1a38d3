/** Owns what a template can see: the post, its numbers, the account, the network. Nothing else. */

import { hash } from 'node:crypto'
import { hourMs } from '../core/duration.ts'
import type { ContentRequest } from './content.ts'
import { readPost } from './post-reading.ts'

/** Text and numbers as they are; lists can be gone through; `null` is there and empty. */
export interface Scope {
  readonly post: {
    readonly text: string
    readonly firstLine: string
    readonly sentences: readonly string[]
    readonly question: string | null
    readonly quote: string | null
    readonly points: readonly string[]
    readonly url: string | null
    readonly ageHours: number
  }
  readonly numbers: ContentRequest['numbers']
  readonly account: { readonly handle: string }
  /** `replies` is what they are called there. */
  readonly platform: { readonly name: string; readonly replies: string }
  readonly tier: string
}

/** Every path a template may name, for checking one before it is used. */
export const scopeShape: ScopeShape = {
  post: {
    text: 'value',
    firstLine: 'value',
    sentences: 'list',
    question: 'value',
    quote: 'value',
    points: 'list',
    url: 'value',
    ageHours: 'value',
  },
  numbers: { impressions: 'value', engagements: 'value', score: 'value' },
  account: { handle: 'value' },
  platform: { name: 'value', replies: 'value' },
  tier: 'value',
}

type ScopeShape = {
  readonly [Group in keyof Scope]: Scope[Group] extends string
    ? 'value'
    : {
        readonly [Name in keyof Scope[Group]]: Scope[Group][Name] extends readonly string[]
          ? 'list'
          : 'value'
      }
}

const commentNetworks = new Set(['linkedin', 'facebook', 'telegram'])

export function buildScope(request: ContentRequest): Scope {
  const { post, limits } = request
  const { firstLine, sentences, question, quotes, points } = readPost(post.text, limits)
  const { impressions, engagements, score } = request.numbers
  const name = networkOf(request.platform)
  return {
    post: {
      text: post.text,
      firstLine,
      sentences,
      question,
      quote: quotes[turnOf(request, quotes.length)] ?? null,
      points: takePoints(points, request),
      url: post.url,
      ageHours: Math.max(0, Math.floor(post.ageMs / hourMs)),
    },
    numbers: { impressions, engagements, score },
    account: { handle: request.handle },
    platform: { name, replies: commentNetworks.has(name) ? 'comments' : 'replies' },
    tier: request.tier,
  }
}

const mostPoints = 4

/** The next generation goes on where the one before stopped, if the post has more to say. */
function takePoints(
  points: readonly string[],
  { limits, generation }: ContentRequest,
): readonly string[] {
  // The last post of a thread closes it.
  const count = Math.min(mostPoints, Math.max(0, limits.threadMaximum - 1))
  const later = points.slice(generation * count, (generation + 1) * count)
  return later.length >= 2 ? later : points.slice(0, count)
}

/** A simulated network speaks as the one that it stands for. */
export function networkOf(platform: string): string {
  return platform.replace(/^simulated-/, '')
}

/**
 * Which of so many choices a request begins with. It depends on the post and on nothing that an
 * edit changes, so the next generation of the same action gets the choice after it.
 */
export function turnOf(request: ContentRequest, choices: number): number {
  if (choices === 0) return 0
  const { platform, handle, action, tier, post, generation } = request
  const name = `${platform}\n${handle}\n${post.publishedAt}\n${action}\n${tier}`
  const drawn = Number.parseInt(hash('sha256', name, 'hex').slice(0, 12), 16)
  return (drawn + generation) % choices
}
