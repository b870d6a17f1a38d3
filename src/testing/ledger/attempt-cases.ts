/** What must be true of beginning a send: nothing paused, the claim ours, the segment the next. */

import assert from 'node:assert/strict'
import { minuteMs, secondMs } from '../../core/duration.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyOf } from './policies.ts'
import { deadlineMs, expectHeld, expectKind, leaseMs, refused, timedOut } from './world.ts'

const pause = { until: null, reason: 'holiday', by: 'anna' }

export const attemptCases = casesOf('beginAttempt', {
  'stores what was prepared before anything is sent': async (world) => {
    const action = await world.running()
    const prepared = { rkey: '3kabc', record: { text: 'What?', langs: ['en'], nested: [1, null] } }
    const attempt = await world.begin(action, { attemptId: 'attempt-a', prepared })
    assert.deepEqual(attempt, {
      id: 'attempt-a',
      actionId: action.id,
      platform: 'bluesky',
      number: 1,
      segment: 0,
      token: 'token-1',
      startedAt: noon,
      deadlineAt: noon + deadlineMs,
      endedAt: null,
      result: 'pending',
      fault: null,
      prepared,
      remoteId: null,
    })
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.listAttempts(action.id), [attempt])
    const row = await world.row(action)
    assert.deepEqual([row.attempts, row.mayLandUntil], [1, noon + deadlineMs])
  },

  'repeated with the same id, it returns the first result and counts once': async (world) => {
    const action = await world.running()
    const command = world.attemptCommand(action)
    const first = await world.ledger.beginAttempt(command)
    world.clock.advance(secondMs)
    assert.deepEqual(await world.ledger.beginAttempt(command), first)
    assert.equal((await world.row(action)).attempts, 1)
  },

  'repeated after its deadline, its end or its lease, it says that it is lost': async (world) => {
    const account = await world.account()
    const lost = async (settleFirst: boolean, waitMs: number) => {
      const action = await world.running(await world.post(account))
      const command = world.attemptCommand(action)
      const { attempt } = expectKind(await world.ledger.beginAttempt(command), 'begun')
      if (settleFirst) await world.settle(attempt, { kind: 'segment_landed', remoteId: null })
      world.clock.advance(waitMs)
      assert.deepEqual(await world.ledger.beginAttempt(command), { kind: 'lost' })
    }
    await lost(true, 0)
    await lost(false, deadlineMs)
    await lost(false, leaseMs)
  },

  'does not begin once a pause is acknowledged, whatever its scope': async (world) => {
    const account = await world.account()
    const action = await world.running(await world.post(account))
    const scopes = [
      ['everything', ''],
      ['platform', 'bluesky'],
      ['account', account.id],
    ] as const
    for (const [scope, target] of scopes) {
      await world.ledger.pause({ scope, target, ...pause })
      const held = await world.ledger.beginAttempt(world.attemptCommand(action))
      expectHeld(held, 'paused', { kind: 'event', event: 'resume' })
      await world.ledger.resume(scope, target)
    }
    assert.deepEqual(await world.ledger.listAttempts(action.id), [])
    await world.begin(action)
  },

  'a pause of another account or platform does not concern it': async (world) => {
    const action = await world.running()
    await world.ledger.pause({ scope: 'platform', target: 'mastodon', ...pause })
    await world.ledger.pause({ scope: 'account', target: 'account-elsewhere', ...pause })
    await world.begin(action)
  },

  'does not begin for an account that is parked': async (world) => {
    const account = await world.account()
    const action = await world.running(await world.post(account))
    await world.ledger.parkAccount(account.id, 'credentials', 'logged out')
    expectHeld(await world.ledger.beginAttempt(world.attemptCommand(action)), 'account_parked')
  },

  'is lost with another token, without a claim and after the lease': async (world) => {
    const action = await world.running()
    const command = world.attemptCommand(action)
    const other = await world.ledger.beginAttempt({ ...command, token: 'token-2' })
    assert.deepEqual(other, { kind: 'lost' })
    const planned = await world.plan(await world.post())
    const unclaimed = await world.ledger.beginAttempt(world.attemptCommand(planned))
    assert.deepEqual(unclaimed, { kind: 'lost' })
    world.clock.advance(leaseMs)
    assert.deepEqual(await world.ledger.beginAttempt(command), { kind: 'lost' })
    assert.deepEqual(await world.ledger.listAttempts(action.id), [])
  },

  'is lost where its deadline is not before the end of the lease': async (world) => {
    const action = await world.running()
    const late = world.attemptCommand(action, { deadlineMs: leaseMs })
    assert.deepEqual(await world.ledger.beginAttempt(late), { kind: 'lost' })
    await world.begin(action, { deadlineMs: leaseMs - 1 })
  },

  'throws on a second send while one is under way': async (world) => {
    const { action } = await world.sending()
    const second = world.ledger.beginAttempt(world.attemptCommand(action, { segment: 1 }))
    await assert.rejects(second, /under way/)
  },

  'throws on a segment that is out already and on one too far ahead': async (world) => {
    const action = await world.running(undefined, { action: 'thread', tier: 'tier_3' })
    const attempt = await world.begin(action)
    await world.settle(attempt, { kind: 'segment_landed', remoteId: 'r-0' })
    for (const segment of [0, 2]) {
      const wrong = world.ledger.beginAttempt(world.attemptCommand(action, { segment }))
      await assert.rejects(wrong, /is not next/)
    }
    const next = await world.begin(action, { segment: 1 })
    assert.deepEqual([next.number, next.segment], [2, 1])
  },

  'takes a segment that was sent twice and landed twice as one': async (world) => {
    const { action, attempt } = await world.unknown(undefined, {
      action: 'thread',
      tier: 'tier_3',
    })
    await world.reconcile(action, { kind: 'resend', retryAt: noon })
    const again = await world.claim(action, 'token-2')
    const resent = await world.begin(again)
    await world.settle(resent, { kind: 'segment_landed', remoteId: 'r-0' })
    const settlement = { kind: 'segment_landed', remoteId: 'r-0' } as const
    const { actionId, token, id: attemptId } = attempt
    await world.ledger.settle({ actionId, token, attemptId, settlement })
    await world.begin(again, { segment: 1 })
  },

  'numbers the attempts of an action across its claims': async (world) => {
    const { action, attempt } = await world.sending()
    const retryAt = noon + minuteMs
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt })
    world.clock.set(retryAt)
    const again = await world.claim(action, 'token-2')
    await world.begin(again)
    const attempts = await world.ledger.listAttempts(action.id)
    assert.deepEqual(
      attempts.map(({ number, token, result }) => [number, token, result]),
      [
        [1, 'token-1', 'not_landed'],
        [2, 'token-2', 'pending'],
      ],
    )
  },

  'is held over the platform’s budget, which all accounts share': async (world) => {
    const windowMs = 5 * minuteMs
    world.policy = policyOf(1, { guard: 'platform_budget', windowMs, maximum: 2 })
    const [one, two] = [await world.running(), await world.running()]
    const elsewhere = await world.account({ platform: 'mastodon' })
    const three = await world.running(await world.post(elsewhere))
    const attempt = await world.begin(one)
    await world.settle(attempt, { kind: 'segment_landed', remoteId: null })
    await world.begin(one, { segment: 1 })
    const held = await world.ledger.beginAttempt(world.attemptCommand(two))
    expectHeld(held, 'platform_budget', { kind: 'time', at: noon + windowMs + 1 })
    await world.begin(three)
  },

  'an id that stands for another attempt is refused': async (world) => {
    const { attempt } = await world.sending()
    const other = await world.running()
    const taken = world.attemptCommand(other, { attemptId: attempt.id })
    await assert.rejects(
      world.ledger.beginAttempt(taken),
      (error) => error instanceof LedgerError && error.kind === 'conflict',
    )
    await world.unchanged(other)
  },

  'counts on after an attempt that may have landed': async (world) => {
    const { action, attempt } = await world.sending()
    const retryAt = noon + minuteMs
    const waiting = { kind: 'waiting', fault: timedOut, retryAt } as const
    await world.settle(attempt, waiting)
    assert.equal((await world.attempt(attempt)).result, 'unknown')
    world.clock.set(retryAt)
    assert.equal((await world.begin(await world.claim(action, 'token-2'))).number, 2)
  },
})
