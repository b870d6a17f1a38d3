/**
 * The task that every figure is about: at 1, 2, 4 and 8 hours flag a post whose gain from then to
 * 48 h is below 25 % of B_t, where B_t = expm1(mean ln(1 + gain)) over training posts of that age.
 * The first 70 % of a file, in its order, are for training, the rest for the test.
 */

import { ageRank } from '../../src/core/age-rank/age-rank.ts'
import { stagnantShare } from '../../src/core/age-rank/ages.ts'
import { expectedGainAt, layOut } from '../../src/core/age-rank/baseline.ts'
import type { Baseline } from '../../src/core/age-rank/baseline.ts'
import { curveOf, seriesOf } from '../../src/core/age-rank/curve.ts'
import { priorModel } from '../../src/core/age-rank/model.ts'
import { compare, standingAt } from '../../src/core/age-rank/ranks.ts'
import type { Standing } from '../../src/core/age-rank/ranks.ts'
import { hourMs } from '../../src/core/duration.ts'
import type { Sample } from '../../src/core/sample.ts'
import { sliceMs, slices } from './csv.ts'
import type { DataSet, RecordedPost } from './csv.ts'
import { detectorsFor } from './detectors.ts'
import type { Detector, PostLook } from './detectors.ts'
import { areaUnderCurve, atRecall, brierScore } from './metrics.ts'
import type { Judgement } from './metrics.ts'

const trainingShare = 0.7
export const taskHours = [1, 2, 4, 8] as const

/** When a post is looked at in its first 48 hours: often while young, less often later. */
export const lookHours = [
  1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 30, 36, 42,
] as const
export const looksInARow = 3
export const everRecall = 0.65

/** How a detector did on one data set, or at one age of it. */
export interface Figures {
  readonly posts: number
  readonly stagnant: number
  readonly auc: number | null
  readonly brier: number | null
  readonly precisionAtRecall80: number | null
  readonly falseAlarmsAtRecall80: number | null
}

export interface Result extends Figures {
  readonly dataset: string
  readonly detector: string
  /** How many past posts it learned from. */
  readonly pastPosts: number
  /** The share of judgements where the detector itself would rather say that it cannot tell. */
  readonly insufficient: number
  /** By three looks in a row, at the highest threshold that reaches 65 % of the stagnant posts. */
  readonly everFlaggedHealthy: number
  readonly everFlaggedStagnant: number
  /** Null where it abstains so often that no threshold reaches them. */
  readonly everThreshold: number | null
  readonly ages: readonly (Figures & { readonly ageHours: number })[]
}

/** A post of the test, at the ages of the task and of the looks. */
interface TestedPost {
  readonly looks: ReadonlyMap<number, PostLook>
  /** At the ages of the task only. */
  readonly stagnant: ReadonlyMap<number, boolean>
}

/** Trains and tests every detector. With `past`, only the newest so many posts are learned from. */
export function runTask(data: DataSet, past: number): readonly Result[] {
  const { training, tests } = split(data)
  const whole = baselineOf(training)
  const known = past === Infinity ? whole : baselineOf(wellObserved(training).slice(-past))
  const tested = tests.map((post) => lookAt(post, whole, known))
  return detectorsFor(known).map((detector) =>
    Object.assign(
      { dataset: data.name, detector: detector.name, pastPosts: known.size },
      gradeAtAges(tested, detector),
      gradeEverFlagged(tested, detector),
    ),
  )
}

export function split({ posts }: DataSet): {
  readonly training: readonly RecordedPost[]
  readonly tests: readonly RecordedPost[]
} {
  const at = Math.floor(posts.length * trainingShare)
  return { training: posts.slice(0, at), tests: posts.slice(at) }
}

export function baselineOf(posts: readonly RecordedPost[]): Baseline {
  return layOut(
    posts.flatMap((post) => {
      const result = curveOf(seenBy(post, slices), 0, { weight: 1, own: true })
      return result.kind === 'curve' ? [result.curve] : []
    }),
  )
}

/** Posts that were followed from the first hour to the end, as an account's own posts are. */
function wellObserved(posts: readonly RecordedPost[]): readonly RecordedPost[] {
  return posts.filter((post) => post.samples[2] !== null && post.samples.at(-1) !== null)
}

function lookAt(post: RecordedPost, training: Baseline, known: Baseline): TestedPost {
  const looks = new Map<number, PostLook>()
  const stagnant = new Map<number, boolean>()
  const end = standingOf(seenBy(post, slices))
  if (end === null) return { looks, stagnant }
  for (const hours of new Set<number>([...taskHours, ...lookHours])) {
    const samples = seenBy(post, Math.ceil((hours * hourMs) / sliceMs))
    const standing = standingOf(samples)
    const comparison = standing === null ? null : compare(known, standing)
    if (standing === null || comparison === null) continue
    const { ranks } = comparison
    const signal = ageRank({ samples, publishedAt: 0, baseline: known, model: priorModel })
    looks.set(hours, { samples, standing, ranks, sufficient: signal.kind === 'signal' })
    const expected = expectedGainAt(training, standing.ageMs)
    if (expected === null || !taskHours.some((age) => age === hours)) continue
    stagnant.set(hours, end.count - standing.count < stagnantShare * expected)
  }
  return { looks, stagnant }
}

/** What had been read of the post at this slice; nothing where the slice was not observed. */
function seenBy(post: RecordedPost, slice: number): readonly Sample[] {
  if ((post.samples[slice - 1] ?? null) === null) return []
  return post.samples.slice(0, slice).filter((sample) => sample !== null)
}

function standingOf(samples: readonly Sample[]): Standing | null {
  const newest = samples.at(-1)
  const { engagements, impressions } = seriesOf(samples, 0)
  if (newest === undefined || engagements.kind === 'fell') return null
  return standingAt(engagements.series, impressions, newest.at)
}

function gradeAtAges(tested: readonly TestedPost[], detector: Detector) {
  let abstained = 0
  const byAge = taskHours.map((ageHours) => {
    const judgements: Judgement[] = []
    for (const post of tested) {
      const look = post.looks.get(ageHours)
      const stagnant = post.stagnant.get(ageHours)
      if (look === undefined || stagnant === undefined) continue
      judgements.push({ score: detector.score(look), stagnant })
      if (detector.canAbstain && !look.sufficient) abstained += 1
    }
    return { ageHours, judgements }
  })
  const pooled = byAge.flatMap(({ judgements }) => judgements)
  return {
    ...figuresOf(pooled, detector),
    insufficient: pooled.length === 0 ? 0 : abstained / pooled.length,
    ages: byAge.map(({ ageHours, judgements }) =>
      Object.assign(figuresOf(judgements, detector), { ageHours }),
    ),
  }
}

function figuresOf(judgements: readonly Judgement[], detector: Detector): Figures {
  const point = atRecall(judgements, 0.8)
  return {
    posts: judgements.length,
    stagnant: judgements.filter(({ stagnant }) => stagnant).length,
    auc: areaUnderCurve(judgements),
    brier: detector.probabilistic ? brierScore(judgements) : null,
    precisionAtRecall80: point?.precision ?? null,
    falseAlarmsAtRecall80: point?.falseAlarms ?? null,
  }
}

/**
 * A post is flagged if three looks in a row score at least the threshold, so its score is the best
 * of the worst of three in a row. It counts as what it was at one hour, when the looks begin.
 */
function gradeEverFlagged(tested: readonly TestedPost[], detector: Detector) {
  const judgements: Judgement[] = []
  for (const { looks, stagnant } of tested) {
    const label = stagnant.get(1)
    if (label === undefined) continue
    const scores = lookHours.map((hours) => {
      const look = looks.get(hours)
      if (look === undefined || (detector.canAbstain && !look.sufficient)) return -Infinity
      return detector.score(look)
    })
    const worst = scores.map((_, at) => Math.min(...scores.slice(at, at + looksInARow)))
    const score = Math.max(...worst.slice(0, 1 - looksInARow))
    judgements.push({ score, stagnant: label })
  }
  const point = atRecall(judgements, everRecall)
  if (point === null || point.threshold === -Infinity) {
    return { everFlaggedHealthy: 0, everFlaggedStagnant: 0, everThreshold: null }
  }
  return {
    everFlaggedHealthy: point.falseAlarms,
    everFlaggedStagnant: point.recall,
    everThreshold: point.threshold,
  }
}
