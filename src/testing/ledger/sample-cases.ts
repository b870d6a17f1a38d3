/** What must be true of readings: exact, in order, once for an instant. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { parseInstant } from '../../core/instant.ts'
import type { Sample } from '../../core/sample.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import type { World } from './world.ts'

async function silentPost(world: World): Promise<PostRow> {
  const post = world.newPost(await world.account())
  await world.ledger.trackPosts([post])
  return post
}

function reading(at: number, engagements = 1): Sample {
  return { at, impressions: 100, engagements }
}

function record(world: World, { id: postId }: PostRow, ...samples: readonly Sample[]) {
  return world.ledger.recordSamples(samples.map((sample) => ({ postId, sample })))
}

export const sampleCases = casesOf('samples', {
  'are listed in the order of time, whatever order they came in': async (world) => {
    const post = await silentPost(world)
    const samples = [3, 1, 2].map((minute) => reading(noon + minute * minuteMs))
    assert.equal(await record(world, post, ...samples), 3)
    const listed = await world.ledger.listSamples(post.id)
    assert.deepEqual(
      listed.map(({ at }) => (at - noon) / minuteMs),
      [1, 2, 3],
    )
  },

  'a reading at an instant that is known is kept as it was': async (world) => {
    const post = await silentPost(world)
    await record(world, post, reading(noon, 1))
    assert.equal(await record(world, post, reading(noon, 9), reading(noon + 1, 2)), 1)
    assert.equal(await record(world, post, reading(noon + 2), reading(noon + 2, 7)), 1)
    assert.deepEqual(await world.ledger.listSamples(post.id), [
      reading(noon, 1),
      reading(noon + 1, 2),
      reading(noon + 2),
    ])
  },

  'come back as they were: absent is not zero': async (world) => {
    const post = await silentPost(world)
    const samples: readonly Sample[] = [
      { at: noon, impressions: null, engagements: 0 },
      { at: noon + 1, impressions: 0, engagements: 0, interactions: {} },
      { at: noon + 2, impressions: 1.5, engagements: 2.25, interactions: { likes: 1, replies: 0 } },
      { at: noon + 3, impressions: Number.MAX_SAFE_INTEGER, engagements: 1e15 },
    ]
    await record(world, post, ...samples)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.listSamples(post.id), samples)
  },

  'fractions of a millisecond are exact, and two of them are two instants': async (world) => {
    const post = await silentPost(world)
    const at = parseInstant('2026-03-02T11:59:59.000001+00:00', 'at')
    assert.notEqual(at, Math.floor(at))
    const times = [at, at + 1 / 1024, Math.floor(at)]
    await record(world, post, ...times.map((time) => reading(time)))
    const listed = await world.ledger.listSamples(post.id)
    assert.deepEqual(
      listed.map((sample) => sample.at),
      times.toSorted((a, b) => a - b),
    )
  },

  'one batch holds readings of many posts, and many readings': async (world) => {
    const [one, two] = [await silentPost(world), await silentPost(world)]
    const batch = Array.from({ length: 500 }, (_, index) => ({
      postId: (index % 2 === 0 ? one : two).id,
      sample: reading(noon + index, index),
    }))
    assert.equal(await world.ledger.recordSamples(batch), 500)
    assert.equal(await world.ledger.recordSamples(batch), 0)
    assert.equal(await world.ledger.recordSamples([]), 0)
    for (const [index, { id }] of [one, two].entries()) {
      const listed = await world.ledger.listSamples(id)
      assert.equal(listed.length, 250)
      assert.deepEqual(listed[0], reading(noon + index, index))
    }
  },

  'a bad reading is refused by its name, and nothing of its batch is kept': async (world) => {
    const post = await silentPost(world)
    const bad = { ...reading(noon + 1), engagements: -1 }
    await assert.rejects(
      async () => record(world, post, reading(noon), bad),
      (error) => error instanceof InputError && error.field === 'batch[1].sample.engagements',
    )
    assert.deepEqual(await world.ledger.listSamples(post.id), [])
  },

  'a reading of a post that is not in the ledger is refused with its batch': async (world) => {
    const post = await silentPost(world)
    const sample = reading(noon)
    const batch = [post.id, toPostId('nowhere')].map((postId) => ({ postId, sample }))
    await assert.rejects(world.ledger.recordSamples(batch), (error) => {
      return error instanceof LedgerError && error.kind === 'conflict'
    })
    assert.deepEqual(await world.ledger.listSamples(post.id), [])
  },

  'an own reply is kept once by its remote id, the later word counts': async (world) => {
    const post = await world.post()
    const own = (remoteId: string, at: number) => ({ postId: post.id, remoteId, at })
    await world.ledger.recordOwnReplies([own('r-1', noon), own('r-2', noon + 0.5)])
    await world.ledger.recordOwnReplies([own('r-1', noon + 3)])
    await world.ledger.recordOwnReplies([])
    const { capabilities } = world.planCommand(post)
    const input = await world.ledger.decisionInput(post.id, world.policy, capabilities)
    assert.deepEqual(input?.ownReplies.toSorted(), [noon + 0.5, noon + 3])
  },
})
