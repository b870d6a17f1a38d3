/** Owns what all peers are measured on: the same records of other posts, and the same questions. */

import type { PostMetricsPoint } from '../../src/classic/index.ts'
import { dayMs, minuteMs } from '../../src/core/duration.ts'
import { actionKey, formatInstant } from '../../src/core/index.ts'
import { systemClock } from '../../src/system.ts'
import { questions } from '../core/history-sizes.ts'
import { workloadNow } from '../core/workload.ts'

export const sizes = [100, 1000, 10_000] as const
export type Size = (typeof sizes)[number]

export const rounds = { decision: 11, action: 11, warmUp: 2 } as const

/** How many operations make a round: fewer where each takes longer. */
export const perRound = {
  original: {
    decision: { 100: 300, 1000: 100, 10_000: 20 },
    action: { 100: 20, 1000: 5, 10_000: 2 },
  },
  classic: {
    decision: { 100: 3000, 1000: 3000, 10_000: 3000 },
    action: { 100: 20, 1000: 20, 10_000: 5 },
  },
  ledger: {
    decision: { 100: 500, 1000: 500, 10_000: 500 },
    action: { 100: 20, 1000: 20, 10_000: 20 },
  },
} as const

/** One of those that are compared, with so many records behind it. */
export interface Peer extends AsyncDisposable {
  readonly name: keyof typeof perRound
  /** Decides so many times. Nanoseconds of the processor for each. */
  decide(count: number): number | Promise<number>
  /** Records so many actions. Nanoseconds for each as they pass, the disk included. */
  record(count: number): number | Promise<number>
}

/** Old enough on every clock that no window, cooldown or budget counts them. */
const newestAt = Math.min(workloadNow, systemClock.now()) - 3 * dayMs

/** As the original writes them, of posts that are never asked about; five for each. */
export function recordsOf(count: Size): readonly object[] {
  return Array.from({ length: count }, (_, index) => {
    const postId = `other-${Math.floor(index / 5)}`
    const status = index % 3 === 0 ? 'failed' : 'success'
    return {
      idempotency_key: actionKey(postId, 'comment', 'tier_1', index % 5),
      post_id: postId,
      action_type: 'comment',
      tier: 'tier_1',
      initiated_at: formatInstant(newestAt - index * minuteMs),
      status,
      attempts: 1 + (index % 2),
      outcome: { id: String(index) },
      error_code: status === 'failed' ? 'timeout' : null,
    }
  })
}

export interface Question {
  readonly postId: string
  readonly metrics: readonly PostMetricsPoint[]
  readonly now: Date
}

/** Read once: reading times from text is no part of a decision. */
export const readQuestions: readonly Question[] = questions.map(({ post_id, now, metrics }) => ({
  postId: post_id,
  now: new Date(now),
  metrics: metrics.map(({ timestamp, impressions, engagements }) => ({
    timestamp: new Date(timestamp),
    impressions: impressions ?? 0,
    engagements,
  })),
}))
