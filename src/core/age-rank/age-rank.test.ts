/** What is said of whole posts: each way in which evidence fails, and what always holds. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../duration.ts'
import type { Sample } from '../sample.ts'
import { ageRank } from './age-rank.ts'
import type { AgeRankSignal } from './age-rank.ts'
import { baselineAgesMs } from './ages.ts'
import { chooseCurves, layOut } from './baseline.ts'
import type { Curve } from './curve.ts'
import { fitModel, priorModel } from './model.ts'

const publishedAt = 1_700_000_000_000

/** Most of a post's engagement comes early: a third by one hour, nearly all by 24 hours. */
const shareBy = (ageMs: number): number => 1 - Math.exp(-Math.sqrt(ageMs / (6 * hourMs)))

function curve(total: number, overrides: Partial<Curve> = {}): Curve {
  return {
    publishedAt: 0,
    counts: baselineAgesMs.map((ageMs) => Math.round(total * shareBy(ageMs))),
    impressions: null,
    weight: 1,
    own: true,
    ...overrides,
  }
}

/** An account whose posts come to between 2 and 2,000 engagements, as many small as large ones. */
const account = (count: number): Curve[] =>
  Array.from({ length: count }, (_, index) => curve(2 * 1000 ** (index / Math.max(1, count - 1))))

const every = (stepMs: number, toMs: number): number[] =>
  Array.from({ length: Math.floor(toMs / stepMs) }, (_, index) => (index + 1) * stepMs)

function sampled(agesMs: readonly number[], countBy: (ageMs: number) => number): Sample[] {
  return agesMs.map((ageMs) => ({
    at: publishedAt + ageMs,
    engagements: Math.round(countBy(ageMs)),
    impressions: null,
  }))
}

const usual = (total: number) => (ageMs: number) => total * shareBy(ageMs)
const everyTenMinutes = (toMs: number) => every(10 * minuteMs, toMs)

function look(samples: readonly Sample[], curves: readonly Curve[] = account(60)) {
  const baseline = layOut(chooseCurves(curves))
  return ageRank({ samples, publishedAt, baseline, model: fitModel(baseline) })
}

function signalOf(samples: readonly Sample[], curves?: readonly Curve[]): AgeRankSignal {
  const result = look(samples, curves)
  if (result.kind === 'no_signal') throw new Error(`no signal: ${result.reason}`)
  return result
}

test('a post far behind scores high, a post far ahead low, and the evidence says why', () => {
  const behind = signalOf(sampled(everyTenMinutes(4 * hourMs), usual(1)))
  const ahead = signalOf(sampled(everyTenMinutes(4 * hourMs), usual(5000)))
  expect(behind.score).toBeGreaterThan(0.85)
  expect(ahead.score).toBeLessThan(0.15)
  expect(behind).toMatchObject({ detector: 'age-rank', ageMs: 4 * hourMs, curves: 60 })
  expect(behind.ranks.count).toBeLessThan(0.1)
  expect(ahead.ranks.count).toBeGreaterThan(0.98)
  expect(behind).toMatchObject({ ownCurves: 60, fittedPosts: 60, impressionsSinceHalf: null })
  expect(behind.expectedGain).toBeGreaterThan(2)
})

test('the look is at the newest reading, whenever it is asked', () => {
  const samples = sampled(everyTenMinutes(3 * hourMs), usual(90))
  expect(signalOf(samples)).toMatchObject({ ageMs: 3 * hourMs, count: samples.at(-1)?.engagements })
})

describe('sparse baselines', () => {
  const samples = sampled(everyTenMinutes(4 * hourMs), usual(1))

  test('fewer than 5 past posts are no yardstick', () => {
    expect(look(samples, account(4))).toEqual({
      kind: 'no_signal',
      detector: 'age-rank',
      reason: 'too_few_curves',
      count: 4,
      minimum: 5,
    })
    expect(look(samples, [])).toMatchObject({ reason: 'too_few_curves', count: 0 })
    expect(look(samples, account(5)).kind).toBe('signal')
  })

  test('other accounts stand in, and the evidence says how many', () => {
    const others = account(50).map((one) => Object.assign(one, { own: false }))
    expect(look(samples, [...account(3), ...others])).toMatchObject({
      kind: 'signal',
      curves: 20,
      ownCurves: 3,
      fittedPosts: 0,
    })
  })

  test('only curves that were observed at this age count', () => {
    const late = account(30).map((one) =>
      Object.assign(one, { counts: one.counts.map((count, index) => (index < 8 ? null : count)) }),
    )
    expect(look(samples, [...account(4), ...late])).toMatchObject({
      reason: 'too_few_curves',
      count: 4,
    })
    const later = sampled(everyTenMinutes(6 * hourMs), usual(10))
    expect(look(later, [...account(4), ...late])).toMatchObject({ kind: 'signal', curves: 34 })
  })

  test('where posts hardly gain anything, a stall means nothing', () => {
    const quiet = Array.from({ length: 40 }, (_, index) => curve(index % 3))
    const result = look(sampled(everyTenMinutes(4 * hourMs), usual(0)), quiet)
    expect(result).toMatchObject({ reason: 'quiet_baseline', minimum: 2 })
    expect(result).toHaveProperty('count', expect.closeTo(0.4, 0))
  })
})

test('drift: after an audience has grown, what was usual before is now behind', () => {
  const before = account(200).map((one, index) => Object.assign(one, { publishedAt: index }))
  const after = Array.from({ length: 200 }, (_, index) =>
    curve(400 * 20 ** (index / 199), { publishedAt: 1000 + index }),
  )
  const samples = sampled(everyTenMinutes(4 * hourMs), usual(300))
  expect(signalOf(samples, before).ranks.count).toBeGreaterThan(0.65)
  expect(signalOf(samples, [...before, ...after]).ranks.count).toBeLessThan(0.05)
  // Half way the window holds both.
  const half = signalOf(samples, [...before, ...after.slice(0, 100)]).ranks.count
  expect(half).toBeGreaterThan(0.2)
  expect(half).toBeLessThan(0.6)
})

describe('missed polls', () => {
  test('a gap between readings hardly moves the score', () => {
    const whole = sampled(everyTenMinutes(8 * hourMs), usual(60))
    const gappy = whole.filter(({ at }) => {
      const ageMs = at - publishedAt
      return ageMs < 2 * hourMs || ageMs > 7.5 * hourMs
    })
    expect(signalOf(gappy).score).toBeCloseTo(signalOf(whole).score, 1)
  })

  test('a post followed only from its fifth hour is compared at its age all the same', () => {
    const late = sampled([5 * hourMs, 6 * hourMs], usual(1))
    expect(signalOf(late)).toMatchObject({ ageMs: 6 * hourMs })
    expect(signalOf(late).score).toBeGreaterThan(0.8)
  })

  test('nothing is made up past the last reading', () => {
    const stopped = sampled(everyTenMinutes(2 * hourMs), usual(60))
    expect(signalOf(stopped).ageMs).toBe(2 * hourMs)
  })
})

describe('counters that fall', () => {
  const steady = sampled(everyTenMinutes(4 * hourMs), usual(200))
  const last = steady.length - 1
  const changed = (at: number, engagements: number): Sample[] =>
    steady.with(at, Object.assign({}, steady[at], { engagements }))

  test('a like withdrawn changes nothing', () => {
    const [before, now] = [steady[last - 1]?.engagements ?? NaN, steady[last]?.engagements ?? NaN]
    const held = signalOf(changed(last, before))
    expect(now).toBeGreaterThan(before)
    expect(signalOf(changed(last, before - 2))).toEqual(held)
  })

  test('one reading of 0 in between is passed over', () => {
    expect(signalOf(changed(12, 0))).toEqual(signalOf(steady.toSpliced(12, 1)))
  })

  test('a counter that fell and stayed down is not read as a stall', () => {
    const top = steady[last - 1]?.engagements ?? NaN
    expect(look(changed(last, 10))).toMatchObject({
      kind: 'no_signal',
      reason: 'counter_fell',
      count: 10,
      minimum: top - top * 0.1,
    })
  })
})

test('late resurgence: a post that wakes up is no longer stalled', () => {
  const asleep = (ageMs: number): number => 2 * shareBy(Math.min(ageMs, 2 * hourMs))
  const awake = (ageMs: number): number =>
    asleep(ageMs) + 120 * Math.max(0, (ageMs - 12 * hourMs) / hourMs)
  expect(signalOf(sampled(everyTenMinutes(12 * hourMs), awake)).score).toBeGreaterThan(0.9)
  expect(signalOf(sampled(everyTenMinutes(13 * hourMs), awake)).score).toBeLessThan(0.5)
  expect(signalOf(sampled(everyTenMinutes(15 * hourMs), awake)).score).toBeLessThan(0.1)
})

describe('ages', () => {
  test('a post younger than the first baseline age cannot be compared', () => {
    expect(look(sampled([5 * minuteMs, 15 * minuteMs], usual(50)))).toMatchObject({
      reason: 'too_young',
      count: 15,
      minimum: 20,
    })
    expect(look(sampled([20 * minuteMs], usual(50))).kind).toBe('signal')
  })

  test('past 48 hours nothing is known of past posts', () => {
    const old = sampled(every(hourMs, 49 * hourMs), usual(10))
    expect(look(old)).toMatchObject({ reason: 'too_few_curves', count: 0 })
  })

  test('without a publication time, or without a reading, there is no age', () => {
    const baseline = layOut(account(60))
    const samples = sampled(everyTenMinutes(hourMs), usual(50))
    const blind = ageRank({ samples, publishedAt: null, baseline, model: priorModel })
    expect(blind).toMatchObject({ reason: 'no_publication_time' })
    expect(look([])).toMatchObject({ reason: 'no_reading', count: 0 })
  })

  test('the score has no jumps where the baseline ages lie', () => {
    const scores = every(5 * minuteMs, 20 * hourMs)
      .filter((ageMs) => ageMs >= 30 * minuteMs)
      .map((ageMs) => {
        const samples = sampled(every(5 * minuteMs, ageMs), (at) => 10 * usual(45)(at))
        const tenfold = account(60).map((one) =>
          Object.assign(one, { counts: one.counts.map((count) => 10 * (count ?? NaN)) }),
        )
        return signalOf(samples, tenfold).score
      })
    const jumps = scores.slice(1).map((score, index) => Math.abs(score - (scores[index] ?? NaN)))
    expect(Math.max(...jumps)).toBeLessThan(0.1)
  })
})

describe('whatever the account and the post', () => {
  const totals = fc.array(fc.integer({ min: 5, max: 5000 }), { minLength: 5, maxLength: 60 })
  const gains = fc.array(fc.nat({ max: 40 }), { minLength: 2, maxLength: 30 })
  const post = (steps: readonly number[], scale = 1): Sample[] => {
    let sum = 0
    return steps.map((gain, index) => {
      sum += gain * scale
      return { at: publishedAt + (index + 1) * 25 * minuteMs, engagements: sum, impressions: null }
    })
  }
  const scoreOf = (samples: readonly Sample[], curves: readonly Curve[]): number | string => {
    const result = look(samples, curves)
    return result.kind === 'signal' ? result.score : result.reason
  }
  const numeric = (score: number | string): number => {
    fc.pre(typeof score === 'number')
    return score
  }

  test('the score is a probability', () => {
    fc.assert(
      fc.property(totals, gains, (sizes, steps) => {
        const score = numeric(
          scoreOf(
            post(steps),
            sizes.map((total) => curve(total)),
          ),
        )
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThan(1)
      }),
    )
  })

  test('more engagement never raises the score', () => {
    fc.assert(
      fc.property(totals, gains, fc.nat({ max: 500 }), (sizes, steps, extra) => {
        const curves = sizes.map((total) => curve(total))
        const more = steps.with(steps.length - 1, (steps.at(-1) ?? 0) + extra)
        const score = numeric(scoreOf(post(steps), curves))
        expect(numeric(scoreOf(post(more), curves))).toBeLessThanOrEqual(score + 1e-12)
      }),
    )
  })

  test('the order of the curves does not matter', () => {
    fc.assert(
      fc.property(totals, gains, (sizes, steps) => {
        const curves = sizes.map((total) => curve(total, { weight: 1 + (total % 3) }))
        const score = numeric(scoreOf(post(steps), curves))
        expect(scoreOf(post(steps), curves.toReversed())).toBeCloseTo(score, 6)
      }),
    )
  })

  test('an account a hundred times as large is judged alike', () => {
    fc.assert(
      fc.property(totals, gains, (sizes, steps) => {
        const curves = sizes.map((total) => curve(total))
        const large = curves.map((one) =>
          Object.assign({}, one, { counts: one.counts.map((count) => 100 * (count ?? NaN)) }),
        )
        const baseline = layOut(curves)
        const scaled = layOut(large)
        const input = { publishedAt, model: priorModel }
        const small = ageRank({ ...input, baseline, samples: post(steps) })
        const big = ageRank({ ...input, baseline: scaled, samples: post(steps, 100) })
        fc.pre(small.kind === 'signal' && big.kind === 'signal')
        expect(big).toHaveProperty('score', Reflect.get(small, 'score'))
      }),
    )
  })
})
