/**
 * Grades the measure of lift in worlds whose truth is known: `node bench/lift.ts [runs]`.
 *
 * Each run draws 600 posts and looks after every one. Covered: the share of runs whose interval
 * held the truth at every look. Proven: the share that ever said "helps" or "hurts", which for ×1
 * are false alarms. At best: the share proven if the outcome were predicted as well as anyone could
 * who knew the world, which no covariate can beat. Naive: the share proven for someone who looks at
 * a t-test after every 10 posts.
 */

import { effectScores } from '../src/core/lift/effect-scores.ts'
import type { MeasuredPost } from '../src/core/lift/effect-scores.ts'
import { halfWidth } from '../src/core/lift/interval.ts'
import { minimumPerArm, minimumPosts } from '../src/core/lift/lift.ts'
import { outcomeOf } from '../src/core/lift/outcome.ts'

/** Gains are log-normal around what is known of the post, with a Pareto tail and some zeros. */
interface World {
  readonly name: string
  readonly level: number
  readonly spread: number
  readonly tail: number
  readonly zeros: number
}

const worlds: readonly World[] = [
  { name: 'usual', level: 1.6, spread: 0.6, tail: 1.2, zeros: 0.05 },
  { name: 'many zeros', level: 1.6, spread: 0.6, tail: 1.2, zeros: 0.2 },
  { name: 'small', level: 0.5, spread: 0.6, tail: 1.2, zeros: 0.1 },
  { name: 'large', level: 3, spread: 0.6, tail: 1.2, zeros: 0.05 },
  { name: 'wild', level: 2.5, spread: 0.8, tail: 1, zeros: 0.05 },
]
const posts = 600
const truthDraws = 300_000

type Source = () => number

function seeded(seed: number): Source {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function normal(random: Source): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function outcomeIn(world: World, random: Source, x: number, factor: number): number {
  const { level, spread, tail, zeros } = world
  const whole = Math.exp(level + 0.8 * x + spread * normal(random)) * (1 - random()) ** (-1 / tail)
  const after = random() < zeros ? 0 : Math.floor(factor * whole)
  return outcomeOf({ before: 0, after, artefacts: 0 })
}

function trueEffect(world: World, factor: number): number {
  const random = seeded(1)
  let sum = 0
  for (let draw = 0; draw < truthDraws; draw += 1) {
    const x = normal(random)
    sum += outcomeIn(world, random, x, factor) - outcomeIn(world, random, x, 1)
  }
  return sum / truthDraws
}

/** What to expect of a post, given all that is known of it before the draw. */
type Expectation = (x: number) => number

const gridFrom = -4
const gridStep = 0.1
const gridDraws = 2000

function expectationIn(world: World, factor: number): Expectation {
  const random = seeded(2)
  const means = Array.from({ length: 81 }, (_, place) => {
    const x = gridFrom + place * gridStep
    let sum = 0
    for (let draw = 0; draw < gridDraws; draw += 1) sum += outcomeIn(world, random, x, factor)
    return sum / gridDraws
  })
  return (x) => {
    const place = Math.round((x - gridFrom) / gridStep)
    return means[Math.max(0, Math.min(means.length - 1, place))] as number
  }
}

/** What each post says, with m₁ and m₀ known. */
function bestScores(run: readonly MeasuredPost[], ifActed: Expectation, ifLeft: Expectation) {
  return run.map(({ arm, propensity, outcome, covariates: [x = 0] }) => {
    const [acted, left] = [ifActed(x), ifLeft(x)]
    const surprise =
      arm === 'act' ? (outcome - acted) / propensity : -(outcome - left) / (1 - propensity)
    return acted - left + surprise
  })
}

function simulate(world: World, seed: number, factor: number, propensity: number) {
  const random = seeded(seed)
  return Array.from({ length: posts }, (_, index): MeasuredPost => {
    const x = normal(random)
    const acted = random() < propensity
    return {
      postId: `post-${index}`,
      arm: acted ? 'act' : 'holdout',
      propensity,
      outcome: outcomeIn(world, random, x, acted ? factor : 1),
      covariates: [x],
      maturedAt: index,
    }
  })
}

/** What someone sees who looks after every post. */
function peek(run: readonly MeasuredPost[], scores: readonly number[], truth: number) {
  let [mean, squares, acted] = [0, 0, 0]
  let [covered, naive, provenAt] = [true, false, Infinity]
  scores.forEach((score, index) => {
    const count = index + 1
    const step = score - mean
    mean += step / count
    squares += step * (score - mean)
    acted += Number(run[index]?.arm === 'act')
    if (count < minimumPosts || Math.min(acted, count - acted) < minimumPerArm) return
    const deviation = Math.sqrt(squares / (count - 1))
    const half = halfWidth(count, deviation)
    if (Math.abs(mean - truth) > half) covered = false
    if (Math.abs(mean) > half) provenAt = Math.min(provenAt, count)
    if (count % 10 === 0 && Math.abs(mean) > (1.96 * deviation) / Math.sqrt(count)) naive = true
  })
  return { covered, naive, provenAt, deviation: Math.sqrt(squares / (posts - 1)) }
}

function grade(world: World, factor: number, propensity: number, runs: number): string[] {
  const truth = factor === 1 ? 0 : trueEffect(world, factor)
  const lives = Array.from({ length: runs }, (_, run) =>
    simulate(world, run + 1, factor, propensity),
  )
  const seen = lives.map((life) => peek(life, effectScores(life), truth))
  const [ifActed, ifLeft] = [expectationIn(world, factor), expectationIn(world, 1)]
  const best = lives.map((life) => peek(life, bestScores(life, ifActed, ifLeft), truth))
  const share = (holds: (one: (typeof seen)[number]) => boolean, among = seen): string =>
    `${((among.filter(holds).length / runs) * 100).toFixed(1)} %`
  const proven = seen.map(({ provenAt }) => provenAt).sort((a, b) => a - b)
  const median = proven[Math.floor(runs / 2)] ?? Infinity
  return [
    world.name,
    `${((1 - propensity) * 100).toFixed(0)} %`,
    `×${factor}`,
    truth.toFixed(3),
    (seen.reduce((sum, { deviation }) => sum + deviation, 0) / runs).toFixed(2),
    share(({ covered }) => covered),
    share(({ provenAt }) => provenAt < Infinity),
    share(({ provenAt }) => provenAt < Infinity, best),
    share(({ naive }) => naive),
    factor === 1 || median === Infinity ? '–' : String(median),
  ]
}

const runs = Number(process.argv[2] ?? 1000)
const numbers = ['τ', 'σ', 'covered', 'proven', 'at best', 'naive', 'median posts']
const head = ['world', 'held out', 'effect', ...numbers]
const rows = worlds.flatMap((world) =>
  [0.5, 0.8].flatMap((propensity) =>
    [1, 1.5, 2].map((factor) => grade(world, factor, propensity, runs)),
  ),
)
for (const row of [head, ...rows]) {
  console.log(row.map((cell, column) => cell.padStart(column === 0 ? 10 : 14)).join(''))
}
