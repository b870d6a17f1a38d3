/** What must be true of verdicts: one look for a sample and a policy, an event when it changes. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { decide } from '../../core/decide.ts'
import { toPostId } from '../../core/ids.ts'
import type { Policy } from '../../core/policy.ts'
import { policyId } from '../../core/policy.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyWith } from './policies.ts'
import type { World } from './world.ts'

/** Decides on what the ledger knows, as the engine does. */
async function judge(world: World, post: PostRow, policy: Policy = world.policy): Promise<Verdict> {
  const { capabilities } = world.planCommand(post)
  const input = await world.ledger.decisionInput(post.id, policy, capabilities)
  assert.ok(input)
  return decide(input)
}

async function look(world: World, post: PostRow, policy: Policy = world.policy) {
  const verdict = await judge(world, post, policy)
  const nextCheckAt = world.clock.now() + 5 * minuteMs
  const row = await world.ledger.recordVerdict(post.id, { verdict, nextCheckAt })
  assert.ok(row)
  return { verdict, row }
}

async function verdictEvents(world: World) {
  const { events } = await world.ledger.readEvents(null, { types: ['verdict'] }, 99)
  return events.map(({ data }) => data)
}

export const verdictCases = casesOf('verdicts', {
  'are kept with their trace, and say when to look next': async (world) => {
    const post = await world.post()
    const { verdict, row } = await look(world, post)
    assert.equal(verdict.kind, 'hold')
    assert.deepEqual(row, {
      postId: post.id,
      policy: policyId(world.policy),
      at: noon,
      evaluatedAt: noon,
      kind: 'hold',
      reason: 'confirming',
      score: 1,
      stalled: true,
      tier: 'tier_3',
      until: { kind: 'event', event: 'next_look' },
      trace: structuredClone(verdict.trace),
    })
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.listVerdicts(post.id, 9), [row])
    assert.equal((await world.ledger.getPost(post.id))?.nextCheckAt, noon + 5 * minuteMs)
  },

  'three looks in a row confirm it; the same sample again adds none': async (world) => {
    const post = await world.post()
    const kinds: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      await look(world, post)
      kinds.push((await look(world, post)).verdict.kind)
      world.clock.advance(10 * minuteMs)
      await world.stall(post)
    }
    assert.deepEqual(kinds, ['hold', 'hold', 'plan'])
    assert.equal((await world.ledger.listVerdicts(post.id, 99)).length, 3)
  },

  'are listed newest first, at most as many as asked for': async (world) => {
    const post = await world.post()
    const rows = []
    for (let turn = 0; turn < 3; turn += 1) {
      rows.unshift((await look(world, post)).row)
      world.clock.advance(10 * minuteMs)
      await world.stall(post)
    }
    assert.deepEqual(await world.ledger.listVerdicts(post.id, 2), rows.slice(0, 2))
  },

  'a look under another policy is another look': async (world) => {
    const post = await world.post()
    const other = policyWith(2)
    await world.ledger.savePolicy(other)
    await look(world, post)
    await look(world, post, other)
    assert.equal((await world.ledger.listVerdicts(post.id, 9)).length, 2)
    world.clock.advance(10 * minuteMs)
    await world.stall(post)
    const { trace } = await judge(world, post, other)
    assert.equal(trace.looks?.stalled, 2, 'looks of the first policy do not count')
  },

  'write an event only when the answer changes': async (world) => {
    const post = await world.post()
    await look(world, post)
    world.clock.advance(10 * minuteMs)
    await world.stall(post)
    await look(world, post)
    assert.equal((await verdictEvents(world)).length, 1)
    world.clock.advance(31 * minuteMs)
    await world.recover(post)
    await look(world, post)
    const events = await verdictEvents(world)
    const kinds = events.map((data) => ('verdict' in data ? data.verdict : null))
    assert.deepEqual(kinds, ['hold', 'healthy'])
  },

  'one that could not tell is kept and is no look': async (world) => {
    const post = world.newPost(await world.account())
    await world.ledger.trackPosts([post])
    const { row } = await look(world, post)
    assert.deepEqual([row.kind, row.score, row.stalled], ['insufficient', null, false])
    assert.deepEqual([row.at, row.reason], [noon, 'insufficient_samples'])
    const { capabilities } = world.planCommand(post)
    const input = await world.ledger.decisionInput(post.id, world.policy, capabilities)
    assert.deepEqual(input?.looks, [])
    assert.equal((await world.ledger.listVerdicts(post.id, 9)).length, 1)
  },

  'on a post that has closed set no next look': async (world) => {
    const post = await world.post()
    await world.ledger.closePost(post.id, 'closed')
    await look(world, post)
    assert.equal((await world.ledger.getPost(post.id))?.nextCheckAt, null)
  },

  'are thinned when the watch ends: what was new stays, and the latest': async (world) => {
    const post = await world.post()
    const other = await world.post()
    const say = async (
      of: PostRow,
      minutes: number,
      answer: 'hold' | 'healthy' | 'insufficient',
    ) => {
      world.clock.advance(minutes * minuteMs)
      const verdict = await judge(world, of)
      const trace = { ...verdict.trace, evidence: { ...verdict.trace.evidence, lastAt: null } }
      const lack = { reason: 'insufficient_samples' }
      const given = { ...verdict, kind: answer, trace, lack } as unknown as Verdict
      await world.ledger.recordVerdict(of.id, { verdict: given, nextCheckAt: null })
      return world.clock.now()
    }
    const first = await say(post, 1, 'healthy')
    await say(post, 1, 'healthy')
    const stalled = await say(post, 1, 'hold')
    await say(post, 1, 'hold')
    const well = await say(post, 1, 'healthy')
    await say(post, 1, 'healthy')
    const last = await say(post, 1, 'healthy')
    await say(other, 1, 'healthy')
    await say(other, 1, 'healthy')
    await world.ledger.closePost(post.id, 'closed')
    const times = async (of: PostRow) => {
      return (await world.ledger.listVerdicts(of.id, 99)).map(({ evaluatedAt }) => evaluatedAt)
    }
    assert.deepEqual(await times(post), [last, well, stalled, first])
    assert.equal((await times(other)).length, 2)
    await world.ledger.closePost(post.id, 'gone')
    assert.deepEqual(await times(post), [last, well, stalled, first])
  },

  'of many posts are kept together, each as if it were alone': async (world) => {
    const account = await world.account()
    const stalled = await world.post(account)
    const well = await world.post(account)
    await world.recover(well)
    const closed = await world.post()
    await world.ledger.closePost(closed.id, 'closed')
    const nextCheckAt = noon + minuteMs
    const looks = []
    // Not in the order of their ids.
    for (const post of [closed, well, stalled]) {
      looks.push({ postId: post.id, verdict: await judge(world, post), nextCheckAt })
    }
    const nowhere = { ...looks[0], postId: toPostId('nowhere') } as (typeof looks)[number]
    const rows = await world.ledger.recordVerdicts([...looks, nowhere])
    assert.deepEqual(
      rows.map((row) => row?.postId ?? null),
      [closed.id, well.id, stalled.id, null],
    )
    for (const row of rows) {
      if (row !== null) assert.deepEqual(await world.ledger.listVerdicts(row.postId, 9), [row])
    }
    const next = async (post: PostRow) => (await world.ledger.getPost(post.id))?.nextCheckAt
    assert.deepEqual(
      [await next(stalled), await next(well), await next(closed)],
      [nextCheckAt, nextCheckAt, null],
    )
    const due = await world.ledger.nextDueAt()
    assert.ok(due !== null && due <= nextCheckAt)
    assert.equal((await verdictEvents(world)).length, 3)
    await world.ledger.recordVerdicts(looks)
    assert.equal((await verdictEvents(world)).length, 3)
    assert.deepEqual(await world.ledger.recordVerdicts([]), [])
  },

  'of a post that is not in the ledger are null': async (world) => {
    const post = await world.post()
    const command = { verdict: await judge(world, post), nextCheckAt: null }
    const nowhere = toPostId('nowhere')
    assert.equal(await world.ledger.recordVerdict(nowhere, command), null)
  },
})
