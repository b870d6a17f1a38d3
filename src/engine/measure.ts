/**
 * Reads a post some time after it got its arm, in both arms alike, and stores what it gained since,
 * without what our own action added to the counters. After the last reading the post is closed.
 */

import { dayMs } from '../core/duration.ts'
import type { Json } from '../core/json.ts'
import type { Sample } from '../core/sample.ts'
import type { MeasurementRow, PostRow } from '../ledger/rows.ts'
import { measurementHorizonsMs } from '../ledger/steps/plan.ts'
import { learnFromMeasurement } from './learn.ts'
import { observe } from './observe.ts'
import { landedIds } from './outcome.ts'
import type { Parts } from './parts.ts'

/** `unread` where the post cannot be read now; then the measurement stays due. */
export async function measure(parts: Parts, due: MeasurementRow): Promise<'taken' | 'unread'> {
  const { ledger } = parts
  const post = await ledger.getPost(due.postId)
  const account = post === null ? null : await ledger.getAccount(post.accountId)
  if (post === null || account === null) return 'unread'
  if (post.status !== 'gone' && account.status === 'active') {
    const live = await observe(parts, account, [post])
    if (live.length === 0 && (await ledger.getPost(post.id))?.status !== 'gone') return 'unread'
  }
  await ledger.takeMeasurement({ ...due, ...(await gainSince(parts, post, due)) })
  if (due.horizonMs === dayMs) await learnFromMeasurement(parts, post.accountId)
  const isLast = due.horizonMs === measurementHorizonsMs.at(-1)
  // One that is gone stays so: that says more than that its time was over.
  const isGone = (await ledger.getPost(post.id))?.status === 'gone'
  if (isLast && !isGone) await ledger.closePost(post.id, 'closed')
  return 'taken'
}

async function gainSince(
  parts: Parts,
  post: PostRow,
  { dueAt, horizonMs, detail }: MeasurementRow,
): Promise<{ readonly gain: number | null; readonly detail: Json }> {
  const samples = await parts.ledger.listSamples(post.id)
  const from = samples.findLast(({ at }) => at <= dueAt - horizonMs)
  const to = samples.find(({ at }) => at >= dueAt)
  if (from === undefined || to === undefined) return { gain: null, detail }
  const artefacts = showsReplies(to) ? await countArtefacts(parts, post, to) : 0
  const gain = Math.max(0, to.engagements - from.engagements - artefacts)
  return {
    gain,
    detail: {
      // What was wanted when the arm was drawn stays: lift is grouped by it.
      ...fieldsOf(detail),
      fromAt: from.at,
      toAt: to.at,
      from: from.engagements,
      to: to.engagements,
      artefacts,
    },
  }
}

function fieldsOf(detail: Json): { readonly [field: string]: Json } {
  const isObject = typeof detail === 'object' && detail !== null && !isList(detail)
  return isObject ? detail : {}
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Where the network does not say what its engagements are, replies are taken to be among them. */
function showsReplies({ interactions }: Sample): boolean {
  return interactions === undefined || 'replies' in interactions
}

/**
 * Networks count the replies to the post itself: a comment is one, and so is a thread, of which
 * only the first post hangs on it. What was taken back is not counted any more, by them or here.
 */
async function countArtefacts(parts: Parts, post: PostRow, { at }: Sample): Promise<number> {
  const rows = await parts.ledger.listActions({ postId: post.id }, { after: null, limit: 100 })
  const ended = rows.filter(({ endedAt }) => endedAt !== null && endedAt <= at)
  const undone = new Set(
    ended.filter(({ state }) => state === 'success').map(({ undoes }) => undoes),
  )
  const standing = ended.filter(({ id, action, outcome }) => {
    return action !== 'edit' && landedIds(outcome).length > 0 && !undone.has(id)
  })
  return standing.length
}
