/**
 * How much each thing that is known before the draw narrows the interval, on recorded curves:
 *
 *   node bench/lift-curves.ts <folder>
 *
 * Posts of the last 40 % of a file are drawn into arms when they first score at least a threshold,
 * and nothing is done to any of them: the deviation σ of what each says is all that is asked for.
 * The interval is as wide as σ, and takes posts as σ squared.
 */

import { ageRank } from '../src/core/age-rank/age-rank.ts'
import type { AgeRankSignal } from '../src/core/age-rank/age-rank.ts'
import { fitModel } from '../src/core/age-rank/model.ts'
import { hourMs } from '../src/core/duration.ts'
import { drawArm } from '../src/core/lift/arm.ts'
import { effectScores } from '../src/core/lift/effect-scores.ts'
import { effectOf } from '../src/core/lift/lift.ts'
import { outcomeOf } from '../src/core/lift/outcome.ts'
import { readFolder, sliceMs } from './detector/csv.ts'
import type { DataSet } from './detector/csv.ts'
import { baselineOf } from './detector/task.ts'

const pastShare = 0.6
/** Looks at 2, 3, 4, 6, 8 and 12 hours; the gain is that of the next 24. */
const lookSlices = [6, 9, 12, 18, 24, 36]
const gainSlices = 72
const thresholds = [0, 0.55, 0.85]
const repeats = 10
const logScale = 3

interface Drawn {
  readonly signal: AgeRankSignal
  readonly outcome: number
}

const scaled = (count: number) => Math.log1p(count) / logScale

/** As src/engine/learning/drawn.ts has them; these posts have no impressions. */
function inUse({ count, gainInWindow, ageMs, score }: AgeRankSignal): number[] {
  return [scaled(count), scaled(gainInWindow), Math.log(Math.max(1, ageMs / hourMs)), score]
}

const sets: Readonly<Record<string, (signal: AgeRankSignal) => readonly number[]>> = {
  nothing: () => [],
  count: ({ count }) => [scaled(count)],
  'in use': inUse,
  '+ rank': (signal) => [...inUse(signal), signal.ranks.count],
  '+ expected': (signal) => [...inUse(signal), scaled(signal.expectedGain)],
  '+ half': (signal) => [...inUse(signal), scaled(signal.gainSinceHalf)],
  '+ squares': (signal) => {
    const [count = 0, recent = 0, age = 0] = inUse(signal)
    return [...inUse(signal), count * count, recent * recent, count * age]
  },
}

function drawnFrom({ posts }: DataSet, threshold: number): readonly Drawn[] {
  const at = Math.floor(posts.length * pastShare)
  const baseline = baselineOf(posts.slice(0, at))
  const model = fitModel(baseline)
  return posts.slice(at).flatMap(({ samples }) => {
    for (const slice of lookSlices) {
      const now = samples[slice - 1] ?? null
      const later = samples[slice + gainSlices - 1] ?? null
      if (now === null || later === null) continue
      const known = samples.slice(0, slice).filter((sample) => sample !== null)
      const signal = ageRank({ samples: known, publishedAt: 0, baseline, model })
      if (signal.kind !== 'signal' || signal.score < threshold) continue
      const before = now.engagements
      const outcome = outcomeOf({ before, after: later.engagements, artefacts: 0 })
      return [{ signal, outcome }]
    }
    return []
  })
}

function deviationOf(
  drawn: readonly Drawn[],
  covariatesOf: (signal: AgeRankSignal) => readonly number[],
): number {
  let sum = 0
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const measured = drawn.map(({ signal, outcome }, index) => {
      const postId = `post-${String(index).padStart(5, '0')}`
      const names = { salt: `repeat-${repeat}`, postId, policy: 'placebo@1' }
      const { arm, propensity } = drawArm({ ...names, holdoutShare: 0.5 })
      const covariates = covariatesOf(signal)
      return { postId, arm, propensity, outcome, covariates, maturedAt: index * sliceMs }
    })
    sum += effectOf(effectScores(measured)).deviation
  }
  return sum / repeats
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node bench/lift-curves.ts <folder>')
const head = ['stalled from', 'posts', ...Object.keys(sets)]
for (const data of readFolder(folder)) {
  const rows = thresholds.map((threshold) => {
    const drawn = drawnFrom(data, threshold)
    const figures = Object.values(sets).map((covariatesOf) =>
      drawn.length < 100 ? '–' : deviationOf(drawn, covariatesOf).toFixed(3),
    )
    return [String(threshold), String(drawn.length)].concat(figures)
  })
  console.log(`${data.name}: σ of what a post says, by what is known of it before the draw`)
  for (const row of [head, ...rows]) console.log(row.map((cell) => cell.padStart(12)).join(''))
}
