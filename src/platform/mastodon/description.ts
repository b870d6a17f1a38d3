/** Owns what can be done on a server of the Mastodon family, as far as its probe tells. */

import type { ActionCapability } from '../../core/capabilities.ts'
import { hourMs, minuteMs, secondMs } from '../../core/duration.ts'
import type { Description } from '../platform.ts'
import type { Profile } from './profile.ts'
import { createMeasure } from './text.ts'

export const platformName = 'mastodon'

/** Longer ones are read by nobody, and each post of one is a request of its own. */
export const threadMaximum = 25

const common = {
  platform: platformName,
  threadMaximum,
  threadIsAtomic: false,
  counters: ['replies', 'reposts', 'likes', 'quotes'],
  hasImpressions: false,
  counterLagMs: 0,
  // Large servers read from copies that follow behind.
  visibleWithinMs: 30 * secondMs,
  rates: [
    { name: 'requests', windowMs: 5 * minuteMs, maximum: 300 },
    { name: 'posts', windowMs: 3 * hourMs, maximum: 300 },
  ],
} as const

const unprobed: ActionCapability = {
  supported: false,
  why: 'The server was not asked yet what it can do.',
}

export function describeServer(profile: Profile | null): Description {
  if (profile === null) {
    const measure = createMeasure({ charactersPerUrl: 23, byGrapheme: false })
    return {
      ...common,
      actions: { comment: unprobed, edit: unprobed, thread: unprobed },
      length: { maximum: 500, measure },
      deduplicatesForMs: null,
      observeBatch: 1,
      canUndo: { comment: false, edit: false, thread: false },
    }
  }
  const { software, maximumCharacters, charactersPerUrl, canEdit, canDelete, keyKeptMs } = profile
  const reply: ActionCapability = {
    supported: true,
    // A key is sent with every reply, and relied on only where a trial proved it.
    writeClass: keyKeptMs === null ? 'B' : 'A',
    withinMs: null,
  }
  return {
    ...common,
    actions: { comment: reply, edit: canEdit ? edit : noEdit(software), thread: reply },
    length: {
      maximum: maximumCharacters,
      measure: createMeasure({ charactersPerUrl, byGrapheme: software === 'mastodon' }),
    },
    deduplicatesForMs: keyKeptMs,
    // As many as Mastodon gives at once; where each is read alone, as many as take no long time.
    observeBatch: 20,
    canUndo: { comment: canDelete, edit: canEdit, thread: canDelete },
  }
}

/** There is no key for an edit, but the post itself shows whether it was made. */
const edit: ActionCapability = { supported: true, writeClass: 'B', withinMs: null }

function noEdit(software: string): ActionCapability {
  return { supported: false, why: `This version of ${software} is not known to edit posts.` }
}
