/** Which posts are known at a moment of the replay. */

import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../core/duration.ts'
import { PastPosts } from './past-posts.ts'
import type { RecordedPost } from './recorded-post.ts'

const agesMs = Float64Array.from({ length: 49 }, (_, hour) => Math.max(0.5, hour) * hourMs)

function post(publishedAt: number, wish: Partial<RecordedPost> = {}): RecordedPost {
  return {
    id: `post-${publishedAt}`,
    account: 'ann',
    platform: 'somewhere',
    publishedAt,
    agesMs,
    engagements: agesMs.map((ageMs) => Math.round(ageMs / hourMs)),
    impressions: null,
    weight: 1,
    actedOn: false,
    ...wish,
  }
}

const sizeOf = (past: PastPosts, of: RecordedPost, now: number) =>
  past.baselineOf(of, now)?.baseline.size ?? 0

describe('past posts', () => {
  it('are known from the reading on that shows them matured, and not before', () => {
    const past = new PastPosts([post(0), post(dayMs)])
    const newest = post(3 * dayMs)
    expect(sizeOf(past, newest, 2 * dayMs - 1)).toBe(0)
    expect(sizeOf(past, newest, 2 * dayMs)).toBe(1)
    // While there are few of them they are looked at once a day.
    expect(sizeOf(past, newest, 3 * dayMs - 1)).toBe(1)
    expect(sizeOf(past, newest, 3 * dayMs)).toBe(2)
  })

  it('are not those that someone acted on, nor those not read to the end', () => {
    const short = { agesMs: agesMs.slice(0, 20), engagements: new Float64Array(20) }
    const past = new PastPosts([post(0, { actedOn: true }), post(1, short), post(2)])
    expect(sizeOf(past, post(9 * dayMs), 9 * dayMs)).toBe(1)
  })

  it('are borrowed from others on the platform while there are few', () => {
    const past = new PastPosts([
      post(0),
      post(1, { account: 'bob' }),
      post(2, { account: 'eve', platform: 'elsewhere' }),
    ])
    const baseline = past.baselineOf(post(9 * dayMs), 9 * dayMs)?.baseline
    expect(baseline).toMatchObject({ size: 2, ownSize: 1 })
  })

  it('are kept up to 200 of an account, and laid out again when a fifth is new', () => {
    const posts = Array.from({ length: 300 }, (_, day) => post(day * dayMs))
    const past = new PastPosts(posts)
    const at = (day: number) => past.baselineOf(post(day * dayMs), day * dayMs)
    const before = at(102)
    expect(before?.baseline.size).toBe(101)
    expect(at(110)).toBe(before)
    expect(at(130)?.baseline.size).toBe(129)
    expect(at(299)?.baseline.size).toBe(200)
  })
})
