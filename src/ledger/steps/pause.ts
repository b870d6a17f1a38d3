/** Owns which of two pauses of the same thing lasts. */

import type { Instant } from '../../core/instant.ts'

/** Null stands for a pause that someone has to lift. */
export function outlasts(one: Instant | null, other: Instant | null): boolean {
  return one === null || (other !== null && one >= other)
}
