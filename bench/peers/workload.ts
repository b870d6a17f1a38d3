/** Owns what all peers are measured on: the same records of other posts, and the same questions. */

import type { PostMetricsPoint } from '../../src/classic/index.ts'
import { dayMs } from '../../src/core/duration.ts'
import { systemClock } from '../../src/system.ts'
import { otherRecords, questions } from '../core/history-sizes.ts'
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

export function recordsOf(count: Size): readonly object[] {
  return otherRecords(count, newestAt)
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
