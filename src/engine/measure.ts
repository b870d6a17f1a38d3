/**
 * Reads a post some time after it got its arm, in both arms alike, and stores what it gained since,
 * without what our own action added to the counters. After the last reading the post is closed.
 */

import type { Sample } from '../core/sample.ts'
import type { MeasurementRow, PostRow } from '../ledger/rows.ts'
import { measurementHorizonsMs } from '../ledger/steps/plan.ts'
import { observe } from './observe.ts'
import { landedIds } from './outcome.ts'
import type { Parts } from './parts.ts'

export async function measure(parts: Parts, due: MeasurementRow): Promise<void> {
  const { ledger } = parts
  const post = await ledger.getPost(due.postId)
  const account = post === null ? null : await ledger.getAccount(post.accountId)
  if (post === null || account === null) return
  if (post.status !== 'gone' && account.status === 'active') {
    const live = await observe(parts, account, [post])
    // It could not be read now; it stays due.
    if (live.length === 0 && (await ledger.getPost(post.id))?.status !== 'gone') return
  }
  await ledger.takeMeasurement({ ...due, ...(await gainSince(parts, post, due)) })
  if (due.horizonMs === measurementHorizonsMs.at(-1)) await ledger.closePost(post.id, 'closed')
}

async function gainSince(parts: Parts, post: PostRow, { dueAt, horizonMs }: MeasurementRow) {
  const samples = await parts.ledger.listSamples(post.id)
  const from = samples.findLast(({ at }) => at <= dueAt - horizonMs)
  const to = samples.find(({ at }) => at >= dueAt)
  if (from === undefined || to === undefined) return { gain: null, detail: null }
  const artefacts = await countArtefacts(parts, post, to)
  const gain = Math.max(0, to.engagements - from.engagements - artefacts)
  return {
    gain,
    detail: {
      fromAt: from.at,
      toAt: to.at,
      from: from.engagements,
      to: to.engagements,
      artefacts,
    },
  }
}

/** Each post that we added below it counts as a reply in the network's counters. */
async function countArtefacts(parts: Parts, post: PostRow, { at }: Sample): Promise<number> {
  let count = 0
  const rows = await parts.ledger.listActions({ postId: post.id }, { after: null, limit: 100 })
  for (const row of rows) {
    if (row.action !== 'edit' && row.endedAt !== null && row.endedAt <= at) {
      count += landedIds(row.outcome).length
    }
  }
  return count
}
