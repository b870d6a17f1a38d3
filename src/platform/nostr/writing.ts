/**
 * Owns writing: the event is made and signed once, so that its id is known before anything is sent,
 * and then it is handed to the relays as it is, however often that takes.
 */

import { z } from 'zod'
import { secondMs } from '../../core/duration.ts'
import type { Fault, FaultCode } from '../../core/fault.ts'
import { InputError, parseWith } from '../../core/input-error.ts'
import type { Json } from '../../core/json.ts'
import type { Description, Landed, Location, Preparation, WriteRequest } from '../platform.ts'
import { eventSchema, hexKey, kinds } from './event.ts'
import type { NostrEvent } from './event.ts'
import { linkTo } from './link.ts'
import { GroundLost, NotSent, RelaysFailed, StillThere } from './relay-errors.ts'
import type { Relays } from './relays.ts'
import { placeOfNote, readStanding } from './standing.ts'
import type { Shown, Standing } from './standing.ts'
import { hasTag, replyTags } from './tags.ts'

/** What a prepared write is made of. It comes back from the ledger, so it is parsed. */
const tokenSchema = z.strictObject({
  event: eventSchema,
  /** The post that is helped. */
  postId: hexKey,
  /** What the reply hangs on: the post, or the segment before. */
  parentId: hexKey,
})
type Token = z.infer<typeof tokenSchema>

export async function prepareReply(
  relays: Relays,
  request: WriteRequest,
  description: Description,
): Promise<Preparation> {
  const problem = problemOf(request, description)
  if (problem !== null) return problem
  const postId = parseWith(hexKey, request.target.remoteId, 'target.remoteId')
  const parentId = request.previous.at(-1)?.remoteIds.at(-1) ?? postId
  const ground = groundOf(await readStanding(relays, [postId, parentId]), postId, parentId)
  if ('lost' in ground) return { kind: 'changed', why: ground.lost }
  const { event: post, relay } = ground.post
  if (hasTag(post, '-') || hasTag(post, 'h')) {
    // A reply would go to all relays, and be seen by more people than the post (NIP-29, NIP-70).
    return refuse('unsupported', 'The post is meant for one group or relay only.')
  }
  const { signer } = relays.credentials
  const event = signer.sign({
    kind: kinds.note,
    created_at: Math.floor(request.preparedAt / secondMs),
    tags: replyTags({ post, parentId, author: signer.publicKey, relay }),
    content: request.texts[0] as string,
  })
  return { kind: 'ready', token: { event, postId, parentId } satisfies Token }
}

/** Why the write cannot be made, whatever the post looks like; null where it can. */
function problemOf(request: WriteRequest, description: Description): Preparation | null {
  const { action, texts, segment, previous } = request
  const ability = description.actions[action]
  if (!ability.supported) return refuse('unsupported', ability.why)
  const [text = ''] = texts
  if (texts.length !== 1) return refuse('invalid', `${texts.length} texts were given for one note.`)
  const most = action === 'thread' ? description.threadMaximum : 1
  if (segment >= most) {
    return refuse('invalid', `A thread has at most ${most} posts; this would be one more.`)
  }
  if (previous.length !== segment) {
    return refuse('invalid', `Segment ${segment} follows ${previous.length} that are out.`)
  }
  if (text.trim() === '') return refuse('invalid', 'The text is empty.')
  const { maximum, measure } = description.length
  const length = measure(text)
  if (length <= maximum) return null
  return refuse('invalid', `The text has a length of ${length}; at most ${maximum} fit.`)
}

function refuse(code: FaultCode, detail: string): Preparation {
  const fault: Fault = { landed: 'no', code, scope: 'request', retryAt: null, detail }
  return { kind: 'refused', fault }
}

/** Throws where too few relays answered to tell. */
function groundOf(
  standing: Standing,
  postId: string,
  parentId: string,
): { readonly post: Shown } | { readonly lost: string } {
  // A segment that was sent a moment ago may not be shown yet: only its deletion counts.
  if (standing.deleted.has(parentId)) return { lost: 'What it would answer was deleted.' }
  const place = placeOfNote(standing, postId)
  if (place.kind === 'unread') throw new RelaysFailed(standing.failures)
  return place.kind === 'gone' ? { lost: 'The post was deleted.' } : { post: place.shown }
}

/** Looks whether the post is still there, and then hands the event to every relay, once. */
export async function commitReply(relays: Relays, stored: Json): Promise<Landed> {
  const { event, postId, parentId } = parseToken(stored)
  try {
    const ground = groundOf(await readStanding(relays, [postId, parentId]), postId, parentId)
    if ('lost' in ground) throw new GroundLost(ground.lost)
  } catch (error) {
    throw new NotSent(error)
  }
  await relays.publish(event)
  return landedAs(relays, event)
}

export async function locateReply(relays: Relays, stored: Json): Promise<Location> {
  const { event } = parseToken(stored)
  const { shown, deleted, failures } = await readStanding(relays, [event.id])
  // What was deleted had landed.
  if (shown.has(event.id) || deleted.has(event.id)) {
    return { kind: 'found', landed: landedAs(relays, event) }
  }
  if (failures.length === 0) return { kind: 'not_found' }
  return { kind: 'cannot_tell', why: 'Some relays did not answer, and the others do not have it.' }
}

/**
 * Asks the relays to delete the reply (NIP-09), and looks whether they did. They are free not to,
 * and copies elsewhere are out of reach: done is only what none of the account's relays shows.
 */
export async function undoReply(relays: Relays, stored: Json): Promise<void> {
  const { event } = parseToken(stored)
  const request = relays.credentials.signer.sign({
    kind: kinds.deletion,
    // The same each time, so that asking again is the same request.
    created_at: event.created_at + 1,
    tags: [
      ['e', event.id],
      ['k', String(event.kind)],
    ],
    content: '',
  })
  await relays.publish(request)
  const { shown, failures } = await readStanding(relays, [event.id]).catch(() => {
    throw new StillThere('The request to delete was taken; whether it was followed is not known.')
  })
  if (shown.has(event.id)) throw new StillThere('A relay took the request to delete and keeps it.')
  if (failures.length === 0) return
  throw new StillThere('Some relays could not be asked whether it is gone.')
}

function parseToken(stored: Json): Token {
  try {
    return parseWith(tokenSchema, stored, 'token')
  } catch (error) {
    throw error instanceof InputError ? new NotSent(error) : error
  }
}

function landedAs({ credentials }: Relays, event: NostrEvent): Landed {
  return {
    remoteId: event.id,
    url: linkTo(event, credentials.relays[0] ?? null),
    remoteIds: [event.id],
    postRemoteId: null,
    contentVersion: null,
  }
}
