/** What is read from JSON, and how a bad file is named. */

import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../core/duration.ts'
import { readJson } from './read-json.ts'
import { samplesOf } from './recorded-post.ts'

const noon = Date.UTC(2026, 0, 1, 12)

const post = {
  id: 'a',
  publishedAt: '2026-01-01T12:00:00Z',
  samples: [
    { at: '2026-01-01T12:40:00Z', engagements: 5, impressions: 90 },
    { at: '2026-01-01T12:20:00Z', engagements: 2 },
    { at: '2026-01-01T12:20:00Z', engagements: 3 },
  ],
}

const read = (...posts: readonly unknown[]) => readJson(JSON.stringify(posts), 'mine')

describe('reading JSON', () => {
  it('puts samples in order and keeps the greatest of one instant', () => {
    const [one] = read(post)
    expect(one).toMatchObject({ id: 'a', account: 'mine', platform: 'mine', publishedAt: noon })
    expect(samplesOf(one as NonNullable<typeof one>)).toEqual([
      { at: noon + 20 * minuteMs, engagements: 3, impressions: null },
      { at: noon + 40 * minuteMs, engagements: 5, impressions: 90 },
    ])
  })

  it('takes accounts and platforms by their names', () => {
    const named = { ...post, account: 'ann', platform: 'bluesky', actedOn: true }
    expect(read(named)).toMatchObject([
      { account: 'bluesky/ann', platform: 'bluesky', actedOn: true },
    ])
  })

  it('names the field that cannot be used', () => {
    const [sample] = post.samples
    const bad = { ...post, samples: [{ ...sample, engagements: -1 }] }
    expect(() => read(post, bad)).toThrow('mine[1].samples[0].engagements')
    expect(() => read({ ...post, publishedAt: 'soon' })).toThrow('mine[0].publishedAt')
    expect(() => read({ ...post, sample: [] })).toThrow('mine[0].sample: unknown field')
    const late = { ...post, samples: [{ ...sample, at: 'later' }] }
    expect(() => read(late)).toThrow('mine[0].samples[0].at')
  })

  it('refuses what is no list of posts', () => {
    expect(() => readJson('{', 'mine')).toThrow('mine: is not JSON')
    expect(() => readJson('{}', 'mine')).toThrow('mine: must be a list of posts')
    expect(() => readJson('[]', 'mine')).toThrow('mine: holds no post')
  })
})
