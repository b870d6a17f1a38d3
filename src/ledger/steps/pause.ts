/** Owns how long a pause lasts, and which of two of the same thing. */

import type { Instant } from '../../core/instant.ts'

export function isInForce({ until }: { readonly until: Instant | null }, now: Instant): boolean {
  return until === null || until > now
}

/** Null stands for a pause that someone has to lift. */
export function outlasts(one: Instant | null, other: Instant | null): boolean {
  return one === null || (other !== null && one >= other)
}
