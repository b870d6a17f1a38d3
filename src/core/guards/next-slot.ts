/**
 * Owns when an account's budget has room for one more, where some of it is promised already. The
 * guard looks back from now; this looks ahead, so that a plan is made for a time at which its claim
 * can pass. Whether it does is still the claim's to say.
 */

import { minuteMs } from '../duration.ts'
import type { TallyEntry } from '../history.ts'
import type { Instant } from '../instant.ts'

/** At most so many in any stretch of that length, both its ends included. */
export interface SlidingLimit {
  readonly windowMs: number
  readonly maximum: number
}

/** What counts against the limits. */
export interface Taken {
  readonly claims: readonly TallyEntry[]
  /** When those are due that are planned, and that nobody has claimed yet. */
  readonly reserved: readonly Instant[]
}

/**
 * What is due is claimed a little later, when a worker comes to it. Slots keep that much apart, or
 * each would be a moment too early for its claim.
 */
export const claimedWithinMs = minuteMs

/**
 * The earliest time from now on at which one more fits, also beside those that are due later: a
 * slot that was given is never taken away. Null where a limit allows none at all.
 */
export function nextSlot(
  limits: readonly SlidingLimit[],
  { claims, reserved }: Taken,
  now: Instant,
): Instant | null {
  const taken = [
    ...claims.flatMap(({ at, count }) =>
      Array.from({ length: count }, () => ({ from: at, to: at })),
    ),
    // What is overdue can be claimed any moment.
    ...reserved.map((at) => spanFrom(Math.max(at, now))),
  ].sort(byStart)
  const fits = (at: Instant) => limits.every((limit) => hasRoom(taken, spanFrom(at), limit))
  // Room comes only where something leaves a window, just after its end.
  const ends = limits.flatMap(({ windowMs }) =>
    taken.map(({ to }) => Math.floor(to) + windowMs + 1),
  )
  const times = [now, ...ends.filter((at) => at > now).sort((a, b) => a - b)]
  return times.find(fits) ?? null
}

/** Between which times something is claimed. */
interface Span {
  readonly from: Instant
  readonly to: Instant
}

function spanFrom(at: Instant): Span {
  return { from: at, to: at + claimedWithinMs }
}

function byStart(a: Span, b: Span): number {
  return a.from - b.from
}

/**
 * Whether no window that the new one falls into would hold one more than the maximum. Windows that
 * were too full before, by what was put off to one time, are none of its business.
 */
function hasRoom(taken: readonly Span[], added: Span, { windowMs, maximum }: SlidingLimit) {
  const place = taken.filter(({ from }) => from <= added.from).length
  const spans = taken.toSpliced(place, 0, added)
  for (let first = Math.max(0, place - maximum); first <= place; first += 1) {
    const last = spans[first + maximum]
    if (last !== undefined && last.from - (spans[first] as Span).to <= windowMs) return false
  }
  return true
}
