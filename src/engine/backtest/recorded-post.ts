/**
 * Owns a post as it was recorded, in the form that a replay of 100,000 of them can keep in memory:
 * numbers in rows, and samples only while the post is being replayed.
 */

import type { Instant } from '../../core/instant.ts'
import type { Sample } from '../../core/sample.ts'

export interface RecordedPost {
  readonly id: string
  readonly account: string
  readonly platform: string
  readonly publishedAt: Instant
  /** How old the post was at each reading, in ascending order, none of them twice. */
  readonly agesMs: Float64Array
  readonly engagements: Float64Array
  /** NaN where a reading has none; null where none has. */
  readonly impressions: Float64Array | null
  /** How many posts it stands for in a baseline: more than 1 where others like it were acted on. */
  readonly weight: number
  /** Whether someone acted on it: then its counters say nothing of how posts grow by themselves. */
  readonly actedOn: boolean
}

export function sampleOf(post: RecordedPost, index: number): Sample {
  const shown = post.impressions?.[index] ?? NaN
  return {
    at: post.publishedAt + (post.agesMs[index] as number),
    engagements: post.engagements[index] as number,
    impressions: Number.isNaN(shown) ? null : shown,
  }
}

export function samplesOf(post: RecordedPost): readonly Sample[] {
  return Array.from(post.agesMs, (_, index) => sampleOf(post, index))
}

/** What is known of a post beside its readings. */
export type PostHead = Omit<RecordedPost, 'agesMs' | 'engagements' | 'impressions'>

/** From samples in any order; of several at one instant the greatest counts. */
export function recordedFrom(head: PostHead, samples: readonly Sample[]): RecordedPost {
  const known = samples
    .filter(({ at }) => at >= head.publishedAt)
    .toSorted((a, b) => a.at - b.at || b.engagements - a.engagements)
  const kept = known.filter(({ at }, index) => known[index - 1]?.at !== at)
  const hasShown = kept.some(({ impressions }) => impressions !== null)
  return {
    ...head,
    agesMs: Float64Array.from(kept, ({ at }) => at - head.publishedAt),
    engagements: Float64Array.from(kept, ({ engagements }) => engagements),
    impressions: hasShown ? Float64Array.from(kept, ({ impressions }) => impressions ?? NaN) : null,
  }
}
