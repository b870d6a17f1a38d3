/** Tests that a call is given up in time. */

import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../testing/platform/virtual-clock.ts'
import { DeadlineError, withDeadline } from './deadline.ts'

/** A call that answers when it is told to, and shows its signal. */
function pendingCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let signal: AbortSignal | null = null
  const call = (given: AbortSignal) => {
    signal = given
    return promise
  }
  return { call, resolve, reject, isAborted: () => signal?.aborted }
}

/** How a promise has ended by now, if it has. */
async function stateOf(work: Promise<unknown>): Promise<string> {
  const settled = work.then(
    (value) => `answered ${String(value)}`,
    (error: unknown) => `failed ${error instanceof Error ? error.name : String(error)}`,
  )
  return Promise.race([settled, Promise.resolve('waiting')])
}

describe('a call with a deadline', () => {
  test('gives the answer that comes in time, and is not aborted later', async () => {
    const clock = new VirtualClock()
    const { call, resolve, isAborted } = pendingCall()
    const work = withDeadline(clock, 1000, call)
    await clock.advance(999)
    resolve('yes')
    expect(await work).toBe('yes')
    await clock.advance(10_000)
    expect(isAborted()).toBe(false)
  })

  test('passes on the error that comes in time', async () => {
    const clock = new VirtualClock()
    const { call, reject } = pendingCall()
    const work = withDeadline(clock, 1000, call)
    reject(new TypeError('no'))
    await expect(work).rejects.toThrow(TypeError)
  })

  test('is given up at the deadline, not before, and aborted with the reason', async () => {
    const clock = new VirtualClock()
    const { call, isAborted } = pendingCall()
    const work = withDeadline(clock, 1000, call)
    await clock.advance(999)
    expect(await stateOf(work)).toBe('waiting')
    expect(isAborted()).toBe(false)
    await clock.advance(1)
    await expect(work).rejects.toThrow(DeadlineError)
    await expect(work).rejects.toThrow('No answer within 1000 ms')
    expect(isAborted()).toBe(true)
  })

  test('does not wait for a call that ignores its signal, nor mind how it ends', async () => {
    const clock = new VirtualClock()
    const { call, reject } = pendingCall()
    const work = withDeadline(clock, 1000, call)
    await clock.advance(1000)
    await expect(work).rejects.toThrow(DeadlineError)
    reject(new Error('too late'))
    await clock.advance(1)
    await expect(work).rejects.toThrow(DeadlineError)
  })

  test('leaves no sleeper behind once it was answered', async () => {
    const clock = new VirtualClock()
    let isAsleep = false
    const watched = {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      sleep: async (durationMs: number, signal?: AbortSignal) => {
        isAsleep = true
        await clock.sleep(durationMs, signal)
        isAsleep = false
      },
    }
    await withDeadline(watched, 1000, async () => 'yes')
    await clock.advance(0)
    expect(isAsleep).toBe(false)
  })
})
