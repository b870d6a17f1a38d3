/** Owns reading the account's posts: finding them, and how they do. */

import { secondMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { Observation, OwnReply, RemotePost } from '../platform.ts'
import { countFor, counters, readInteractions } from './counting.ts'
import { hexKey, kinds } from './event.ts'
import type { NostrEvent } from './event.ts'
import { linkTo } from './link.ts'
import type { NostrProfile } from './profile.ts'
import type { RelaySession } from './relay-session.ts'
import type { Relays } from './relays.ts'
import { deletionFilters, placeOfNote, toStanding } from './standing.ts'
import type { Standing } from './standing.ts'
import { ancestryOf } from './tags.ts'

const mostPosts = 500
const mostReplies = 500

/** The account's own notes that answer nothing, the newest first. */
export async function discoverPosts(
  relays: Relays,
  since: Instant,
  now: Instant,
): Promise<readonly RemotePost[]> {
  const { publicKey } = relays.credentials.signer
  const notes = {
    kinds: [kinds.note],
    authors: [publicKey],
    since: Math.floor(since / secondMs),
    // One that is dated ahead is found when its time has come.
    until: Math.ceil(now / secondMs),
    limit: mostPosts,
  }
  // A post of that time was deleted after it.
  const deletions = { kinds: [kinds.deletion], authors: [publicKey], since: notes.since }
  const asked = await relays.ask((session) => session.query([notes, deletions]))
  const { shown, deleted } = toStanding(asked)
  const posts = [...shown.values()].filter(
    ({ event }) => event.kind === kinds.note && ancestryOf(event) === null,
  )
  return posts
    .filter(({ event }) => !deleted.has(event.id))
    .toSorted((a, b) => b.event.created_at - a.event.created_at)
    .map(({ event, relay }) => ({
      remoteId: event.id,
      url: linkTo(event, relay),
      text: event.content,
      contentVersion: null,
      publishedAt: event.created_at * secondMs,
    }))
}

/** Counters and own replies of posts. One that could not be looked for everywhere is left out. */
export async function observePosts(
  relays: Relays,
  profile: NostrProfile,
  remoteIds: readonly string[],
  now: Instant,
): Promise<readonly Observation[]> {
  // A relay refuses the whole question for one id that is none.
  const ids = remoteIds.filter((id) => hexKey.safeParse(id).success)
  if (ids.length === 0) return []
  const { publicKey } = relays.credentials.signer
  const { answers, failures } = await relays.ask(async (session) => {
    const facts = profile.relays.find(({ url }) => url === session.relay)
    const events = await readNotes(session, publicKey, ids)
    return { events, interactions: await readInteractions(session, ids, facts) }
  })
  const notes = answers.map(({ relay, result }) => ({ relay, result: result.events }))
  const standing = toStanding({ answers: notes, failures })
  const readings = answers.map(({ result }) => result.interactions)
  return ids.flatMap((id): Observation[] => {
    const place = placeOfNote(standing, id)
    if (place.kind === 'unread') return []
    if (place.kind === 'gone') return [{ kind: 'deleted', remoteId: id }]
    const interactions = countFor(id, readings)
    const engagements = counters.reduce((sum, counter) => sum + interactions[counter], 0)
    return [
      {
        kind: 'live',
        remoteId: id,
        sample: { at: now, impressions: null, engagements, interactions },
        text: place.shown.event.content,
        contentVersion: null,
        ownReplies: ownRepliesTo(id, publicKey, standing),
      },
    ]
  })
}

/** The posts, the account's own replies to them, and what of both was deleted. */
function readNotes(
  session: RelaySession,
  author: string,
  ids: readonly string[],
): Promise<readonly NostrEvent[]> {
  const ownReplies = { kinds: [kinds.note], authors: [author], '#e': ids, limit: mostReplies }
  return session.query([{ ids }, ownReplies, ...deletionFilters(author, ids)])
}

function ownRepliesTo(id: string, author: string, standing: Standing): readonly OwnReply[] {
  return [...standing.shown.values()]
    .map(({ event }) => event)
    .filter(({ pubkey, kind }) => pubkey === author && kind === kinds.note)
    .filter((event) => ancestryOf(event)?.parent === id && !standing.deleted.has(event.id))
    .toSorted((a, b) => a.created_at - b.created_at)
    .map((event) => ({ remoteId: event.id, at: event.created_at * secondMs }))
}
