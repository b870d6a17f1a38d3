/** What a replay does, on posts whose fate is made up and hence known. */

import { describe, expect, it } from 'vitest'
import { everythingSupported } from '../core/capabilities.ts'
import { decide } from '../core/decide.ts'
import { noPast } from '../core/decision-input.ts'
import { dayMs, hourMs, minuteMs } from '../core/duration.ts'
import type { Look } from '../core/look.ts'
import type { PastAction } from '../core/history.ts'
import { classicPolicy } from '../core/policies/classic.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import type { Policy } from '../core/policy.ts'
import { backtest } from './backtest.ts'
import { compareReports } from './backtest/compare.ts'
import { PastPosts } from './backtest/past-posts.ts'
import { samplesOf } from './backtest/recorded-post.ts'
import type { RecordedPost } from './backtest/recorded-post.ts'
import { nextCheckAt } from './schedule.ts'

const morning = Date.UTC(2026, 0, 5, 8)
const agesMs = Float64Array.from({ length: 144 }, (_, slice) => (slice + 1) * 20 * minuteMs)

/** How many engagements a post has at an age. */
type Life = (ageMs: number) => number

const growing =
  (size: number): Life =>
  (ageMs) =>
    Math.floor(size * Math.log2(1 + ageMs / hourMs))
/** It began like the others and nothing came after half an hour. */
const dead: Life = () => 1

function post(name: string, publishedAt: number, life: Life): RecordedPost {
  return {
    id: name,
    account: 'ann',
    platform: 'somewhere',
    publishedAt,
    agesMs,
    engagements: agesMs.map(life),
    impressions: null,
    weight: 1,
    actedOn: false,
  }
}

/** A past of 80 posts, a day apart, of which one in four died early. */
const past = Array.from({ length: 80 }, (_, day) =>
  post(`past-${day}`, morning + day * dayMs, day % 4 === 3 ? dead : growing(10 + (day % 20))),
)
const today = morning + 90 * dayMs
const dying = post('dying', today, dead)
const lively = post('lively', today + hourMs, growing(25))

function outcomeOf(report: ReturnType<typeof backtest>, id: string) {
  const found = report.outcomes.find((outcome) => outcome.id === id)
  if (found === undefined) throw new Error(`no outcome of ${id}`)
  return found
}

describe('a backtest of the standard policy', () => {
  const report = backtest([...past, dying, lively], standardPolicy)

  it('acts on the post that died and leaves the lively one alone', () => {
    const { actions, stagnant, stagnantWhenActed } = outcomeOf(report, 'dying')
    expect(actions.length).toBeGreaterThan(0)
    expect({ stagnant, stagnantWhenActed }).toEqual({ stagnant: true, stagnantWhenActed: true })
    expect(outcomeOf(report, 'lively')).toMatchObject({ actions: [], stagnant: false })
  })

  it('acts only after three looks in a row, and spares the night', () => {
    const [first] = outcomeOf(report, 'dying').actions
    expect(first?.ageMs).toBeGreaterThanOrEqual(100 * minuteMs)
    for (const { at } of outcomeOf(report, 'dying').actions) {
      const hour = new Date(at).getUTCHours()
      expect(hour >= 7 && hour < 23).toBe(true)
    }
  })

  it('counts what it did, against what was true', () => {
    const acted = report.outcomes.filter(({ actions }) => actions.length > 0)
    expect(report).toMatchObject({
      policy: 'standard@1',
      posts: 82,
      actions: report.byAction.comment + report.byAction.edit + report.byAction.thread,
      actedOn: { count: acted.length, of: 82 },
      // All that died after the first few, and one of the others, which was the slowest so far.
      stagnantReached: { count: 20, of: 20, share: 1 },
      healthyBothered: { count: 1, of: 56, share: 1 / 56 },
      precision: { count: 20, of: 21 },
      neverScored: 5,
    })
    // The first posts have too few before them to be graded.
    expect(report.ungraded).toBe(82 - 20 - 56)
    expect(report.reasons['too_few_curves']).toBeGreaterThan(0)
  })

  it('judges the task at its ages, all looks included and before any guard', () => {
    const at = (hours: number | null) => report.ages.find(({ ageHours }) => ageHours === hours)
    // Three looks in a row are not to be had within an hour.
    expect(at(1)?.recall).toMatchObject({ count: 0, of: 20 })
    expect(at(4)?.recall).toMatchObject({ count: 20, of: 20 })
    expect(at(4)?.falseAlarms).toMatchObject({ count: 0, of: 56 })
    expect(at(null)?.recall.of).toBe(80)
  })

  it('does not depend on the order in which posts are given', () => {
    const turned = backtest([lively, dying, ...past.toReversed()], standardPolicy)
    for (const outcome of report.outcomes) expect(outcomeOf(turned, outcome.id)).toEqual(outcome)
  })

  it('knows nothing of what comes later', () => {
    const future = Array.from({ length: 30 }, (_, day) =>
      post(`future-${day}`, today + (day + 1) * dayMs, growing(500)),
    )
    const longer = backtest([...past, dying, ...future], standardPolicy)
    expect(outcomeOf(longer, 'dying')).toEqual(outcomeOf(report, 'dying'))
  })

  it('cannot tell without a past', () => {
    const alone = backtest([dying], standardPolicy)
    expect(alone).toMatchObject({ actions: 0, neverScored: 1, ungraded: 1 })
    expect(alone.reasons['too_few_curves']).toBeGreaterThan(100)
  })

  it('replays those since a moment, and takes the others for their past', () => {
    const late = backtest([...past, dying, lively], standardPolicy, { since: today })
    expect(late.outcomes.map(({ id }) => id)).toEqual(['dying', 'lively'])
    expect(outcomeOf(late, 'dying').actions.length).toBeGreaterThan(0)
    expect(outcomeOf(late, 'dying')).toMatchObject({ stagnant: true, stagnantWhenActed: true })
    expect(outcomeOf(late, 'lively')).toMatchObject({ actions: [], stagnant: false })
  })

  it("spares each account's own night", () => {
    const apart = [...past, dying].map((each) =>
      Object.assign({}, each, { account: each === dying ? 'bob' : 'ann' }),
    )
    const timeZone = (account: string) => (account === 'bob' ? 'Asia/Tokyo' : 'UTC')
    const { actions } = outcomeOf(backtest(apart, standardPolicy, { timeZone }), 'dying')
    const hours = actions.map(({ at }) => new Date(at + 9 * hourMs).getUTCHours())
    expect(hours.length).toBeGreaterThan(0)
    for (const hour of hours) expect(hour >= 7 && hour < 23).toBe(true)
    // It was published at 17 h in Tokyo: in UTC it would have been acted on at another time.
    expect(actions).not.toEqual(outcomeOf(report, 'dying').actions)
  })

  it('tells how far it is, up to the end', () => {
    const told: number[] = []
    const short = Array.from({ length: 1100 }, (_, day) =>
      Object.assign(post(`p${day}`, day * dayMs, dead), { agesMs: agesMs.slice(0, 1) }),
    )
    backtest(short, classicPolicy, { onProgress: (done, all) => told.push(done / all) })
    expect(told).toEqual([500 / 1100, 1000 / 1100, 1])
  })
})

describe('budgets in a backtest', () => {
  it('hold across posts that die at the same time', () => {
    const dying20 = Array.from({ length: 20 }, (_, index) => post(`d${index}`, today, dead))
    const { outcomes } = backtest([...past, ...dying20], standardPolicy)
    const times = outcomes.flatMap(({ actions }) => actions.map(({ at }) => at))
    expect(times.length).toBeGreaterThan(6)
    for (const at of times) {
      const inHour = times.filter((other) => other <= at && other >= at - hourMs)
      expect(inHour.length).toBeLessThanOrEqual(6)
      const inDay = times.filter((other) => other <= at && other >= at - dayMs)
      expect(inDay.length).toBeLessThanOrEqual(25)
    }
  })

  it('are those of each account', () => {
    const others = Array.from({ length: 20 }, (_, index) => ({
      ...post(`d${index}`, today, dead),
      account: `account-${index}`,
    }))
    const { outcomes } = backtest([...past, ...others], standardPolicy)
    const first = outcomes.flatMap(({ account, actions }) =>
      account === 'ann' ? [] : [actions[0]?.at],
    )
    expect(new Set(first).size).toBe(1)
    expect(first[0]).toBeGreaterThan(today)
  })
})

/** The same replay of one post, with everything handed to every decision. */
function replayPlainly(one: RecordedPost, posts: readonly RecordedPost[], policy: Policy) {
  const known = new PastPosts(posts)
  const looks: Look[] = []
  const history: PastAction[] = []
  const samples = []
  let from = -Infinity
  for (const sample of samplesOf(one)) {
    if (sample.at < from) continue
    samples.push(sample)
    const verdict = decide({
      ...noPast,
      post: { id: one.id, publishedAt: one.publishedAt, neverTouch: false },
      timeZone: 'UTC',
      capabilities: everythingSupported,
      samples,
      looks,
      baseline: known.baselineOf(one, sample.at),
      history,
      tallies: { account: history.map(({ at }) => ({ at, count: 1 })), platform: [] },
      policy,
      now: sample.at,
    })
    const next = nextCheckAt(one.publishedAt, sample.at, policy)
    from = next === null ? Infinity : next - (next - sample.at) / 10
    if (verdict.kind === 'insufficient') continue
    const stalled = verdict.kind !== 'healthy'
    looks.push({ at: sample.at, policy: verdict.trace.policy, score: verdict.score, stalled })
    if (verdict.kind !== 'plan') continue
    const { key, action, tier } = verdict
    history.push({ key, action, tier, state: 'success', at: sample.at, endedAt: sample.at })
  }
  return history.map(({ at, action, tier }) => ({ at, action, tier }))
}

describe('a replay that keeps little at hand', () => {
  // Most of the past matured at once and lately, so that both have the same baseline.
  const crowd = Array.from({ length: 120 }, (_, index) =>
    post(`crowd-${index}`, today - 5 * dayMs, index % 4 === 3 ? dead : growing(5 + (index % 30))),
  )
  const waking: Life = (ageMs) => (ageMs < 7 * hourMs ? 2 : growing(20)(ageMs - 7 * hourMs))
  const falling: Life = (ageMs) => (Math.floor(ageMs / hourMs) % 5 === 3 ? 8 : 12)
  const slow: Life = (ageMs) => Math.floor(ageMs / (2 * hourMs))

  it('has something to do here at all', () => {
    const report = backtest([...crowd, post('dead', today, dead)], standardPolicy)
    expect(outcomeOf(report, 'dead').actions).not.toEqual([])
  })

  it.each([
    ['dead', dead],
    ['waking', waking],
    ['falling', falling],
    ['slow', slow],
  ])('does what one with all at hand does: a %s post', (name, life) => {
    const one = post(name, today, life)
    for (const policy of [standardPolicy, classicPolicy]) {
      const report = backtest([...crowd, one], policy)
      const done = outcomeOf(report, name).actions.map(({ at, action, tier }) => {
        return { at, action, tier }
      })
      expect(done).toEqual(replayPlainly(one, [...crowd, one], policy))
    }
  })
})

describe('comparing two policies', () => {
  const posts = [...past, dying, lively]
  const standard = backtest(posts, standardPolicy)
  const classic = backtest(posts, classicPolicy)

  it('tells whom each would have bothered', () => {
    const { all, healthy, stagnant, earlierByMs } = compareReports(standard, classic)
    expect(all).toEqual({ both: 21, onlyFirst: 0, onlySecond: 61, neither: 0 })
    expect(healthy).toEqual({ both: 1, onlyFirst: 0, onlySecond: 55, neither: 0 })
    expect(stagnant).toEqual({ both: 20, onlyFirst: 0, onlySecond: 0, neither: 0 })
    // The classic executor waits for three samples only.
    expect(earlierByMs).toBeLessThan(0)
  })

  it('refuses reports on other posts', () => {
    expect(() => compareReports(standard, backtest(past, classicPolicy))).toThrow('same posts')
    expect(() => compareReports(backtest(past, classicPolicy), standard)).toThrow('more posts')
  })
})
