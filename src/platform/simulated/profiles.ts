/**
 * Owns the simulated networks on offer, each shaped after a real one as far as its writes, counters
 * and limits matter. Their numbers are round; what counts is that their kinds differ.
 */

import type { Action } from '../../core/action.ts'
import type { ActionCapability, WriteClass } from '../../core/capabilities.ts'
import { hourMs, minuteMs, secondMs } from '../../core/duration.ts'
import type { Description } from '../platform.ts'
import type { EditRules, Profile, RateRule } from './profile.ts'
import {
  countCodePoints,
  countGraphemes,
  countUtf16,
  countUtf8Bytes,
  countWeighted,
} from './text-length.ts'

const can = (writeClass: WriteClass, withinMs: number | null = null): ActionCapability => ({
  supported: true,
  writeClass,
  withinMs,
})
const cannot = (why: string): ActionCapability => ({ supported: false, why })

const undoable = (...names: readonly Action[]): Readonly<Record<Action, boolean>> => ({
  comment: names.includes('comment'),
  edit: names.includes('edit'),
  thread: names.includes('thread'),
})

const noEdits: EditRules = {
  conditional: false,
  replacesAll: false,
  givesNewId: false,
  unchanged: 'refused',
}

function profile(
  description: Omit<Description, 'rates'>,
  rest: Omit<Profile, 'description'>,
): Profile {
  const rates = rest.rates.map(({ name, windowMs, maximum }) => ({ name, windowMs, maximum }))
  return { ...rest, description: { ...description, rates } }
}

const perFiveMinutes: readonly RateRule[] = [
  { name: 'calls', windowMs: 5 * minuteMs, maximum: 300, counts: 'every_call' },
  { name: 'posts', windowMs: 3 * hourMs, maximum: 300, counts: 'writes' },
]

/** Client-chosen record keys, atomic threads, no edits, no impressions. */
const bluesky = profile(
  {
    platform: 'simulated-bluesky',
    actions: {
      comment: can('A'),
      edit: cannot('Readers are shown the first version of a post, whatever is edited.'),
      thread: can('A'),
    },
    length: { maximum: 300, measure: countGraphemes },
    threadMaximum: 10,
    threadIsAtomic: true,
    counters: ['likes', 'replies', 'reposts', 'quotes', 'bookmarks'],
    hasImpressions: false,
    counterLagMs: 5 * secondMs,
    visibleWithinMs: 30 * secondMs,
    deduplicatesForMs: null,
    observeBatch: 25,
    canUndo: undoable('comment', 'thread'),
  },
  {
    recognition: {
      by: 'record_key',
      afterDeletion: 'made_again',
      repeatedThread: 'server_error',
    },
    readsBack: true,
    edits: noEdits,
    rates: [
      { name: 'calls', windowMs: 5 * minuteMs, maximum: 3000, counts: 'every_call' },
      { name: 'writes', windowMs: hourMs, maximum: 1600, counts: 'writes' },
    ],
  },
)

const mastodonDescription: Omit<Description, 'rates'> = {
  platform: 'simulated-mastodon',
  actions: { comment: can('A'), edit: can('B'), thread: can('A') },
  length: { maximum: 500, measure: countCodePoints },
  threadMaximum: 10,
  threadIsAtomic: false,
  counters: ['likes', 'replies', 'reposts', 'quotes'],
  hasImpressions: false,
  counterLagMs: 0,
  visibleWithinMs: 10 * secondMs,
  deduplicatesForMs: hourMs,
  observeBatch: 20,
  canUndo: undoable('comment', 'edit', 'thread'),
}

/** Idempotency keys that hold for an hour; an edit replaces all that it does not mention. */
const mastodon = profile(mastodonDescription, {
  recognition: { by: 'idempotency_key', rememberedMs: hourMs },
  readsBack: true,
  edits: { conditional: false, replacesAll: true, givesNewId: false, unchanged: 'accepted' },
  rates: perFiveMinutes,
})

/** Speaks like Mastodon, and ignores idempotency keys. */
const gotosocial = profile(
  {
    ...mastodonDescription,
    platform: 'simulated-gotosocial',
    actions: { comment: can('B'), edit: can('B'), thread: can('B') },
    deduplicatesForMs: null,
  },
  {
    recognition: { by: 'nothing' },
    readsBack: true,
    edits: { conditional: false, replacesAll: true, givesNewId: false, unchanged: 'refused' },
    rates: perFiveMinutes,
  },
)

/** Edits only, within an hour, and each gives the post another id. Shows impressions. */
const x = profile(
  {
    platform: 'simulated-x',
    actions: {
      comment: cannot('Replies need the permission of the network.'),
      edit: can('B', hourMs),
      thread: cannot('Replies need the permission of the network.'),
    },
    length: { maximum: 280, measure: countWeighted },
    threadMaximum: 1,
    threadIsAtomic: false,
    counters: ['likes', 'replies', 'reposts', 'quotes', 'bookmarks'],
    hasImpressions: true,
    counterLagMs: 0,
    visibleWithinMs: minuteMs,
    deduplicatesForMs: null,
    observeBatch: 100,
    canUndo: undoable(),
  },
  {
    recognition: { by: 'nothing' },
    readsBack: true,
    edits: { conditional: true, replacesAll: false, givesNewId: true, unchanged: 'refused' },
    rates: [
      { name: 'calls', windowMs: 15 * minuteMs, maximum: 900, counts: 'every_call' },
      { name: 'edits', windowMs: 15 * minuteMs, maximum: 100, counts: 'writes' },
    ],
  },
)

/** The id is a hash of the content, so the same event sent again is the same event. */
const nostr = profile(
  {
    platform: 'simulated-nostr',
    actions: {
      comment: can('A'),
      edit: cannot('An event is signed and cannot change.'),
      thread: can('A'),
    },
    length: { maximum: 5000, measure: countUtf8Bytes },
    threadMaximum: 10,
    threadIsAtomic: false,
    counters: ['likes', 'replies', 'reposts'],
    hasImpressions: false,
    counterLagMs: 0,
    visibleWithinMs: 15 * secondMs,
    deduplicatesForMs: null,
    observeBatch: 50,
    canUndo: undoable('comment', 'thread'),
  },
  {
    recognition: { by: 'record_key', afterDeletion: 'stays_gone', repeatedThread: 'same' },
    readsBack: true,
    edits: noEdits,
    rates: [{ name: 'calls', windowMs: minuteMs, maximum: 600, counts: 'every_call' }],
  },
)

/** A bot writes and can never read back what it wrote. */
const telegram = profile(
  {
    platform: 'simulated-telegram',
    actions: {
      comment: can('C'),
      edit: cannot('A post cannot be read again, so an edit could undo what its owner changed.'),
      thread: can('C'),
    },
    length: { maximum: 4096, measure: countUtf16 },
    threadMaximum: 10,
    threadIsAtomic: false,
    counters: ['likes'],
    hasImpressions: false,
    counterLagMs: minuteMs,
    visibleWithinMs: 0,
    deduplicatesForMs: null,
    observeBatch: 100,
    canUndo: undoable('comment', 'thread'),
  },
  {
    recognition: { by: 'nothing' },
    readsBack: false,
    edits: noEdits,
    rates: [{ name: 'calls', windowMs: minuteMs, maximum: 600, counts: 'every_call' }],
  },
)

/** Everything there is, and nothing is recognised when it is sent again. */
const full = profile(
  {
    platform: 'simulated-full',
    actions: { comment: can('B'), edit: can('B'), thread: can('B') },
    length: { maximum: 500, measure: countCodePoints },
    threadMaximum: 10,
    threadIsAtomic: false,
    counters: ['likes', 'replies', 'reposts', 'quotes', 'bookmarks'],
    hasImpressions: true,
    counterLagMs: 0,
    visibleWithinMs: 30 * secondMs,
    deduplicatesForMs: null,
    observeBatch: 100,
    canUndo: undoable('comment', 'edit', 'thread'),
  },
  {
    recognition: { by: 'nothing' },
    readsBack: true,
    edits: { conditional: true, replacesAll: false, givesNewId: false, unchanged: 'accepted' },
    rates: perFiveMinutes,
  },
)

export const profiles = { bluesky, mastodon, gotosocial, x, nostr, telegram, full } as const
export type ProfileName = keyof typeof profiles
export const profileNames = Object.keys(profiles) as readonly ProfileName[]
