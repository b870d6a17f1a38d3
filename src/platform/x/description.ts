/** Owns what can be done on X, as far as the account's profile proves it. */

import type { ActionCapability } from '../../core/capabilities.ts'
import { minuteMs } from '../../core/duration.ts'
import type { Description } from '../platform.ts'
import { batchSize } from './api.ts'
import type { Profile } from './profile.ts'
import { maximumLength, weightedLength } from './text.ts'

export const platformName = 'x'

const off = (why: string): ActionCapability => ({ supported: false, why })

const unproven = off(
  'X lets apps reply only where the author mentioned the account; secondwind accounts prove ' +
    'tries out whether this one may reply to itself.',
)

export function describeX(profile: Profile | null): Description {
  const reply = profile?.repliesProven === true ? readBack(null) : unproven
  const isProven = profile?.repliesProven === true
  return {
    platform: platformName,
    actions: { comment: reply, edit: editOf(profile), thread: reply },
    length: { maximum: maximumLength, measure: weightedLength },
    threadMaximum: isProven ? 25 : 1,
    threadIsAtomic: false,
    counters: ['replies', 'reposts', 'likes', 'quotes', 'bookmarks'],
    hasImpressions: true,
    counterLagMs: minuteMs,
    visibleWithinMs: minuteMs,
    deduplicatesForMs: null,
    observeBatch: batchSize,
    rates: [
      { name: 'posts', windowMs: 15 * minuteMs, maximum: 100 },
      { name: 'reads', windowMs: 15 * minuteMs, maximum: 900 },
    ],
    // To take an edit back would be one more edit, and to delete a version deletes them all.
    canUndo: { comment: isProven, edit: false, thread: isProven },
  }
}

/** X may refuse a text that was posted lately; nobody promises that, so it is not relied on. */
function readBack(withinMs: number | null): ActionCapability {
  return { supported: true, writeClass: 'B', withinMs }
}

/** As X documents it, where no post of the account has shown another. */
const documentedWindowMs = 30 * minuteMs

function editOf(profile: Profile | null): ActionCapability {
  if (profile === null) return off('The account was not asked yet what it can do.')
  if (!profile.isPremium) return off('Only accounts with Premium can edit posts.')
  return readBack(profile.editWindowMs ?? documentedWindowMs)
}
