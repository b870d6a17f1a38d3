/**
 * Measures what other posts' history costs: the same evaluations by the classic executor, and by
 * the original in Python where it is given, with 10, 1,000 and 100,000 records in the file.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SelfHealingExecutor } from '../../src/classic/index.ts'
import type { EvaluationResult, PostMetricsPoint } from '../../src/classic/index.ts'
import { actionKey, formatInstant } from '../../src/core/index.ts'
import { minuteMs } from '../../src/core/duration.ts'
import type { Original } from './original.ts'
import { elapsedTime, medianNs, medianRatio, processorTime, takeTurns } from './rounds.ts'
import type { Contestant } from './rounds.ts'
import { samplesOf, workloadNow } from './workload.ts'

export const historySizes = [10, 1000, 100_000] as const
type HistorySize = (typeof historySizes)[number]

export interface SizeFigure {
  readonly records: number
  readonly nsEach: number
  /** Against the same with 10 records. */
  readonly ratio: number
}

export interface OriginalFigure {
  readonly records: number
  readonly classicNsEach: number
  readonly originalNsEach: number
  /** How many times as fast as the original. */
  readonly ratio: number
}

/** How many operations make a round: about as many as give each the same time. */
const perRound = {
  classic: { evaluate: 3000, persist: { 10: 40, 1000: 20, 100_000: 1 } },
  original: {
    evaluate: { 10: 300, 1000: 100, 100_000: 5 },
    persist: { 10: 40, 1000: 5, 100_000: 1 },
  },
} as const

const posts = 64
const now = new Date(workloadNow)

/** An executor on a file of other posts' records, and what to ask it. */
export interface Case {
  readonly records: HistorySize
  readonly path: string
  readonly executor: SelfHealingExecutor
}

export function openCases(folder: string): Case[] {
  return historySizes.map((records) => {
    const path = join(folder, `history-${records}.json`)
    writeFileSync(path, JSON.stringify(otherRecords(records, workloadNow), null, 2))
    return {
      records,
      path,
      executor: new SelfHealingExecutor({ config: {}, persistencePath: path }),
    }
  })
}

const metrics: readonly (readonly PostMetricsPoint[])[] = Array.from({ length: posts }, (_, n) =>
  samplesOf(n).map(({ at, impressions, engagements }) => ({
    timestamp: new Date(at),
    impressions: impressions ?? 0,
    engagements,
  })),
)

export async function measureSizes(cases: readonly Case[]): Promise<SizeFigure[]> {
  const rounds = await takeTurns(cases.map(evaluating), { rounds: 15, warmUp: 3 })
  return cases.map(({ records }) => ({
    records,
    nsEach: Math.round(medianNs(rounds, nameOf('classic', records))),
    ratio: medianRatio(rounds, nameOf('classic', records), nameOf('classic', 10)),
  }))
}

export async function measureEvaluation(
  cases: readonly Case[],
  original: Original,
): Promise<OriginalFigure[]> {
  const contestants = cases.flatMap((entry) => [
    evaluating(entry),
    originalDoing('evaluate', entry, original),
  ])
  const rounds = await takeTurns(contestants, { rounds: 7, warmUp: 1 })
  return cases.map(({ records }) => compared(rounds, records))
}

export async function measurePersisting(
  cases: readonly Case[],
  original: Original,
): Promise<OriginalFigure[]> {
  const contestants = cases.flatMap((entry) => [
    persisting(entry),
    originalDoing('persist', entry, original),
  ])
  const rounds = await takeTurns(contestants, { rounds: 3, warmUp: 1 })
  return cases.map(({ records }) => compared(rounds, records))
}

/** Throws unless both give the same answers: a ratio between different answers means nothing. */
export async function requireSameAnswers(cases: readonly Case[], original: Original) {
  for (const entry of cases) {
    for (const number of [0, 1, posts - 1]) {
      const ours = JSON.stringify(evaluate(entry.executor, number))
      const theirs = JSON.stringify(await original.answer(entry.path, questionOf(number)))
      if (ours !== theirs) throw new Error(`Answers differ: ${ours} here, ${theirs} there`)
    }
  }
}

function compared(rounds: Awaited<ReturnType<typeof takeTurns>>, records: number): OriginalFigure {
  const [ours, theirs] = [nameOf('classic', records), nameOf('original', records)]
  return {
    records,
    classicNsEach: Math.round(medianNs(rounds, ours)),
    originalNsEach: Math.round(medianNs(rounds, theirs)),
    ratio: medianRatio(rounds, theirs, ours),
  }
}

const nameOf = (who: 'classic' | 'original', records: number) => `${who} with ${records}`

function evaluate(executor: SelfHealingExecutor, index: number): EvaluationResult {
  const number = index % posts
  return executor.evaluateAndPlan(`post-${number}`, metrics[number] ?? [], now)
}

function evaluating({ records, executor }: Case): Contestant {
  const round = processorTime(perRound.classic.evaluate, (index) => {
    evaluate(executor, index)
  })
  return { name: nameOf('classic', records), round }
}

/** Evaluates a post and records an outcome under its key: always the same, so none is added. */
function persisting({ records, executor }: Case): Contestant {
  const round = elapsedTime(perRound.classic.persist[records], () => {
    const result = evaluate(executor, 0)
    if (!('idempotency_key' in result)) throw new Error('The workload must come to a key')
    executor.persistOutcome({
      postId: 'post-0',
      actionType: 'edit',
      tier: 'tier_2',
      idempotencyKey: result.idempotency_key,
      status: 'failed',
      errorCode: 'timeout',
      now,
    })
  })
  return { name: nameOf('classic', records), round }
}

function originalDoing(
  what: 'evaluate' | 'persist',
  { records, path }: Case,
  original: Original,
): Contestant {
  const count = perRound.original[what][records]
  return { name: nameOf('original', records), round: () => original.time(what, path, count) }
}

/** What the original is asked, for the numbered post. */
export function questionOf(number: number) {
  return {
    post_id: `post-${number}`,
    now: formatInstant(workloadNow),
    metrics: samplesOf(number).map(({ at, impressions, engagements }) => ({
      timestamp: formatInstant(at),
      impressions,
      engagements,
    })),
  }
}

export const questions = Array.from({ length: posts }, (_, number) => questionOf(number))

/** As the original writes them, of posts that are never asked about; five for each. */
export function otherRecords(count: number, newestAt: number): readonly object[] {
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
