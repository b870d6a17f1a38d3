/** The band of an account is read from the curves that the ledger keeps. */

import { expect, test } from 'vitest'
import { baselineAgesMs } from '../../core/age-rank/ages.ts'
import { dayMs, hourMs } from '../../core/duration.ts'
import { toPostId } from '../../core/ids.ts'
import { Stage } from '../../../test/builders/engine.ts'
import type { AccountRow } from '../../ledger/index.ts'
import { readBand } from './read-band.ts'

/** Posts of which at every age the k-th has k times as many engagements as hours. */
async function remember(stage: Stage, account: AccountRow, posts: number): Promise<void> {
  const now = await stage.ledger.now()
  for (let k = 1; k <= posts; k += 1) {
    const publishedAt = now - (k + 3) * dayMs
    const postId = toPostId(`${account.id}-${k}`)
    const { id: accountId, platform } = account
    await stage.ledger.trackPosts([
      {
        id: postId,
        accountId,
        platform,
        remoteId: postId,
        url: null,
        text: 'A post.',
        contentVersion: null,
        publishedAt,
        status: 'closed',
        neverTouch: false,
        arm: null,
        propensity: null,
        nextCheckAt: null,
        trackedAt: publishedAt,
        closedAt: null,
      },
    ])
    const counts = baselineAgesMs.map((ageMs) => (k * ageMs) / hourMs)
    const points = { publishedAt, counts, impressions: null }
    const maturedAt = publishedAt + 2 * dayMs
    await stage.ledger.saveCurve({ postId, accountId, platform, maturedAt, weight: 1, points }, 200)
  }
}

test('it holds a tenth, the middle and nine tenths of the account past posts', async () => {
  const stage = await Stage.open()
  await remember(stage, await stage.account(), 30)
  const band = await readBand(stage.ledger, await stage.account())
  expect(band.map(({ ageMs }) => ageMs)).toEqual(baselineAgesMs)
  expect(band.find(({ ageMs }) => ageMs === 2 * hourMs)).toEqual({
    ageMs: 2 * hourMs,
    curves: 30,
    ownCurves: 30,
    low: 6,
    middle: 30,
    high: 54,
  })
})

test('where its own are few, it says how many were borrowed', async () => {
  const stage = await Stage.open()
  await remember(stage, await stage.account(), 4)
  await remember(stage, await stage.addAccount('bob'), 50)
  const [first] = await readBand(stage.ledger, await stage.account())
  expect(first).toMatchObject({ curves: 20, ownCurves: 4 })
})

test('without past posts there is none', async () => {
  const stage = await Stage.open()
  expect(await readBand(stage.ledger, await stage.account())).toEqual([])
})
