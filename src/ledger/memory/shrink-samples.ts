/** Drops old readings of posts that are over, but for those that baselines need. */

import type { Instant } from '../../core/instant.ts'
import type { MemoryTables } from './tables.ts'

export function shrinkSamples(
  tables: MemoryTables,
  before: Instant,
  keepAgesMs: readonly number[],
  limit: number,
): number {
  let dropped = 0
  for (const [postId, list] of tables.samples) {
    const post = tables.posts.get(postId)
    if (post === undefined || post.status === 'watched') continue
    if (dropped >= limit) break
    const kept = new Set(
      keepAgesMs.map((ageMs) => list.findLast(({ at }) => at <= post.publishedAt + ageMs)),
    )
    const rest = list.filter((sample) => sample.at >= before || kept.has(sample))
    dropped += list.length - rest.length
    tables.samples.set(postId, rest)
  }
  return dropped
}
