/** What is read from a ledger for a replay. */

import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../../core/duration.ts'
import { toAccountId, toPostId } from '../../core/ids.ts'
import { standardPolicy } from '../../core/policies/standard.ts'
import { MemoryStore, createLedger } from '../../ledger/index.ts'
import type { Ledger, PostRow } from '../../ledger/index.ts'
import { VirtualClock } from '../../testing/platform/virtual-clock.ts'
import { readLedger } from './read-ledger.ts'
import { samplesOf } from './recorded-post.ts'

const clock = new VirtualClock()
const now = clock.now()
const ann = toAccountId('ann')

function row(id: string, wish: Partial<PostRow> = {}): PostRow {
  return {
    id: toPostId(id),
    accountId: ann,
    platform: 'somewhere',
    remoteId: id,
    url: null,
    text: 'A post',
    contentVersion: null,
    publishedAt: now - dayMs,
    status: 'closed',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: null,
    trackedAt: now - dayMs,
    closedAt: null,
    ...wish,
  }
}

async function openWithAccount(): Promise<Ledger> {
  const ledger = createLedger(new MemoryStore(clock))
  await ledger.savePolicy(standardPolicy)
  await ledger.saveAccount({
    id: ann,
    platform: 'somewhere',
    handle: 'ann',
    mode: 'auto',
    timeZone: 'UTC',
    policy: 'standard@1',
    holdoutShare: 0.2,
    credentials: null,
    status: 'active',
    statusReason: null,
    createdAt: now,
    discoverAt: null,
    profile: null,
  })
  return ledger
}

describe('reading posts from a ledger', () => {
  it('takes their samples, and what those that were held out stand for', async () => {
    const ledger = await openWithAccount()
    const held = row('held', { arm: 'holdout', propensity: 0.8 })
    await ledger.trackPosts([row('free'), held, row('never-read')])
    const sample = { at: now - 2 * hourMs, engagements: 4, impressions: null }
    await ledger.recordSamples([
      { postId: toPostId('free'), sample },
      { postId: held.id, sample: { ...sample, impressions: 70 } },
    ])
    const posts = await readLedger(ledger)
    expect(posts.map(({ id, actedOn }) => ({ id, actedOn }))).toEqual([
      { id: 'free', actedOn: false },
      { id: 'held', actedOn: false },
    ])
    expect(posts.map(({ weight }) => weight)).toEqual([1, expect.closeTo(5, 9)])
    expect(posts.map(samplesOf)).toEqual([[sample], [{ ...sample, impressions: 70 }]])
    expect(await readLedger(ledger, { accountId: toAccountId('bob') })).toEqual([])
  })

  it('takes of posts before a moment only what a baseline holds, and tells how far', async () => {
    const ledger = await openWithAccount()
    const rows = Array.from({ length: 260 }, (_, age) =>
      row(`p-${String(age).padStart(3, '0')}`, { publishedAt: now - (age + 1) * dayMs }),
    )
    await ledger.trackPosts(rows)
    await ledger.recordSamples(
      rows.map(({ id, publishedAt }) => ({
        postId: id,
        sample: { at: publishedAt + hourMs, engagements: 1, impressions: null },
      })),
    )
    const told: string[] = []
    const posts = await readLedger(ledger, {
      since: now - 10 * dayMs,
      onProgress: (done, all) => told.push(`${done} of ${all}`),
    })
    expect(posts).toHaveLength(10 + 200)
    expect(Math.min(...posts.map(({ publishedAt }) => publishedAt))).toBe(now - 210 * dayMs)
    expect(told).toEqual(['0 of 210', '100 of 210', '200 of 210', '210 of 210'])
  })
})
