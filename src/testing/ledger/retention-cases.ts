/** What must be true of old readings: those of closed posts shrink to the ages that are kept. */

import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import type { World } from './world.ts'

const keepMs = 30 * dayMs
const keepAgesMs = [hourMs, 2 * hourMs]

/** A post with a reading every ten minutes for three hours. */
async function watched(world: World): Promise<PostRow> {
  const post = world.newPost(await world.account(), { publishedAt: noon })
  await world.ledger.trackPosts([post])
  const batch = Array.from({ length: 18 }, (_, index) => ({
    postId: post.id,
    sample: { at: noon + (index + 1) * 10 * minuteMs, impressions: index, engagements: index },
  }))
  await world.ledger.recordSamples(batch)
  return post
}

async function agesOf(world: World, { id, publishedAt }: PostRow): Promise<readonly number[]> {
  const samples = await world.ledger.listSamples(id)
  return samples.map(({ at }) => (at - publishedAt) / minuteMs)
}

/** Shrinks in small steps until nothing is left to shrink. */
async function shrinkAll(world: World, limit: number): Promise<number> {
  let dropped = 0
  for (let turn = 0; turn < 99; turn += 1) {
    const count = await world.ledger.shrinkSamples(keepMs, keepAgesMs, limit)
    if (count === 0) return dropped
    dropped += count
  }
  throw new Error('shrinking never ends')
}

export const retentionCases = casesOf('retention', {
  'keeps the last reading before each age, and drops the rest': async (world) => {
    const post = await watched(world)
    await world.ledger.closePost(post.id, 'closed')
    world.clock.set(noon + 31 * dayMs)
    assert.equal(await shrinkAll(world, 5), 16)
    assert.deepEqual(await agesOf(world, post), [60, 120])
    assert.equal(await shrinkAll(world, 5), 0)
  },

  'leaves alone what is watched and what is not old enough': async (world) => {
    const open = await watched(world)
    const closed = await watched(world)
    await world.ledger.closePost(closed.id, 'gone')
    world.clock.set(noon + keepMs + 90 * minuteMs)
    assert.equal(await shrinkAll(world, 999), 7)
    assert.equal((await agesOf(world, open)).length, 18)
    assert.deepEqual(
      await agesOf(world, closed),
      [60, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180],
    )
    world.clock.set(noon + 31 * dayMs)
    assert.equal(await shrinkAll(world, 999), 9)
    assert.deepEqual(await agesOf(world, closed), [60, 120])
  },

  'finds readings that come after a post was shrunk': async (world) => {
    const post = await watched(world)
    await world.ledger.closePost(post.id, 'closed')
    world.clock.set(noon + 31 * dayMs)
    await shrinkAll(world, 999)
    const sample = { at: noon + 5 * minuteMs, impressions: null, engagements: 0 }
    await world.ledger.recordSamples([{ postId: post.id, sample }])
    assert.equal(await shrinkAll(world, 999), 1)
    assert.deepEqual(await agesOf(world, post), [60, 120])
  },
})
