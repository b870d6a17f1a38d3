/** What follows a send that went wrong, by the network's class of write. */

import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../core/duration.ts'
import { policyId, standardPolicy } from '../core/index.ts'
import type { State, WriteClass } from '../core/index.ts'
import { onNextWrites } from '../platform/simulated/index.ts'
import type { FaultDecision } from '../platform/simulated/index.ts'
import { shown, Stage } from '../../test/builders/engine.ts'

const profileOf = { A: shown('bluesky'), B: shown('gotosocial'), C: shown('telegram') } as const
const classes = ['A', 'B', 'C'] as const satisfies readonly WriteClass[]

interface Case {
  readonly name: string
  readonly fault: FaultDecision
  /** Whether the first send takes effect, sooner or later. */
  readonly applied: boolean
}

const unclear: readonly Case[] = [
  { name: 'lost request', fault: { kind: 'lost_request' }, applied: false },
  { name: 'lost answer', fault: { kind: 'lost_answer' }, applied: true },
  { name: 'late apply', fault: { kind: 'late_apply', delayMs: 10 * secondMs }, applied: true },
  {
    name: '5xx before',
    fault: { kind: 'server_error', status: 503, applied: false },
    applied: false,
  },
  { name: '5xx after', fault: { kind: 'server_error', status: 500, applied: true }, applied: true },
  { name: 'malformed', fault: { kind: 'malformed' }, applied: true },
  { name: 'stalled, not applied', fault: { kind: 'stalled', applied: false }, applied: false },
  { name: 'stalled, applied', fault: { kind: 'stalled', applied: true }, applied: true },
]

/** What design says it comes to; on B it hangs on what reading the network shows. */
function endOf(writeClass: WriteClass, applied: boolean): State {
  if (writeClass === 'A') return 'success'
  return writeClass === 'B' && applied ? 'success' : 'needs_attention'
}

describe.each(classes)('class %s, where a send may have landed', (writeClass) => {
  test.each(unclear)('$name', async ({ fault, applied }) => {
    const stage = await Stage.open({ profile: profileOf[writeClass] })
    stage.faults = onNextWrites(fault)
    const row = await stage.act('success', 'failed', 'needs_attention')
    await stage.pass(3 * hourMs)
    expect(row.state).toBe(endOf(writeClass, applied))
    const effects = stage.network.truth.effectsOf(row.key)
    expect(effects).toHaveLength(writeClass === 'A' || applied ? 1 : 0)
    expect(await stage.ledger.listAttempts(row.id)).toHaveLength(writeClass === 'A' ? 2 : 1)
    expect(stage.problems).toEqual([])
  })
})

describe.each(['nostr', 'mastodon'] as const)('class A, as %s recognises a repeat', (name) => {
  test.each(unclear)('$name', async ({ fault }) => {
    const stage = await Stage.open({ profile: shown(name) })
    stage.faults = onNextWrites(fault)
    const row = await stage.act('success', 'failed', 'needs_attention')
    await stage.pass(hourMs)
    expect(row.state).toBe('success')
    expect(stage.network.truth.effectsOf(row.key)).toHaveLength(1)
  })
})

describe('class C asks a person at once', () => {
  test('without reading the network again and again', async () => {
    const stage = await Stage.open({ profile: profileOf.C })
    stage.faults = onNextWrites({ kind: 'lost_answer' })
    const row = await stage.act('unknown', 'needs_attention')
    const attended = await stage.reached('needs_attention')
    const [attempt] = await stage.attempts()
    expect(stage.clock.now() - (attempt?.startedAt ?? 0)).toBeLessThanOrEqual(minuteMs)
    expect(stage.count('reconcile')).toBeLessThanOrEqual(2)
    expect(attended.id).toBe(row.id)
  })
})

describe.each(classes)('class %s, where a send certainly did not land', (writeClass) => {
  test('429 with Retry-After is obeyed to the millisecond', async () => {
    const stage = await Stage.open({ profile: profileOf[writeClass] })
    stage.faults = onNextWrites({ kind: 'rate_limited', retryAfterMs: 17 * minuteMs })
    const row = await stage.act('waiting')
    expect(row.dueAt).toBe(stage.clock.now() + 17 * minuteMs)
    await stage.reached('success')
    const [first, second] = await stage.attempts()
    const waitedMs = (second?.startedAt ?? 0) - (first?.endedAt ?? 0)
    expect(waitedMs).toBeGreaterThanOrEqual(17 * minuteMs)
    expect(waitedMs).toBeLessThan(19 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
  })

  test('429 without Retry-After waits as long as an account rests', async () => {
    const stage = await Stage.open({ profile: profileOf[writeClass] })
    stage.faults = onNextWrites({ kind: 'rate_limited', retryAfterMs: null })
    await stage.act('success')
    const [first, second] = await stage.attempts()
    const waitedMs = (second?.startedAt ?? 0) - (first?.endedAt ?? 0)
    expect(waitedMs).toBeGreaterThanOrEqual(15 * minuteMs)
    expect(waitedMs).toBeLessThan(17 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
  })

  test('a network that cannot be reached is tried as often as the policy says', async () => {
    const stage = await Stage.open({ profile: profileOf[writeClass] })
    stage.faults = (call) => ({ kind: call.isWrite ? 'unreachable' : 'none' })
    const row = await stage.act('failed')
    expect(row.fault).toMatchObject({ code: 'network_error', landed: 'no' })
    expect(await stage.attempts()).toHaveLength(5)
    expect(stage.effects()).toEqual([])
  })
})

describe('delays between sends', () => {
  const startsOf = async (jitter: number): Promise<readonly number[]> => {
    const stage = await Stage.open()
    stage.jitter = jitter
    stage.faults = (call) => ({ kind: call.isWrite ? 'unreachable' : 'none' })
    await stage.act('failed')
    const attempts = await stage.attempts()
    return attempts.slice(1).map((attempt, index) => {
      return attempt.startedAt - (attempts[index]?.endedAt ?? 0)
    })
  }

  test('double, and end at the ceiling of the policy', async () => {
    const delays = await startsOf(0.999_999)
    expect(delays.map((ms) => Math.round(ms / secondMs))).toEqual([30, 60, 120, 240])
  })

  test('are spread from nothing up to that', async () => {
    const halves = await startsOf(0.5)
    expect(halves.map((ms) => Math.round(ms / secondMs))).toEqual([15, 30, 60, 120])
    // A turn takes place every second at most.
    for (const delay of await startsOf(0)) expect(delay).toBeLessThanOrEqual(secondMs)
  })
})

test.each(classes)(
  'class %s: whatever always goes wrong is sent so often and no more',
  async (writeClass) => {
    for (const { fault } of unclear) {
      const stage = await Stage.open({ profile: profileOf[writeClass] })
      stage.faults = (call) => (call.isWrite ? fault : { kind: 'none' })
      const row = await stage.act('success', 'failed', 'needs_attention')
      await stage.pass(8 * hourMs)
      const attempts = await stage.ledger.listAttempts(row.id)
      expect(attempts.length).toBeLessThanOrEqual(writeClass === 'A' ? 5 : 1)
      expect(stage.network.truth.effectsOf(row.key).length).toBeLessThanOrEqual(1)
      expect(stage.problems).toEqual([])
    }
  },
)

test('a network that recognises a repeat for an hour is trusted for half of it', async () => {
  const stage = await Stage.open({ profile: shown('mastodon') })
  stage.jitter = 0.999
  stage.faults = (call) => (call.isWrite ? { kind: 'lost_request' } : { kind: 'none' })
  const row = await stage.act('needs_attention')
  const [first] = await stage.attempts()
  for (const { startedAt } of await stage.ledger.listAttempts(row.id)) {
    expect(startedAt - (first?.startedAt ?? 0)).toBeLessThan(30 * minuteMs)
  }
})

describe('how long ago it was sent', () => {
  /** Sent once to a network that recognises a repeat for an hour; the answer was lost. */
  async function sentOnce(): Promise<Stage> {
    const stage = await Stage.open({ profile: shown('mastodon') })
    stage.faults = onNextWrites({ kind: 'lost_answer' })
    await stage.act('waiting')
    return stage
  }

  test('is known to who sent it, so it is sent again', async () => {
    const stage = await sentOnce()
    await stage.reached('success')
    expect(stage.count('commit')).toBe(2)
    expect(stage.effects()).toHaveLength(1)
  })

  test('goes by the time that really passed, also where the ledger’s stood still', async () => {
    const stage = await sentOnce()
    stage.ledgerJumpMs = -3 * hourMs
    await stage.clock.advance(3 * hourMs + minuteMs)
    await stage.reached('success')
    expect(stage.count('commit')).toBe(1)
    expect(stage.count('locate')).toBeGreaterThan(0)
    expect(stage.effects()).toHaveLength(1)
  })

  test('is known to nobody after a restart, so the network is read instead', async () => {
    const stage = await sentOnce()
    stage.engine.isAlive = false
    stage.restart()
    await stage.reached('success')
    expect(stage.count('commit')).toBe(1)
    expect(stage.count('locate')).toBeGreaterThan(0)
  })

  test('is looked at once more right before the send', async () => {
    const retry = { ...standardPolicy.retry, firstDelayMs: 30 * minuteMs }
    const stage = await Stage.open({ profile: shown('mastodon'), policy: { retry } })
    stage.jitter = (30 * minuteMs - 10 * secondMs) / (30 * minuteMs)
    stage.faults = onNextWrites({ kind: 'lost_answer' })
    await stage.act('waiting')
    // It is claimed within the half hour, and could be sent after it.
    stage.ledgerDelayMs = (call) => (call === 'beginAttempt' ? 20 * secondMs : 0)
    await stage.reached('success')
    expect(await stage.attempts()).toMatchObject([
      { result: 'landed' },
      { result: 'not_landed', fault: { code: 'timeout' } },
    ])
    expect(stage.count('commit')).toBe(1)
  })
})

test('a send that was written down too slowly is not made any more', async () => {
  const stage = await Stage.open()
  stage.ledgerDelayMs = (call) => (call === 'beginAttempt' ? 31 * secondMs : 0)
  await stage.act('waiting')
  expect(stage.count('commit')).toBe(0)
  expect(await stage.attempts()).toMatchObject([{ result: 'not_landed' }])
  stage.ledgerDelayMs = () => 0
  await stage.reached('success')
  expect(stage.effects()).toHaveLength(1)
})

describe('at most as many sends as the policy says', () => {
  test('also where each is followed by a crash and a look at the network', async () => {
    const stage = await Stage.open({ profile: shown('nostr') })
    stage.publish()
    const end = async () => {
      if (!stage.engine.isAlive) stage.restart()
      stage.engine.death ??= ['after', 'beginAttempt']
      return (await stage.actions()).find(({ state }) => state === 'needs_attention')
    }
    const row = await stage.until(end)
    expect(row.attempts).toBe(5)
    expect(await stage.events('action_changed')).toContainEqual(
      expect.objectContaining({ to: 'needs_attention', reason: 'spent' }),
    )
    expect(stage.count('commit')).toBe(0)
  })

  test('also where the policy has changed since', async () => {
    const stage = await Stage.open()
    stage.publish()
    stage.faults = (call) => ({ kind: call.isWrite ? 'unreachable' : 'none' })
    await stage.until(async () => ((await stage.attempts()).length === 3 ? true : null))
    const retry = { ...stage.policy.retry, maximumAttempts: 2 }
    const stricter = { ...stage.policy, version: 2, retry }
    await stage.ledger.savePolicy(stricter)
    await stage.changeAccount({ policy: policyId(stricter) })
    stage.faults = () => ({ kind: 'none' })
    const row = await stage.reached('failed', 'success')
    expect(row.state).toBe('failed')
    expect(await stage.attempts()).toHaveLength(3)
    expect(stage.effects()).toEqual([])
  })

  test('counted for each part of a thread by itself', async () => {
    const stage = await Stage.open({ action: 'thread' })
    const sends = new Map<number, number>()
    stage.faults = ({ kind, segment }) => {
      if (kind !== 'create' || segment === null) return { kind: 'none' }
      const count = (sends.get(segment) ?? 0) + 1
      sends.set(segment, count)
      return { kind: count < 5 ? 'unreachable' : 'none' }
    }
    const row = await stage.act('success', 'failed')
    expect(row).toMatchObject({ state: 'success', attempts: 15, outcome: { partial: false } })
  })
})
