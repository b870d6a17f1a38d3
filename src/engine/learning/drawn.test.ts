/** How one measured post is read back. */

import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../core/duration.ts'
import { toAccountId, toPostId } from '../../core/ids.ts'
import type { MeasurementRow, PostRow } from '../../ledger/rows.ts'
import { drawnOf, readingOf } from './drawn.ts'

const drawn = {
  action: 'edit',
  tier: 'tier_2',
  score: 0.9,
  ageMs: 2 * hourMs,
  engagements: 12,
  impressions: null,
  recentGain: 3,
} as const

const post: PostRow = {
  id: toPostId('p'),
  accountId: toAccountId('a'),
  platform: 'bluesky',
  remoteId: 'r',
  url: null,
  text: null,
  contentVersion: null,
  publishedAt: 0,
  status: 'closed',
  neverTouch: false,
  arm: 'act',
  propensity: 0.5,
  nextCheckAt: null,
  trackedAt: 0,
  closedAt: null,
}

const row: MeasurementRow = {
  postId: post.id,
  horizonMs: dayMs,
  dueAt: dayMs,
  takenAt: dayMs + 5,
  gain: 7,
  detail: { drawn, from: 12, to: 19 },
}

describe('a measured post', () => {
  it('is read with its arm, its outcome and what the draw wanted', () => {
    expect(drawnOf(row)).toEqual(drawn)
    expect(readingOf(post, row, drawn)).toMatchObject({
      kind: 'measured',
      post: {
        postId: 'p',
        arm: 'act',
        propensity: 0.5,
        outcome: Math.log(8),
        maturedAt: dayMs + 5,
        action: 'edit',
        tier: 'tier_2',
        platform: 'bluesky',
        accountId: 'a',
      },
    })
  })

  it('is foretold by nothing that came after the draw', () => {
    const other = { ...row, gain: 999, takenAt: 9 * dayMs }
    const covariates = (of: MeasurementRow) => {
      const reading = readingOf(post, of, drawn)
      return reading.kind === 'measured' ? reading.post.covariates : []
    }
    expect(covariates(other)).toEqual(covariates(row))
    expect(covariates(row).every(Number.isFinite)).toBe(true)
    expect(covariates(row)).toHaveLength(5)
  })

  it('waits until it is taken, and is lost without a gain', () => {
    expect(readingOf(post, { ...row, takenAt: null, gain: null }, drawn).kind).toBe('waiting')
    expect(readingOf(post, { ...row, gain: null }, drawn).kind).toBe('lost')
  })

  it('tells nothing where nothing could have been held out', () => {
    expect(readingOf({ ...post, propensity: 1 }, row, drawn).kind).toBe('no_draw')
  })

  it('says nothing of a draw that was not noted', () => {
    expect(drawnOf({ ...row, detail: null })).toBeNull()
    expect(drawnOf({ ...row, detail: { drawn: { ...drawn, action: 'dance' } } })).toBeNull()
  })
})
