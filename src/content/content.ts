/** The port to what is said. Whatever writes the words, they are checked by the same rules. */

import type { Action, Tier } from '../core/action.ts'
import type { Instant } from '../core/instant.ts'

/** What a writer may know. Everything in it is the owner's own, or public. */
export interface ContentRequest {
  readonly action: Action
  readonly tier: Tier
  /** How many rows for this post, action and tier have ended: the next one gets other words. */
  readonly generation: number
  readonly platform: string
  readonly handle: string
  readonly post: {
    readonly text: string
    readonly url: string | null
    readonly publishedAt: Instant
    readonly ageMs: number
  }
  /** The newest counters. */
  readonly numbers: {
    readonly impressions: number | null
    readonly engagements: number
    readonly score: number
  }
  readonly limits: ContentLimits
  /** What the account said lately through us; near-identical text is refused. */
  readonly recentTexts: readonly string[]
}

export interface ContentLimits {
  /** At most this long, counted as the network counts. */
  readonly maximumLength: number
  readonly measure: (text: string) => number
  readonly threadMaximum: number
}

export type ContentResult =
  /** A thread's posts are joined into one text; see core/segments.ts. */
  | { readonly kind: 'text'; readonly text: string; readonly source: string }
  /** Nothing fit to say was found. Nothing is planned then. */
  | { readonly kind: 'nothing'; readonly why: string }

export interface Content {
  write(request: ContentRequest): Promise<ContentResult>
}
