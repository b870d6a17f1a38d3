/** The verdict, and its calibration in a world whose truth is known. */

import { expect, test } from 'vitest'
import { effectScores } from './effect-scores.ts'
import type { MeasuredPost } from './effect-scores.ts'
import { halfWidth } from './interval.ts'
import { effectOf, measureLift, measureLiftBy, minimumPerArm, minimumPosts } from './lift.ts'
import { outcomeOf } from './outcome.ts'

/** A world whose truth is known: heavy tails, whole numbers, now and then nothing at all. */
interface World {
  /** Gains are this many times what they would have been. */
  readonly factor: number
  readonly propensity: number
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Log-normal around what is known of the post, with a Pareto tail whose variance is infinite. */
function gainOf(random: () => number, x: number, factor: number): number {
  if (random() < 0.05) return 0
  const tail = (1 - random()) ** (-1 / 1.2)
  return Math.floor(factor * Math.exp(1.6 + 0.8 * x + 0.6 * normal(random)) * tail)
}

function simulate(seed: number, count: number, { factor, propensity }: World): MeasuredPost[] {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, index) => {
    const x = normal(random)
    const acted = random() < propensity
    const after = gainOf(random, x, acted ? factor : 1)
    return {
      postId: `post-${index}`,
      arm: acted ? 'act' : 'holdout',
      propensity,
      outcome: outcomeOf({ before: 0, after, artefacts: 0 }),
      covariates: [x],
      maturedAt: index,
    }
  })
}

/** The effect on Y that the world really has. */
function trueEffect({ factor }: World): number {
  const random = seeded(1)
  const draws = 400_000
  let sum = 0
  for (let draw = 0; draw < draws; draw += 1) {
    const x = normal(random)
    sum += Math.log1p(gainOf(random, x, factor)) - Math.log1p(gainOf(random, x, 1))
  }
  return sum / draws
}

/** Looks after every single post, as `measureLift` would, and says what was ever seen. */
function peek(posts: readonly MeasuredPost[], truth: number) {
  const seen = { missedTruth: false, helps: false, hurts: false }
  let [mean, squares, acted] = [0, 0, 0]
  effectScores(posts).forEach((score, index) => {
    const count = index + 1
    const step = score - mean
    mean += step / count
    squares += step * (score - mean)
    if (posts[index]?.arm === 'act') acted += 1
    if (count < minimumPosts || Math.min(acted, count - acted) < minimumPerArm) return
    const half = halfWidth(count, Math.sqrt(squares / (count - 1)))
    if (Math.abs(mean - truth) > half) seen.missedTruth = true
    if (mean > half) seen.helps = true
    if (mean < -half) seen.hurts = true
  })
  return seen
}

const runs = 1000

function peekAtMany(world: World, truth: number) {
  const counts = { missedTruth: 0, helps: 0, hurts: 0, alarms: 0 }
  for (let run = 1; run <= runs; run += 1) {
    const seen = peek(simulate(run, 600, world), truth)
    counts.missedTruth += Number(seen.missedTruth)
    counts.helps += Number(seen.helps)
    counts.hurts += Number(seen.hurts)
    counts.alarms += Number(seen.helps || seen.hurts)
  }
  return counts
}

test('a placebo raises at most 5 % false alarms however often one looks', () => {
  const { alarms, missedTruth } = peekAtMany({ factor: 1, propensity: 0.5 }, 0)
  expect(alarms / runs).toBeLessThanOrEqual(0.05)
  expect(missedTruth).toBe(alarms)
})

test('nor does a placebo with only a fifth held out', () => {
  const { alarms } = peekAtMany({ factor: 1, propensity: 0.8 }, 0)
  expect(alarms / runs).toBeLessThanOrEqual(0.05)
})

test('the interval covers the truth at every look in 95 % of runs, and ×1.5 is found', () => {
  const world = { factor: 1.5, propensity: 0.5 }
  const { missedTruth, helps, hurts } = peekAtMany(world, trueEffect(world))
  expect(1 - missedTruth / runs).toBeGreaterThanOrEqual(0.95)
  expect(helps / runs).toBeGreaterThanOrEqual(0.8)
  expect(hurts / runs).toBeLessThan(0.01)
})

test('what the looks above computed is what the engine shows', () => {
  const posts = simulate(7, 250, { factor: 1.5, propensity: 0.5 })
  const { effect } = measureLift(posts)
  const scores = effectScores(posts)
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  expect(effect?.mean).toBeCloseTo(mean, 12)
  expect((effect?.upper ?? NaN) - mean).toBeCloseTo(halfWidth(250, effect?.deviation ?? NaN), 12)
  expect(effect).toEqual(effectOf(scores))
})

test('a strong effect helps, its opposite hurts, and both say by how much', () => {
  const up = measureLift(simulate(3, 600, { factor: 3, propensity: 0.5 }))
  expect(up).toMatchObject({ verdict: 'helps', posts: 600, morePosts: 0 })
  expect(up.effect?.lift).toBeCloseTo(Math.expm1(up.effect?.mean ?? NaN), 12)
  expect(up.effect?.lowerLift).toBeGreaterThan(0)
  const down = measureLift(simulate(3, 600, { factor: 1 / 3, propensity: 0.5 }))
  expect(down).toMatchObject({ verdict: 'hurts', morePosts: 0 })
  expect(down.effect?.upperLift).toBeLessThan(0)
  expect(down.effect?.lowerLift).toBeGreaterThan(-1)
})

test('too few posts, or too few in one arm, are no effect and say how many are missing', () => {
  const posts = simulate(1, 200, { factor: 3, propensity: 0.5 })
  const few = measureLift(posts.slice(0, 12))
  expect(few).toMatchObject({ verdict: 'unproven', posts: 12, effect: null, morePosts: 18 })
  const held = posts.filter(({ arm }) => arm === 'holdout').slice(0, 4)
  const lopsided = [...posts.filter(({ arm }) => arm === 'act'), ...held]
  expect(measureLift(lopsided)).toMatchObject({ heldOut: 4, effect: null, morePosts: 11 })
})

test('an unproven effect says about how many more posts would prove it', () => {
  const posts = simulate(11, 2000, { factor: 1.5, propensity: 0.5 })
  const early = measureLift(posts.slice(0, 60))
  expect(early.verdict).toBe('unproven')
  const { morePosts, effect } = early
  const needed = 60 + (morePosts ?? NaN)
  const aim = Math.max(Math.abs(effect?.mean ?? NaN), Math.log(1.2))
  expect(halfWidth(needed, effect?.deviation ?? NaN)).toBeLessThanOrEqual(aim)
  expect(halfWidth(needed - 1, effect?.deviation ?? NaN)).toBeGreaterThan(aim)
})

test('where an effect worth having would have shown by now, no more posts are asked for', () => {
  const placebo = measureLift(simulate(5, 8000, { factor: 1, propensity: 0.5 }))
  expect(placebo).toMatchObject({ verdict: 'unproven', morePosts: null })
})

test('groups are measured by themselves, in the order of their names', () => {
  const edits = simulate(21, 400, { factor: 3, propensity: 0.5 })
  const comments = simulate(22, 20, { factor: 1, propensity: 0.5 })
  const posts = [
    ...edits.map((post) => Object.assign(post, { action: 'edit' })),
    ...comments.map((post) => Object.assign(post, { action: 'comment' })),
  ]
  const byAction = measureLiftBy(posts, ({ action }) => action)
  expect([...byAction.keys()]).toEqual(['comment', 'edit'])
  expect(byAction.get('edit')).toMatchObject({ verdict: 'helps', posts: 400 })
  expect(byAction.get('comment')).toMatchObject({ verdict: 'unproven', posts: 20, effect: null })
})
