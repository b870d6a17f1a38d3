/**
 * The third stage: has it looked stalled often enough in a row? One reading may be an accident.
 * A look is one evaluation at one sample time under one policy version, so evaluating the same
 * reading again adds none.
 */

import type { Instant } from './instant.ts'

export interface LooksPolicy {
  /** How many consecutive stalled looks a plan needs, this one included. */
  readonly required: number
  /** Looks closer together than this count as one. */
  readonly minimumSpacingMs: number
  /** A longer silence than this between two looks starts the count again. */
  readonly maximumGapMs: number
}

/** An earlier evaluation of the same post. */
export interface Look {
  /** The time of the newest sample it saw. */
  readonly at: Instant
  /** The policy it was made under, as `name@version`. */
  readonly policy: string
  readonly score: number
  readonly stalled: boolean
}

export interface LooksReport {
  /** Consecutive stalled looks, this one included. */
  readonly stalled: number
  readonly required: number
}

export function countStalledLooks(
  current: Look,
  earlier: readonly Look[],
  policy: LooksPolicy,
): LooksReport {
  const { required } = policy
  if (!current.stalled) return { stalled: 0, required }
  if (required === 1) return { stalled: 1, required }
  let stalled = 1
  let lastCounted = current.at
  let lastSeen = current.at
  for (const look of newestFirst(earlier)) {
    if (look.policy !== current.policy || look.at >= current.at) continue
    if (stalled >= required) break
    if (!look.stalled || lastSeen - look.at > policy.maximumGapMs) break
    lastSeen = look.at
    if (lastCounted - look.at < policy.minimumSpacingMs) continue
    stalled += 1
    lastCounted = look.at
  }
  return { stalled, required }
}

/** They nearly always come in this order; of two at one instant a healthy one comes first. */
function newestFirst(looks: readonly Look[]): readonly Look[] {
  for (let index = 1; index < looks.length; index += 1) {
    if ((looks[index - 1] as Look).at > (looks[index] as Look).at) continue
    return looks.toSorted((a, b) => b.at - a.at || Number(a.stalled) - Number(b.stalled))
  }
  return looks
}
