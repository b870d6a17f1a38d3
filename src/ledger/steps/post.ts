/** Small changes to a post: the owner's word, the end of its watch, a measurement taken. */

import type { NewEvent } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import type { TakenMeasurement } from '../ledger.ts'
import type { MeasurementRow, PostRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { PostContent, Step } from '../store.ts'
import type { MeasurementView, PostView } from '../views.ts'

/** Said once, by the store that finds the post to be new. */
export function trackedEvent(post: PostRow): NewEvent {
  const data = { publishedAt: post.publishedAt }
  return { type: 'post_tracked', at: post.trackedAt, ...subjectOf(post), data }
}

export function neverTouchStep({ post, now }: PostView, on: boolean): Step<PostRow> {
  if (post.neverTouch === on) return { result: post, changes: noChanges }
  const changed: PostRow = { ...post, neverTouch: on }
  const event: NewEvent = { type: 'never_touch', at: now, ...subjectOf(post), data: { on } }
  return { result: changed, changes: { post: changed, events: [event] } }
}

/** What a post says, as the network shows it; null where that is not shown. */
export type SeenContent = Pick<PostContent, 'text' | 'contentVersion'>

/**
 * Takes over what the owner has made of a post. An edit that is open was written for what is
 * stored: until it has ended that stays, or nobody would notice that the owner was faster.
 */
export function contentStep(view: PostView, seen: SeenContent): Step<PostRow> {
  const { post, account, actions } = view
  const isBound = actions.some(({ action, endedAt }) => action === 'edit' && endedAt === null)
  if (isBound || account.status === 'erased' || saysSame(post, seen)) {
    return { result: post, changes: noChanges }
  }
  const { id: postId, remoteId } = post
  const text = seen.text ?? post.text
  const contentVersion = seen.contentVersion ?? post.contentVersion
  const postContent = { postId, remoteId, text, contentVersion }
  return { result: { ...post, text, contentVersion }, changes: { postContent } }
}

/** What is not shown is no difference. */
export function saysSame(post: SeenContent, seen: SeenContent): boolean {
  const isSame = (stored: string | null, shown: string | null) => shown === null || shown === stored
  return isSame(post.text, seen.text) && isSame(post.contentVersion, seen.contentVersion)
}

export function closeStep({ post, now }: PostView, status: 'closed' | 'gone'): Step<PostRow> {
  if (post.status === status) return { result: post, changes: noChanges }
  const changed: PostRow = { ...post, status, nextCheckAt: null, closedAt: post.closedAt ?? now }
  const event: NewEvent = { type: 'post_closed', at: now, ...subjectOf(post), data: { status } }
  const changes = { post: changed, thinVerdicts: post.id, events: [event] }
  return { result: changed, changes }
}

/** Of two takers the second is shown what the first wrote, and adds nothing. */
export function measureStep(
  { post, measurement: due, now }: MeasurementView,
  { gain, detail }: TakenMeasurement,
): Step<MeasurementRow> {
  if (due.takenAt !== null) return { result: due, changes: noChanges }
  const taken: MeasurementRow = { ...due, takenAt: now, gain, detail }
  const data = { horizonMs: due.horizonMs, gain }
  const event: NewEvent = { type: 'measured', at: now, ...subjectOf(post), data }
  return { result: taken, changes: { measurements: [taken], events: [event] } }
}

/**
 * A post whose remote id turned out to be another tracked post's, after an edit changed that one's:
 * they are one publication, and this row of it is over. It keeps a remote id that no network has.
 */
export function superseded(
  post: PostRow,
  now: Instant,
): { readonly row: PostRow; readonly events: readonly NewEvent[] } {
  const row: PostRow = {
    ...post,
    remoteId: `${supersededPrefix}${post.id}`,
    status: 'gone',
    nextCheckAt: null,
    closedAt: post.closedAt ?? now,
  }
  const data = { status: 'gone' }
  const event: NewEvent = { type: 'post_closed', at: now, ...subjectOf(post), data }
  return { row, events: post.status === 'gone' ? [] : [event] }
}

export const supersededPrefix = 'superseded:'

function subjectOf(post: PostRow) {
  return { accountId: post.accountId, postId: post.id, actionId: null }
}
