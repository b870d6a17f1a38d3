/** Small changes to a post: the owner's word, the end of its watch, a measurement taken. */

import type { NewEvent } from '../../core/events.ts'
import type { TakenMeasurement } from '../ledger.ts'
import type { MeasurementRow, PostRow } from '../rows.ts'
import { noChanges } from '../store.ts'
import type { PostView, Step } from '../store.ts'

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

export function closeStep({ post, now }: PostView, status: 'closed' | 'gone'): Step<PostRow> {
  if (post.status === status) return { result: post, changes: noChanges }
  const changed: PostRow = { ...post, status, nextCheckAt: null, closedAt: post.closedAt ?? now }
  const event: NewEvent = { type: 'post_closed', at: now, ...subjectOf(post), data: { status } }
  return { result: changed, changes: { post: changed, events: [event] } }
}

export function measureStep(
  { post, now }: PostView,
  due: MeasurementRow,
  { gain, detail }: TakenMeasurement,
): Step<MeasurementRow> {
  const taken: MeasurementRow = { ...due, takenAt: now, gain, detail }
  const data = { horizonMs: due.horizonMs, gain }
  const event: NewEvent = { type: 'measured', at: now, ...subjectOf(post), data }
  return { result: taken, changes: { measurements: [taken], events: [event] } }
}

function subjectOf(post: PostRow) {
  return { accountId: post.accountId, postId: post.id, actionId: null }
}
