/** Shows what each fault does to a write, and that giving up takes nothing back. */

import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../../core/duration.ts'
import { Scene } from '../../testing/platform/scene.ts'
import { onNextWrites, onSegment } from './fault-plan.ts'
import type { FaultDecision } from './fault-plan.ts'

function sceneWith(...decisions: readonly FaultDecision[]): Scene {
  return new Scene('full', { faults: onNextWrites(...decisions) })
}

/** Sends one comment into a fault; gives what was said, and how often it is there at once. */
async function sendInto(decision: FaultDecision) {
  const scene = sceneWith(decision)
  const write = await scene.ready('comment', scene.publish())
  const fault = await scene.faultOf(scene.commit(write))
  return { scene, write, fault, applied: scene.truth.effectsOf(write.key).length }
}

describe('a fault', () => {
  it.each([
    [{ kind: 'unreachable' }, 'no', 'network_error', 0],
    [{ kind: 'lost_request' }, 'unknown', 'network_error', 0],
    [{ kind: 'lost_answer' }, 'unknown', 'network_error', 1],
    [{ kind: 'late_apply', delayMs: minuteMs }, 'unknown', 'network_error', 0],
    [{ kind: 'rate_limited', retryAfterMs: null }, 'no', 'rate_limit', 0],
    [{ kind: 'server_error', status: 503, applied: false }, 'unknown', 'service_unavailable', 0],
    [{ kind: 'server_error', status: 500, applied: true }, 'unknown', 'service_unavailable', 1],
    [{ kind: 'malformed' }, 'unknown', 'bad_answer', 1],
    [{ kind: 'spam' }, 'no', 'spam', 0],
    [{ kind: 'credentials' }, 'no', 'credentials', 0],
  ] as const)('%o says %s, %s, and is applied %i times', async (decision, landed, code, times) => {
    const { scene, fault, applied } = await sendInto(decision)
    expect(fault).toMatchObject({ landed, code })
    expect(applied).toBe(times)
    expect(scene.truth.faults().get(decision.kind)).toBe(1)
  })

  it('says when to come back only where the network did', async () => {
    const waiting = await sendInto({ kind: 'rate_limited', retryAfterMs: 90 * secondMs })
    expect(waiting.fault.retryAt).toBe(waiting.scene.clock.now() + 90 * secondMs)
    const silent = await sendInto({ kind: 'rate_limited', retryAfterMs: null })
    expect(silent.fault.retryAt).toBeNull()
  })

  it('hits the call it is meant for and no other', async () => {
    const scene = sceneWith({ kind: 'lost_request' })
    const write = await scene.ready('comment', scene.publish())
    await scene.faultOf(scene.commit(write))
    await expect(scene.commit(write)).resolves.toHaveProperty('remoteId')
  })

  it('can leave a thread in part', async () => {
    const scene = new Scene('full', { faults: onSegment(1, { kind: 'lost_request' }) })
    const post = scene.publish()
    const first = await scene.ready('thread', post, ['One'])
    const landed = await scene.commit(first)
    const request = await scene.request('thread', post, ['Two'])
    const rest = { key: first.key, segment: 1, previous: [landed] }
    const preparation = await scene.platform.prepare({
      ...scene.options,
      request: { ...request, ...rest },
    })
    const token = preparation.kind === 'ready' ? preparation.token : null
    await scene.faultOf(scene.commit({ ...first, token }))
    expect(scene.truth.effectsOf(first.key).map(({ text }) => text)).toEqual(['One'])
  })
})

describe('a write that arrives late', () => {
  it('is applied at its time, whoever looks and however often', async () => {
    const { scene, write } = await sendInto({ kind: 'late_apply', delayMs: 10 * minuteMs })
    const due = scene.clock.now() + 10 * minuteMs
    await scene.clock.advance(10 * minuteMs - 1)
    expect((await scene.locate(write)).kind).toBe('not_found')
    expect([scene.truth.effectsOf(write.key).length, scene.truth.underway()]).toEqual([0, 1])
    await scene.clock.advance(hourMs)
    expect(scene.truth.effectsOf(write.key)).toMatchObject([{ at: due }])
    expect((await scene.locate(write)).kind).toBe('found')
    expect(scene.truth.underway()).toBe(0)
  })

  it('finds the post deleted, and then does nothing', async () => {
    const scene = sceneWith({ kind: 'late_apply', delayMs: minuteMs })
    const post = scene.publish()
    const write = await scene.ready('comment', post)
    await scene.faultOf(scene.commit(write))
    scene.world.remove(post)
    await scene.clock.advance(minuteMs)
    expect(scene.truth.effectsOf(write.key)).toEqual([])
  })
})

describe('latency', () => {
  const latency = { minimumMs: 400, maximumMs: 400 }

  it('takes its time, half of it on the way there', async () => {
    const scene = new Scene('full')
    const slow = new Scene('full', { latency })
    const write = await scene.ready('comment', scene.publish())
    slow.publish()
    const start = slow.clock.now()
    const sending = slow.commit(write)
    await slow.clock.advance(199)
    expect(slow.truth.effects()).toEqual([])
    await slow.clock.advance(1)
    expect(slow.truth.effects()).toMatchObject([{ at: start + 200 }])
    await slow.clock.advance(200)
    await expect(sending).resolves.toHaveProperty('remoteId')
  })

  it('does not hold back a write whose caller gave up', async () => {
    const prepared = new Scene('full')
    const write = await prepared.ready('comment', prepared.publish())
    const scene = new Scene('full', { latency })
    scene.publish()
    const controller = new AbortController()
    const sending = scene.faultOf(scene.commit({ ...write, signal: controller.signal }))
    await scene.clock.advance(100)
    controller.abort()
    expect(await sending).toMatchObject({ landed: 'unknown', code: 'timeout' })
    expect(scene.truth.effects()).toEqual([])
    await scene.clock.advance(100)
    expect(scene.truth.effectsOf(write.key).length).toBe(1)
  })

  it('forgets a read whose caller gave up', async () => {
    const scene = new Scene('full', { latency })
    const controller = new AbortController()
    const options = { ...scene.optionsOf('anna', controller.signal), since: 0 }
    const reading = scene.faultOf(scene.platform.discover(options), 'read')
    await scene.clock.advance(100)
    controller.abort()
    expect(await reading).toMatchObject({ landed: 'no', code: 'timeout' })
    expect(scene.truth.underway()).toBe(0)
  })

  it('sends nothing for a caller that gave up before', async () => {
    const scene = new Scene('full')
    const write = await scene.ready('comment', scene.publish())
    const fault = await scene.faultOf(scene.commit({ ...write, signal: AbortSignal.abort() }))
    expect(fault).toMatchObject({ landed: 'unknown', code: 'timeout' })
    expect(scene.truth.effects()).toEqual([])
  })

  it('never ends where the network stalls, until the caller gives up', async () => {
    const scene = sceneWith({ kind: 'stalled', applied: true })
    const write = await scene.ready('comment', scene.publish())
    const controller = new AbortController()
    let isOver = false
    const sending = scene.faultOf(scene.commit({ ...write, signal: controller.signal }))
    void sending.then(() => (isOver = true))
    await scene.clock.advance(hourMs)
    expect(isOver).toBe(false)
    controller.abort()
    expect(await sending).toMatchObject({ landed: 'unknown', code: 'timeout' })
    expect(scene.truth.effectsOf(write.key).length).toBe(1)
  })
})
