/** Owns what Bluesky can do, as the engine has to know it. */

import { dayMs, hourMs, secondMs } from '../../core/duration.ts'
import type { Json } from '../../core/json.ts'
import type { Description } from '../platform.ts'
import { readProfile } from './profile.ts'
import { textLength } from './text-length.ts'

export const platformName = 'bluesky'

/** A thread is one commit of the repository; the network would take 200 records. */
const threadMaximum = 10

/** A record made by `applyWrites`; `putRecord` costs 2. */
const pointsPerRecord = 3
const pointsPerHour = 5000
const pointsPerDay = 35_000

/** How many of the dearest requests fit. */
const requestsIn = (points: number) => Math.floor(points / (pointsPerRecord * threadMaximum))

export const counters = ['likes', 'reposts', 'replies', 'quotes', 'bookmarks'] as const

/**
 * Repeats of a write are recognised for as long as the record stands, because we choose its key.
 * Edits are off unless the owner asked for them: the server takes them, but the main app goes on
 * showing the first version.
 */
export function describeAccount(profile: Json): Description {
  const edits = readProfile(profile)?.edits ?? false
  return {
    platform: platformName,
    actions: {
      comment: { supported: true, writeClass: 'A', withinMs: null },
      edit: edits
        ? { supported: true, writeClass: 'A', withinMs: null }
        : { supported: false, why: 'Readers are shown the first version, whatever is edited.' },
      thread: { supported: true, writeClass: 'A', withinMs: null },
    },
    length: textLength,
    threadMaximum,
    threadIsAtomic: true,
    counters,
    hasImpressions: false,
    counterLagMs: 30 * secondMs,
    // What was written is read back from the same server, which knows it at once.
    visibleWithinMs: 10 * secondMs,
    deduplicatesForMs: null,
    observeBatch: 25,
    rates: [
      { name: 'writes per hour', windowMs: hourMs, maximum: requestsIn(pointsPerHour) },
      { name: 'writes per day', windowMs: dayMs, maximum: requestsIn(pointsPerDay) },
    ],
    canUndo: { comment: true, edit: edits, thread: true },
  }
}
