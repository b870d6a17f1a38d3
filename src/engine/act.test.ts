/** Tests that what is planned lands exactly once, whatever happens on the way. */

import { describe, expect, test } from 'vitest'
import { minuteMs, secondMs } from '../core/duration.ts'
import { splitSegments } from '../core/segments.ts'
import { noFaults, onNextWrites, onSegment } from '../platform/simulated/index.ts'
import { shown, Stage, threadTexts } from '../../test/builders/engine.ts'

describe('an action lands once, with the very text that was planned', () => {
  test('comment', async () => {
    const stage = await Stage.open()
    const row = await stage.act('success')
    await stage.pass(10 * minuteMs)
    expect(stage.texts()).toEqual([row.text])
    expect(await stage.attempts()).toMatchObject([{ result: 'landed', segment: 0, number: 1 }])
    expect(stage.problems).toEqual([])
  })

  test('edit', async () => {
    const stage = await Stage.open({ action: 'edit' })
    const row = await stage.act('success')
    expect(row.text).toBe('A post. Read on.')
    expect(stage.texts()).toEqual([row.text])
    expect(stage.network.truth.posts()).toMatchObject([{ text: row.text }])
  })

  test('thread, each part below the one before', async () => {
    const stage = await Stage.open({ action: 'thread' })
    const row = await stage.act('success')
    expect(stage.texts()).toEqual(splitSegments(row.text ?? ''))
    expect(stage.effects().map(({ segment }) => segment)).toEqual([0, 1, 2])
    const ids = stage.effects().map(({ remoteId }) => remoteId)
    expect(row.outcome).toMatchObject({ remoteIds: ids, partial: false })
    const chain = [(await stage.post()).remoteId, ...ids]
    for (const [index, id] of ids.entries()) {
      const above = stage.network.truth.repliesTo(chain[index] ?? '')
      expect(above.map(({ remoteId }) => remoteId)).toEqual([id])
    }
  })

  test('a thread that the network writes at once is one call', async () => {
    const stage = await Stage.open({ action: 'thread', profile: shown('bluesky') })
    const row = await stage.act('success')
    expect(stage.count('commit')).toBe(1)
    expect(stage.texts()).toEqual(threadTexts)
    expect(row.attempts).toBe(1)
    expect(row.outcome).toMatchObject({
      remoteIds: stage.effects().map(({ remoteId }) => remoteId),
      partial: false,
    })
  })
})

test('a whole thread that the network fails to repeat is found there in the end', async () => {
  const stage = await Stage.open({ action: 'thread', profile: shown('bluesky') })
  stage.faults = onNextWrites({ kind: 'lost_answer' })
  const row = await stage.act('success', 'needs_attention', 'failed')
  expect(row.state).toBe('success')
  expect(stage.network.truth.effectsOf(row.key).map(({ text }) => text)).toEqual(threadTexts)
  const ids = stage.effects().map(({ remoteId }) => remoteId)
  expect(row.outcome).toMatchObject({ remoteIds: ids, partial: false })
})

describe('a process that dies in the middle of a thread', () => {
  // Each part is one commit and one settle; the last settle ends the action.
  const points = [
    ['before', 'claim', 1],
    ['after', 'claim', 1],
    ['after', 'prepare', 1],
    ['after', 'beginAttempt', 1],
    ['after', 'commit', 1],
    ['after', 'settle', 1],
    ['after', 'prepare', 2],
    ['after', 'beginAttempt', 2],
    ['after', 'commit', 2],
    ['after', 'settle', 2],
    ['after', 'commit', 3],
    ['after', 'settle', 3],
  ] as const
  test.each(points)('%s %s no. %i is resumed by another where it stopped', async (...death) => {
    const stage = await Stage.open({ action: 'thread', profile: shown('nostr') })
    stage.engine.death = death
    stage.publish()
    await stage.until(async () => !stage.engine.isAlive || null)
    stage.restart()
    const row = await stage.reached('success')
    await stage.pass(10 * minuteMs)
    expect(stage.texts()).toEqual(threadTexts)
    expect(row.outcome).toMatchObject({
      remoteIds: stage.effects().map(({ remoteId }) => remoteId),
      partial: false,
    })
    expect(stage.problems).toEqual([])
  })

  test('goes on at k + 1: what is settled is not sent again', async () => {
    const stage = await Stage.open({ action: 'thread' })
    stage.engine.death = ['after', 'settle', 2]
    stage.publish()
    await stage.until(async () => !stage.engine.isAlive || null)
    expect(stage.texts()).toEqual(threadTexts.slice(0, 2))
    stage.restart()
    await stage.reached('success')
    expect((await stage.attempts()).map(({ segment }) => segment)).toEqual([0, 1, 2])
    expect(stage.texts()).toEqual(threadTexts)
  })
})

describe('an edit', () => {
  test('carries the version that it was written for', async () => {
    const stage = await Stage.open({ action: 'edit' })
    await stage.act('success')
    const [attempt] = await stage.attempts()
    expect(attempt?.prepared).toMatchObject({ baseVersion: 'v1', baseText: 'A post.' })
  })

  test('is refused where the owner changed the post before it was prepared', async () => {
    const stage = await Stage.open({ action: 'edit' })
    const remoteId = stage.publish()
    await stage.planned()
    stage.network.world.editByHand(remoteId, 'The owner knows better.')
    const row = await stage.reached('failed')
    expect(row.fault).toMatchObject({ code: 'changed', landed: 'no' })
    expect(stage.effects()).toEqual([])
    expect(await stage.attempts()).toEqual([])
    expect(stage.network.truth.post(remoteId)?.text).toBe('The owner knows better.')
  })

  test('is not sent where the owner changed the post after it was prepared', async () => {
    const stage = await Stage.open({ action: 'edit' })
    const remoteId = stage.publish()
    await stage.planned()
    const change = () => stage.network.world.editByHand(remoteId, 'The owner knows better.')
    // Between the attempt's row and its send the post is read once more.
    let reads = 0
    stage.faults = (call) => {
      if (call.kind === 'post' && ++reads === 2) change()
      return { kind: 'none' }
    }
    const row = await stage.reached('failed')
    expect(row.fault).toMatchObject({ landed: 'no' })
    expect(stage.effects()).toEqual([])
    expect(stage.network.truth.post(remoteId)?.text).toBe('The owner knows better.')
  })

  test('that gives the post another id is followed, and not taken for a new post', async () => {
    const stage = await Stage.open({ action: 'edit', profile: 'x' })
    const remoteId = stage.publish()
    const row = await stage.reached('success')
    const now = stage.network.truth.post(remoteId)?.currentId
    expect(now).not.toBe(remoteId)
    await stage.pass(60 * minuteMs)
    expect(await stage.posts()).toMatchObject([
      { remoteId: now, text: row.text, contentVersion: 'v2', status: 'watched' },
    ])
  })

  test('whose answer was lost is followed to its new id as well', async () => {
    const stage = await Stage.open({ action: 'edit', profile: 'x' })
    const remoteId = stage.publish()
    stage.faults = onNextWrites({ kind: 'lost_answer' })
    const row = await stage.reached('success')
    const now = stage.network.truth.post(remoteId)?.currentId
    await stage.pass(60 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
    expect(await stage.posts()).toMatchObject([
      { remoteId: now, text: row.text, contentVersion: 'v2', status: 'watched' },
    ])
  })
})

test('what was prepared once is sent again byte for byte', async () => {
  const stage = await Stage.open({ profile: shown('bluesky') })
  stage.faults = onNextWrites({ kind: 'lost_answer' }, { kind: 'lost_answer' })
  await stage.act('success')
  const attempts = await stage.attempts()
  expect(attempts.map(({ result }) => result)).toEqual(['unknown', 'unknown', 'landed'])
  const tokens = attempts.map(({ prepared }) => JSON.stringify(prepared))
  expect(new Set(tokens).size).toBe(1)
  expect(stage.count('prepare')).toBe(1)
  expect(stage.effects()).toHaveLength(1)
})

test('what the network’s rules refuse fails without a send', async () => {
  const long = 'x'.repeat(501)
  const stage = await Stage.open({ write: () => ({ kind: 'text', text: long, source: 'test' }) })
  const row = await stage.act('failed')
  expect(row.fault).toMatchObject({ code: 'invalid', landed: 'no' })
  expect(row.attempts).toBe(0)
  expect(stage.count('commit')).toBe(0)
})

test('a thread of which a later part is refused for good ends as partial', async () => {
  const stage = await Stage.open({ action: 'thread' })
  stage.faults = onSegment(1, { kind: 'spam' })
  const row = await stage.act('success')
  expect(stage.texts()).toEqual([threadTexts[0]])
  expect(row.outcome).toMatchObject({
    remoteIds: stage.effects().map(({ remoteId }) => remoteId),
    partial: true,
  })
})

test('a part that had to be sent twice does not stand for two parts', async () => {
  const stage = await Stage.open({ action: 'thread', profile: shown('nostr') })
  let sends = 0
  stage.faults = (call) => {
    if (call.kind !== 'create') return { kind: 'none' }
    sends += 1
    if (sends === 1) return { kind: 'lost_answer' }
    return call.segment === 1 ? { kind: 'spam' } : { kind: 'none' }
  }
  const row = await stage.act('success', 'needs_attention', 'failed')
  expect(stage.texts()).toEqual([threadTexts[0]])
  expect(row.state).toBe('success')
  expect(row.outcome).toMatchObject({ partial: true })
  // Nothing about it is open: what was sent twice is out, and what was refused is not.
  expect(await stage.events('action_changed')).not.toContainEqual(
    expect.objectContaining({ to: 'unknown' }),
  )
  expect(stage.problems).toEqual([])
})

test('a send that may outlast its claim is refused when the engine is made', async () => {
  const settings = { leaseMs: 30 * secondMs, sendDeadlineMs: 30 * secondMs }
  await expect(Stage.open({ settings })).rejects.toThrow('settings.sendDeadlineMs')
})

test('an answer after the deadline becomes unknown, then success with one effect', async () => {
  const stage = await Stage.open()
  stage.faults = onNextWrites({ kind: 'slow', delayMs: 40 * secondMs })
  const unknown = await stage.act('unknown')
  expect(unknown.fault).toMatchObject({ code: 'timeout', landed: 'unknown' })
  const [attempt] = await stage.attempts()
  expect(attempt?.endedAt).toBe((attempt?.startedAt ?? 0) + 30 * secondMs)
  const row = await stage.reached('success')
  await stage.pass(10 * minuteMs)
  expect(stage.effects()).toHaveLength(1)
  expect(stage.count('commit')).toBe(1)
  expect(row.outcome).toMatchObject({ remoteIds: [stage.effects()[0]?.remoteId] })
})

test('nothing is begun on a post that recovered between plan and claim', async () => {
  const stage = await Stage.open()
  const remoteId = stage.publish()
  await stage.planned()
  stage.network.world.react(remoteId, 'likes', 1_000_000)
  stage.faults = noFaults
  const { id } = await stage.post()
  await stage.ledger.setNextCheckAt([id], stage.clock.now())
  // The reading comes first here, as it does where another process has just read the post.
  await stage.ledger.recordSamples([
    {
      postId: id,
      sample: { at: stage.clock.now() + 1, impressions: 1e7, engagements: 1e6 },
    },
  ])
  await stage.clock.advance(secondMs)
  const row = await stage.reached('cancelled', 'success')
  expect(row.state).toBe('cancelled')
  expect(stage.effects()).toEqual([])
})
