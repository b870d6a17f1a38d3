/** Owns how a post is told, in a list and by itself. */

import type { PostSummary as SummaryRow } from '../../ledger/pages.ts'
import type { MeasurementRow, PostRow } from '../../ledger/rows.ts'
import type { MeasurementView, PostSummary, PostView } from '../schema/post.ts'
import { toSampleView } from './sample.ts'
import { iso, isoOrNull } from './time.ts'
import { toLatestView } from './verdict.ts'

export function toPostView(row: PostRow): PostView {
  return {
    id: row.id,
    accountId: row.accountId,
    platform: row.platform,
    remoteId: row.remoteId,
    url: row.url,
    text: row.text,
    publishedAt: iso(row.publishedAt),
    status: row.status,
    neverTouch: row.neverTouch,
    arm: row.arm,
    nextCheckAt: isoOrNull(row.nextCheckAt),
    trackedAt: iso(row.trackedAt),
    closedAt: isoOrNull(row.closedAt),
  }
}

export function toPostSummary(row: SummaryRow): PostSummary {
  return {
    ...toPostView(row),
    latest: row.latest === null ? null : toLatestView(row.latest),
    newestSample: row.newest === null ? null : toSampleView(row.newest),
    sparkline: row.points.map(({ at, engagements }) => ({ at: iso(at), engagements })),
    action: row.action === null ? null : { ...row.action },
  }
}

export function toMeasurementView(row: MeasurementRow): MeasurementView {
  const { horizonMs, dueAt, takenAt, gain } = row
  return { horizonMs, dueAt: iso(dueAt), takenAt: isoOrNull(takenAt), gain }
}
