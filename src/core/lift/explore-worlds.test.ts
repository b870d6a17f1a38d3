/**
 * Exploring in worlds whose truth is known: it finds what helps, keeps trying, follows a change,
 * and leaves the holdout and the intervals as honest as they were.
 */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '../duration.ts'
import { drawArm, drawFrom } from './arm.ts'
import type { Observation } from './belief.ts'
import { byMaturity, effectScores } from './effect-scores.ts'
import type { MeasuredPost } from './effect-scores.ts'
import { chooseFrom } from './explore.ts'
import type { ThompsonSettings } from './explore-settings.ts'
import { halfWidth } from './interval.ts'
import { minimumPerArm, minimumPosts } from './lift.ts'
import { outcomeOf } from './outcome.ts'

const names = ['comment', 'thread'] as const
type Name = (typeof names)[number]

const settings: ThompsonSettings = {
  kind: 'thompson',
  over: ['action'],
  evenShare: 0.2,
  halfLifeMs: 120 * dayMs,
}

interface World {
  readonly seed: string
  readonly posts: number
  /** What an action truly does to the gain of the k-th post. */
  readonly factorOf: (name: Name, index: number) => number
  readonly halfLifeMs?: number
}

interface Lived extends MeasuredPost {
  readonly option: Name
  readonly chance: number
}

const holdoutShare = 0.3
/** A post every two hours, of which each is known a day later. */
const everyMs = 2 * hourMs
/** Beliefs are brought up to date this often, as an engine would. */
const updateEvery = 12

function normalFrom(name: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawFrom(`${name}:r`)))
  return radius * Math.cos(2 * Math.PI * drawFrom(`${name}:a`))
}

function gainOf(seed: string, x: number, factor: number): number {
  return Math.floor(factor * Math.exp(2 + 0.8 * x + 0.6 * normalFrom(`${seed}:gain`)))
}

/** The engine's own functions, post after post. */
function live({ seed, posts, factorOf, halfLifeMs = settings.halfLifeMs }: World) {
  const lived: Lived[] = []
  let observations: readonly Observation[] = []
  for (let index = 0; index < posts; index += 1) {
    const now = index * everyMs
    if (index % updateEvery === 0) observations = observe(lived, now)
    const name = `${seed}:${index}`
    const exploring = { settings: { ...settings, halfLifeMs }, observations, draw: drawFrom(name) }
    const choice = chooseFrom(names, now, exploring)
    const option = names.find((each) => each === choice?.chosen) ?? 'comment'
    const draw = drawArm({ salt: seed, postId: `post-${index}`, policy: 'p@1', holdoutShare })
    const x = normalFrom(`${name}:x`)
    const factor = draw.arm === 'act' ? factorOf(option, index) : 1
    const outcome = outcomeOf({ before: 0, after: gainOf(name, x, factor), artefacts: 0 })
    lived.push({
      postId: `post-${String(index).padStart(5, '0')}`,
      arm: draw.arm,
      propensity: draw.propensity,
      outcome,
      covariates: [x],
      maturedAt: now + dayMs,
      option,
      chance: choice?.propensity ?? NaN,
    })
  }
  return lived
}

function observe(lived: readonly Lived[], now: number): readonly Observation[] {
  const known = lived.filter(({ maturedAt }) => maturedAt <= now)
  const scores = effectScores(known)
  return byMaturity(known).map(({ option, maturedAt }, index) => ({
    option,
    score: scores[index] as number,
    maturedAt,
  }))
}

function shareOf(lived: readonly Lived[], name: Name): number {
  return lived.filter(({ option }) => option === name).length / lived.length
}

const seeds = (count: number) => Array.from({ length: count }, (_, index) => `world-${index}`)
const mean = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

const doubles = (name: Name) => (name === 'thread' ? 2 : 1)

describe('of two actions', () => {
  test('the one that doubles the gain is soon chosen most of the time', () => {
    const late = seeds(12).map((seed) => live({ seed, posts: 600, factorOf: doubles }).slice(-200))
    expect(mean(late.map((posts) => shareOf(posts, 'thread')))).toBeGreaterThan(0.75)
    for (const posts of late) expect(shareOf(posts, 'thread')).toBeGreaterThan(0.5)
  })

  test('neither is preferred for good where both do nothing', () => {
    const shares = seeds(24).map((seed) =>
      shareOf(live({ seed, posts: 400, factorOf: () => 1 }), 'thread'),
    )
    expect(mean(shares)).toBeGreaterThan(0.4)
    expect(mean(shares)).toBeLessThan(0.6)
  })

  test('the other one is found when they change places, as old evidence fades', () => {
    const factorOf = (name: Name, index: number) => ((name === 'thread') === index < 700 ? 2 : 1)
    const lateShare = (halfLifeMs: number) =>
      mean(
        seeds(10).map((seed) =>
          shareOf(live({ seed, posts: 1100, factorOf, halfLifeMs }).slice(-200), 'comment'),
        ),
      )
    expect(lateShare(15 * dayMs)).toBeGreaterThan(0.6)
    expect(lateShare(10_000 * dayMs)).toBeLessThan(0.4)
  })
})

test('whatever is chosen, the holdout keeps its share and each action its floor', () => {
  for (const seed of seeds(5)) {
    const lived = live({ seed, posts: 600, factorOf: doubles })
    for (const name of names) {
      const wanted = lived.filter(({ option }) => option === name)
      const heldOut = wanted.filter(({ arm }) => arm === 'holdout').length / wanted.length
      expect(Math.abs(heldOut - holdoutShare)).toBeLessThan(4 * Math.sqrt(0.21 / wanted.length))
    }
    for (const { chance } of lived) {
      expect(chance).toBeGreaterThanOrEqual(settings.evenShare / names.length)
    }
  }
})

test('the same seed lives the same life', () => {
  const world = { seed: 'again', posts: 200, factorOf: doubles }
  expect(live(world)).toEqual(live(world))
  expect(live(world)).not.toEqual(live({ ...world, seed: 'other' }))
})

/** The effect on Y over many posts; the same for every post, whatever was chosen for others. */
function trueEffect(factor: number): number {
  let sum = 0
  const draws = 20_000
  for (let draw = 0; draw < draws; draw += 1) {
    const name = `truth:${draw}`
    const x = normalFrom(`${name}:x`)
    sum += Math.log1p(gainOf(name, x, factor)) - Math.log1p(gainOf(name, x, 1))
  }
  return sum / draws
}

/** Whether the interval of these posts holds the truth at every look. */
function covers(posts: readonly Lived[], truth: number): boolean {
  let [acted, sum, squares] = [0, 0, 0]
  const arms = byMaturity(posts).map(({ arm }) => arm)
  return effectScores(posts).every((score, index) => {
    const count = index + 1
    acted += Number(arms[index] === 'act')
    sum += score
    squares += score ** 2
    if (count < minimumPosts || Math.min(acted, count - acted) < minimumPerArm) return true
    const average = sum / count
    const deviation = Math.sqrt((squares - count * average ** 2) / (count - 1))
    return Math.abs(average - truth) <= halfWidth(count, deviation)
  })
}

test('the interval of each action holds its truth at every look in 95 % of runs', () => {
  const runs = seeds(200).map((seed) => live({ seed, posts: 300, factorOf: doubles }))
  for (const name of names) {
    const truth = trueEffect(doubles(name))
    const covered = runs.filter((lived) =>
      covers(
        lived.filter(({ option }) => option === name),
        truth,
      ),
    )
    expect(covered.length / runs.length).toBeGreaterThanOrEqual(0.95)
  }
})
