/** Tests the ages between which a post is acted on, both included. */

import { describe, expect, it } from 'vitest'
import { now, reportOf } from '../../../test/builders/decision.ts'
import { hourMs, minuteMs } from '../duration.ts'
import { never, untilTime } from '../until.ts'

const fromMs = 30 * minuteMs
const toMs = 72 * hourMs

function reportAtAge(ageMs: number | null) {
  const publishedAt = ageMs === null ? null : now - ageMs
  return reportOf('post_age', { post: { id: 'post-1', publishedAt, neverTouch: false } })
}

describe('post_age', () => {
  it.each([
    ['at exactly 30 minutes', fromMs],
    ['in between', 20 * hourMs],
    ['at exactly 72 hours', toMs],
  ])('passes %s', (_, ageMs) => {
    expect(reportAtAge(ageMs)).toEqual({
      guard: 'post_age',
      kind: 'pass',
      facts: { ageMs, fromMs, toMs },
    })
  })

  it.each([
    ['a millisecond before 30 minutes', fromMs - 1, untilTime(now + 1)],
    ['right after publication', 0, untilTime(now + fromMs)],
    ['before publication, by a wrong clock', -hourMs, untilTime(now + hourMs + fromMs)],
    ['a millisecond after 72 hours', toMs + 1, never],
    ['where nobody knows the age', null, never],
  ])('holds %s', (_, ageMs, until) => {
    expect(reportAtAge(ageMs)).toEqual({
      guard: 'post_age',
      kind: 'hold',
      facts: { ageMs, fromMs, toMs },
      until,
    })
  })
})
