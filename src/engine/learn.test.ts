/** What is learnt on a simulated network, where the true effect is known. */

import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '../core/duration.ts'
import type { AccountId } from '../core/ids.ts'
import type { Ledger, PostRow } from '../ledger/index.ts'
import { ann, live, quickPolicy } from '../../test/builders/lived-ledger.ts'
import { learn, updateFutility } from './learn.ts'
import type { LiftReport } from './learn.ts'

async function allPosts(ledger: Ledger): Promise<readonly PostRow[]> {
  return ledger.listPosts({}, { after: null, limit: 10_000 })
}

async function futilityOf(ledger: Ledger, id: AccountId): Promise<number | undefined> {
  const [post] = await ledger.listPosts({ accountId: id }, { after: null, limit: 1 })
  if (post === undefined) return undefined
  const capabilities = { platform: 'any', actions: {} } as never
  const input = await ledger.decisionInput(post.id, quickPolicy, capabilities)
  return input?.withoutLift.comment
}

describe('learning from a network on which a comment makes three times as much', () => {
  let ledger: Ledger
  let report: LiftReport
  beforeAll(async () => {
    ledger = await live({ factor: 3, posts: 90, holdoutShare: 0.5 })
    report = await learn(ledger)
  })

  it('finds that it helps, with the truth inside its bounds', () => {
    expect(report.pooled.lift).toMatchObject({ verdict: 'helps', morePosts: 0 })
    const { lowerLift = 0, upperLift = 0 } = report.pooled.lift?.effect ?? {}
    expect(lowerLift).toBeGreaterThan(0)
    expect(lowerLift).toBeLessThan(2)
    expect(upperLift).toBeGreaterThan(2 * 0.8)
  })

  it('counts every post that has an arm, in the arm it was drawn into', async () => {
    const posts = await allPosts(ledger)
    const count = (arm: string) => posts.filter((post) => post.arm === arm).length
    expect(count('holdout')).toBeGreaterThan(20)
    expect(report.pooled.lift).toMatchObject({ acted: count('act'), heldOut: count('holdout') })
    expect(report.pooled.leftOut).toEqual({
      waiting: { act: 0, holdout: 0 },
      lost: { act: 0, holdout: 0 },
      withoutDraw: 0,
    })
  })

  it('knows of held-out posts too what would have been done', () => {
    expect(report.byAction.map(({ name }) => name)).toEqual(['comment'])
    expect(report.byAction[0]?.lift).toEqual(report.pooled.lift)
    const tiers = report.byTier.reduce((sum, { lift }) => sum + (lift?.heldOut ?? 0), 0)
    expect(tiers).toBe(report.pooled.lift?.heldOut)
    expect(report.byAccount).toEqual([{ ...report.pooled, name: 'ann' }])
    expect(report.byPlatform).toHaveLength(1)
  })

  it('says so in a hint', () => {
    const [group] = report.byActionOnPlatform
    expect(report.hints).toHaveLength(1)
    expect(report.hints[0]).toContain(`comments on ${group?.platform} help`)
  })

  it('reads the other horizons too, and refuses one that nobody measures', async () => {
    const early = await learn(ledger, { horizonMs: 2 * hourMs })
    expect(early.pooled.lift?.posts).toBe(report.pooled.lift?.posts)
    const late = await learn(ledger, { horizonMs: 7 * dayMs })
    const { act, holdout } = late.pooled.leftOut.waiting
    expect(act + holdout).toBe(report.pooled.lift?.posts)
    expect(late.pooled.lift).toMatchObject({ posts: 0, verdict: 'unproven', effect: null })
    await expect(learn(ledger, { horizonMs: hourMs })).rejects.toThrow('2 h, 1 d, 7 d')
  })

  it('does not call it futile', async () => {
    expect(await futilityOf(ledger, ann)).toBe(0)
  })
})

describe('learning from a network on which a comment makes half as much again', () => {
  it('finds that it helps', async () => {
    const ledger = await live({ factor: 1.5, posts: 300, holdoutShare: 0.5 })
    const { lift } = (await learn(ledger)).pooled
    expect(lift?.verdict).toBe('helps')
    expect(lift?.effect?.lowerLift).toBeLessThan(0.5)
    expect(lift?.effect?.upperLift).toBeGreaterThan(0.5 * 0.8)
  })
})

describe('learning from a network on which a comment does nothing', () => {
  let ledger: Ledger
  let report: LiftReport
  beforeAll(async () => {
    ledger = await live({ factor: 1, posts: 90, holdoutShare: 0.5 })
    report = await learn(ledger)
  })

  it('says unproven, and how many more posts it takes', () => {
    const { lift } = report.pooled
    expect(lift?.verdict).toBe('unproven')
    expect(lift?.effect?.lowerLift).toBeLessThan(0)
    expect(lift?.effect?.upperLift).toBeGreaterThan(0)
    expect(report.hints[0]).toMatch(
      /^comments on .*: unproven after \d+ posts; about .* are needed/,
    )
  })

  it('has the engine count the actions without lift', async () => {
    const counted = await futilityOf(ledger, ann)
    expect(counted).toBeGreaterThan(0)
    await ledger.setWithoutLift(ann, 'comment', 0)
    await updateFutility({ ledger }, ann)
    const acted = (await allPosts(ledger)).filter(({ arm }) => arm === 'act').length
    expect(await futilityOf(ledger, ann)).toBeGreaterThanOrEqual(counted ?? Infinity)
    expect(await futilityOf(ledger, ann)).toBeLessThanOrEqual(acted)
  })
})

describe('learning where nothing is held out', () => {
  it('says that lift is not measured, and counts the posts', async () => {
    const ledger = await live({ factor: 3, posts: 10, holdoutShare: 0 })
    const { pooled, byAccount, hints } = await learn(ledger)
    expect(pooled).toMatchObject({ lift: null, leftOut: { withoutDraw: 10 } })
    expect(byAccount).toMatchObject([{ name: 'ann', lift: null }])
    expect(hints[0]).toContain('not measured')
  })
})

describe('learning from posts that were lost', () => {
  it('counts by arm those that are gone, and leaves them out of the estimate', async () => {
    const ledger = await live({ factor: 1, posts: 0, holdoutShare: 0.5 })
    const now = await ledger.now()
    const post: PostRow = {
      id: 'p' as PostRow['id'],
      accountId: ann,
      platform: 'somewhere',
      remoteId: 'r',
      url: null,
      text: 'A post',
      contentVersion: null,
      publishedAt: now,
      status: 'gone',
      neverTouch: false,
      arm: 'holdout',
      propensity: 0.5,
      nextCheckAt: null,
      trackedAt: now,
      closedAt: now,
    }
    await ledger.trackPosts([post])
    const { pooled } = await learn(ledger)
    expect(pooled.leftOut.lost).toEqual({ act: 0, holdout: 1 })
    expect(pooled.lift).toMatchObject({ posts: 0 })
  })
})
