/** What is remembered of a post, and which posts are not. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../duration.ts'
import type { Sample } from '../sample.ts'
import { baselineAgesMs } from './ages.ts'
import { curveOf } from './curve.ts'

const publishedAt = 1_000_000
const own = { weight: 1, own: true }

/** One engagement a minute, and ten impressions. */
function sampled(agesMs: readonly number[]): Sample[] {
  return agesMs.map((ageMs) => ({
    at: publishedAt + ageMs,
    engagements: ageMs / minuteMs,
    impressions: (10 * ageMs) / minuteMs,
  }))
}

const everyTenMinutes = Array.from({ length: 48 * 6 }, (_, index) => (index + 1) * 10 * minuteMs)

test('a curve holds the counts at the baseline ages', () => {
  const result = curveOf(sampled(everyTenMinutes), publishedAt, own)
  expect(result).toEqual({
    kind: 'curve',
    curve: {
      publishedAt,
      counts: baselineAgesMs.map((ageMs) => ageMs / minuteMs),
      impressions: baselineAgesMs.map((ageMs) => (10 * ageMs) / minuteMs),
      weight: 1,
      own: true,
    },
  })
})

test('missed polls leave a hole before the first reading, and none between readings', () => {
  const samples = sampled([3 * hourMs, 7 * hourMs, 49 * hourMs])
  const result = curveOf(samples, publishedAt, own)
  const counts = result.kind === 'curve' ? result.curve.counts : []
  expect(counts.map((count) => (count === null ? null : Math.round(count)))).toEqual(
    baselineAgesMs.map((ageMs) => (ageMs < 3 * hourMs ? null : ageMs / minuteMs)),
  )
})

test('nothing is made up past the last reading, so a post seen for 47 hours has no curve', () => {
  const samples = sampled(everyTenMinutes.filter((ageMs) => ageMs <= 47 * hourMs))
  expect(curveOf(samples, publishedAt, own)).toEqual({ kind: 'no_curve', reason: 'not_matured' })
})

test('a counter that fell, or a post without a birthday, has no curve', () => {
  const samples = sampled(everyTenMinutes)
  const fallen = [...samples, { at: publishedAt + 49 * hourMs, engagements: 5, impressions: null }]
  expect(curveOf(fallen, publishedAt, own)).toMatchObject({ reason: 'counter_fell' })
  expect(curveOf(samples, null, own)).toMatchObject({ reason: 'no_publication_time' })
})

test('impressions that are missing, or that fell, are none; the curve stands', () => {
  const samples = sampled(everyTenMinutes)
  const blind = samples.map((sample) => Object.assign({}, sample, { impressions: null }))
  expect(curveOf(blind, publishedAt, own)).toMatchObject({ curve: { impressions: null } })
  const last = { at: publishedAt + 49 * hourMs, engagements: 5000, impressions: 1 }
  const fallen = [...samples, last]
  expect(curveOf(fallen, publishedAt, own)).toMatchObject({ curve: { impressions: null } })
})

test('samples from before the publication are left out', () => {
  const early = { at: publishedAt - hourMs, engagements: 999, impressions: null }
  const result = curveOf([early, ...sampled(everyTenMinutes)], publishedAt, own)
  expect(result).toEqual(curveOf(sampled(everyTenMinutes), publishedAt, own))
})
