/**
 * Owns the counters. Relays hold different events of the same conversation, so the events
 * themselves are read and counted once each, over all relays. Where a post has more of them than a
 * relay gives at once, the relay's own count is asked for (NIP-45), or the rest is read page by
 * page. Either way the result is never more than there is.
 */

import { kinds } from './event.ts'
import type { NostrEvent } from './event.ts'
import type { RelayFacts } from './profile.ts'
import type { Filter } from './relay-message.ts'
import type { RelaySession } from './relay-session.ts'
import { ancestryOf, isMention, valuesOf } from './tags.ts'

export const counters = ['likes', 'replies', 'reposts', 'quotes', 'zaps'] as const
export type Counter = (typeof counters)[number]

type Tag = '#e' | '#q'

/** What a relay is asked for, by counter. A count cannot tell a dislike from a like. */
const asked: Readonly<Record<Counter, readonly [tag: Tag, ...kinds: readonly number[]]>> = {
  likes: ['#e', kinds.reaction],
  replies: ['#e', kinds.note],
  reposts: ['#e', kinds.repost, kinds.genericRepost],
  quotes: ['#q', kinds.note],
  zaps: ['#e', kinds.zapReceipt],
}

/** Counters that are asked for together, because they stand under the same tag. */
interface Group {
  readonly tag: Tag
  readonly counters: readonly Counter[]
  /** Whether a relay's own count is the right one. */
  readonly canBeCounted: boolean
}

const groups: readonly Group[] = [
  // A relay would count the whole conversation; what counts is what answers the post itself.
  { tag: '#e', counters: ['replies'], canBeCounted: false },
  { tag: '#e', counters: ['likes', 'reposts', 'zaps'], canBeCounted: true },
  { tag: '#q', counters: ['quotes'], canBeCounted: true },
]

/** What one relay has on some posts. */
export interface Interactions {
  readonly events: readonly NostrEvent[]
  readonly counts: readonly RelayCount[]
}

interface RelayCount {
  readonly postId: string
  readonly counter: Counter
  readonly count: number
}

const pageEvents = 500
/** No relay gives fewer than this without saying so; a shorter page is the last one. */
const shortestFullPage = 100
const mostPages = 20

export async function readInteractions(
  session: RelaySession,
  postIds: readonly string[],
  facts: RelayFacts | undefined,
): Promise<Interactions> {
  const limit = Math.min(pageEvents, facts?.maximumEvents ?? pageEvents)
  const events = new Map<string, NostrEvent>()
  const counts: RelayCount[] = []
  for (const { tag, counters: wanted, canBeCounted } of groups) {
    const allKinds = wanted.flatMap((counter) => asked[counter].slice(1) as number[])
    const filter: Filter = { kinds: allKinds, [tag]: postIds, limit }
    const page = await session.query([filter])
    for (const event of page) events.set(event.id, event)
    if (isLast(page, filter)) continue
    if (canBeCounted && facts?.canCount === true) {
      counts.push(...(await countAll(session, postIds, wanted)))
    } else {
      await readOn(session, filter, page, events)
    }
  }
  return { events: [...events.values()], counts }
}

async function countAll(
  session: RelaySession,
  postIds: readonly string[],
  wanted: readonly Counter[],
): Promise<readonly RelayCount[]> {
  const questions = postIds.flatMap((postId) => wanted.map((counter) => ({ postId, counter })))
  const filters = questions.map(({ postId, counter }): Filter => {
    const [tag, ...kindNumbers] = asked[counter]
    return { kinds: kindNumbers, [tag]: [postId] }
  })
  const numbers = await session.count(filters)
  return questions.flatMap((question, index) => {
    const count = numbers[index] ?? null
    return count === null ? [] : [{ ...question, count }]
  })
}

function isLast(page: readonly NostrEvent[], { limit = pageEvents }: Filter): boolean {
  return page.length < Math.min(limit, shortestFullPage)
}

/** The pages after the first, each ending where the one before began. */
async function readOn(
  session: RelaySession,
  filter: Filter,
  first: readonly NostrEvent[],
  events: Map<string, NostrEvent>,
): Promise<void> {
  let page = first
  let isNew = true
  for (let count = 1; count < mostPages; count += 1) {
    const oldest = Math.min(...page.map((event) => event.created_at))
    // A page of one second has to be stepped over, or the same one would come again.
    page = await session.query([{ ...filter, until: isNew ? oldest : oldest - 1 }])
    const sizeBefore = events.size
    for (const event of page) events.set(event.id, event)
    isNew = events.size > sizeBefore
    if (isLast(page, filter)) return
  }
}

/** The counters of one post, from what all relays have. */
export function countFor(
  postId: string,
  readings: readonly Interactions[],
): Readonly<Record<Counter, number>> {
  const ids: Record<Counter, Set<string>> = {
    likes: new Set(),
    replies: new Set(),
    reposts: new Set(),
    quotes: new Set(),
    zaps: new Set(),
  }
  const most = { likes: 0, replies: 0, reposts: 0, quotes: 0, zaps: 0 }
  for (const { events, counts } of readings) {
    for (const event of events) {
      const counter = counterOf(event, postId)
      if (counter !== null) ids[counter].add(event.id)
    }
    for (const { postId: counted, counter, count } of counts) {
      if (counted === postId) most[counter] = Math.max(most[counter], count)
    }
  }
  for (const counter of counters) most[counter] = Math.max(most[counter], ids[counter].size)
  return most
}

/** What an event is for a post; null where it is nothing that counts. */
export function counterOf(event: NostrEvent, postId: string): Counter | null {
  switch (event.kind) {
    case kinds.reaction:
      // A reaction names the whole conversation; the last one is what it is for (NIP-25).
      if (valuesOf(event, 'e').at(-1) !== postId) return null
      return event.content.trim() === '-' ? null : 'likes'
    case kinds.repost:
    case kinds.genericRepost:
      return valuesOf(event, 'e').includes(postId) ? 'reposts' : null
    case kinds.zapReceipt:
      return valuesOf(event, 'e').includes(postId) ? 'zaps' : null
    case kinds.note:
      // Further down it answers someone else, or is the rest of a thread.
      if (ancestryOf(event)?.parent === postId) return 'replies'
      return valuesOf(event, 'q').includes(postId) || isMention(event, postId) ? 'quotes' : null
    default:
      return null
  }
}
