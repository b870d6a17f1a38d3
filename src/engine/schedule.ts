/** Owns when a post is looked at next: often while it is young, rarely later, then not at all. */

import type { Instant } from '../core/instant.ts'
import type { Policy } from '../core/policy.ts'

/** Null where its watch is over. */
export function nextCheckAt(publishedAt: Instant, now: Instant, policy: Policy): Instant | null {
  const ageMs = now - publishedAt
  for (const { untilAgeMs, everyMs } of policy.checks) {
    if (ageMs < untilAgeMs) return now + everyMs
  }
  return null
}
