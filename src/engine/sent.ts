/** Owns reading off an action's attempts what there is to send, what is out, and what may be. */

import { splitSegments } from '../core/segments.ts'
import type { ActionRow, AttemptRow } from '../ledger/rows.ts'
import type { Description, Landed } from '../platform/platform.ts'

/** What each call to the network says: one text, or all of a thread that goes out at once. */
export function unitsOf(
  action: ActionRow,
  description: Description,
): readonly (readonly string[])[] {
  const text = action.text ?? ''
  // Taking something back is one step, however many posts it was.
  if (action.action !== 'thread' || action.undoes !== null) return [[text]]
  const segments = splitSegments(text)
  return description.threadIsAtomic ? [segments] : segments.map((segment) => [segment])
}

/** What was sent of one segment; a long thread is not many failures. */
export function attemptsOf(
  attempts: readonly AttemptRow[],
  segment: number,
): readonly AttemptRow[] {
  return attempts.filter((attempt) => attempt.segment === segment)
}

/** What is out, one for each segment: where the network deduplicates, two sends may be one post. */
export function landedSegments(attempts: readonly AttemptRow[]): readonly AttemptRow[] {
  const bySegment = new Map<number, AttemptRow>()
  for (const attempt of attempts) {
    if (attempt.result === 'landed') bySegment.set(attempt.segment, attempt)
  }
  return [...bySegment.values()].sort((a, b) => a.segment - b.segment)
}

/** The last send of which nobody knows whether it landed, if its segment is not out for certain. */
export function findUnknown(attempts: readonly AttemptRow[]): AttemptRow | undefined {
  const out = new Set(landedSegments(attempts).map(({ segment }) => segment))
  return attempts.findLast(({ result, segment }) => result === 'unknown' && !out.has(segment))
}

/** The first send of the same that may have landed: from then on the network may know of it. */
export function firstUnknown(
  attempts: readonly AttemptRow[],
  segment: number,
): AttemptRow | undefined {
  return attemptsOf(attempts, segment).find(({ result }) => result === 'unknown')
}

export function toLanded({ remoteId }: Pick<AttemptRow, 'remoteId'>): Landed {
  const id = remoteId ?? ''
  return { remoteId: id, url: null, remoteIds: [id], postRemoteId: null, contentVersion: null }
}
