/** What must be true of a claim: one holder, tokens, what it waits for and what it ends. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { toActionId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { policyId } from '../../core/policy.ts'
import { casesOf } from './case.ts'
import { policyWith } from './policies.ts'
import { askAgainMs, expectHeld, expectKind, expiresAfterMs, leaseMs, refused } from './world.ts'

const toApprove = { kind: 'approve', graceMs: 0, expiresAfterMs } as const

export const claimCases = casesOf('claim', {
  'moves the plan to running, with a lease and the token': async (world) => {
    const planned = await world.plan(await world.post())
    world.clock.advance(minuteMs)
    const { action, attempts } = expectKind(await world.tryClaim(planned), 'claimed')
    const now = world.clock.now()
    assert.deepEqual(action, {
      ...planned,
      state: 'running',
      token: 'token-1',
      leaseUntil: now + leaseMs,
      dueAt: now + leaseMs,
      firstClaimedAt: now,
      mayLandUntil: now + leaseMs,
      version: planned.version + 1,
    })
    assert.deepEqual(attempts, [])
    await world.unchanged(action)
  },

  'repeated with the same token, it returns the first result': async (world) => {
    const planned = await world.plan(await world.post())
    const first = await world.tryClaim(planned)
    world.clock.advance(minuteMs / 2)
    assert.deepEqual(await world.tryClaim(planned), first)
    await world.harness.reopen()
    assert.deepEqual(await world.tryClaim(planned), first)
  },

  'is refused with another token while it runs, and once it has ended': async (world) => {
    const post = await world.post()
    const { action, attempt } = await world.sending(post)
    assert.deepEqual(await world.tryClaim(action, { token: 'token-2' }), {
      kind: 'taken',
      state: 'running',
    })
    const settlement = { kind: 'failed', fault: refused } as const
    const failed = await world.settle(attempt, settlement)
    assert.deepEqual(await world.tryClaim(action), { kind: 'taken', state: 'failed' })
    await world.unchanged(failed)
  },

  'is refused while a person is asked, and while it is unknown': async (world) => {
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    assert.deepEqual(await world.tryClaim(asked), { kind: 'taken', state: 'awaiting_approval' })
    const { action } = await world.unknown()
    assert.deepEqual(await world.tryClaim(action), { kind: 'taken', state: 'unknown' })
    const handed = await world.reconcile(action, { kind: 'needs_attention', reason: 'odd' })
    assert.deepEqual(await world.tryClaim(handed), { kind: 'taken', state: 'needs_attention' })
  },

  'takes what was approved, once its grace is over': async (world) => {
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    const { textHash } = asked
    const graceMs = minuteMs
    const approved = await world.decide(asked, { ...toApprove, textHash, graceMs })
    const until = { kind: 'time', at: world.clock.now() + graceMs }
    expectHeld(await world.tryClaim(approved), 'not_due', until)
    await world.unchanged(approved)
    world.clock.advance(graceMs)
    assert.equal((await world.claim(approved)).state, 'running')
  },

  'takes up again what waits, keeps its first claim and its text': async (world) => {
    const { action, attempt } = await world.sending()
    const retryAt = world.clock.now() + minuteMs
    const waiting = await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt })
    expectHeld(await world.tryClaim(waiting, { token: 'token-2' }), 'not_due')
    world.clock.advance(minuteMs)
    const again = expectKind(await world.tryClaim(waiting, { token: 'token-2' }), 'claimed')
    assert.equal(again.action.firstClaimedAt, action.firstClaimedAt)
    assert.equal(again.action.text, action.text)
    assert.equal(again.action.token, 'token-2')
    assert.deepEqual(again.attempts, await world.ledger.listAttempts(action.id))
    assert.equal(again.attempts[0]?.result, 'not_landed')
  },

  'ends a plan whose time is over': async (world) => {
    const planned = await world.plan(await world.post(), { expiresAfterMs: minuteMs })
    world.clock.advance(minuteMs)
    const { action } = expectKind(await world.tryClaim(planned), 'ended')
    assert.equal(action.state, 'expired')
    assert.deepEqual([action.endedAt, action.dueAt], [world.clock.now(), null])
    await world.unchanged(action)
  },

  'ends an approval whose time is over': async (world) => {
    const asked = await world.plan(await world.post(await world.account({ mode: 'approve' })))
    const { textHash } = asked
    await world.decide(asked, { ...toApprove, textHash, expiresAfterMs: minuteMs })
    world.clock.advance(minuteMs)
    const { action } = expectKind(await world.tryClaim(asked), 'ended')
    assert.equal(action.state, 'expired')
  },

  'does not end a retry because the plan’s own time is over': async (world) => {
    const { attempt } = await world.sending(undefined, { expiresAfterMs: minuteMs })
    const retryAt = world.clock.now() + 2 * minuteMs
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt })
    world.clock.advance(2 * minuteMs)
    const { actionId: id } = attempt
    expectKind(await world.tryClaim({ id }, { token: 'token-2' }), 'claimed')
  },

  'cancels what its post cannot use any more: closed or gone': async (world) => {
    for (const status of ['closed', 'gone'] as const) {
      const post = await world.post()
      const planned = await world.plan(post)
      await world.ledger.closePost(post.id, status)
      const ended = expectKind(await world.tryClaim(planned), 'ended')
      assert.deepEqual([ended.action.state, ended.reason], ['cancelled', `post_${status}`])
    }
  },

  'asks a person where the mode has changed since': async (world) => {
    const account = await world.account()
    const planned = await world.plan(await world.post(account))
    await world.ledger.saveAccount({ ...account, mode: 'approve' })
    const until = { kind: 'event', event: 'approval' }
    expectHeld(await world.tryClaim(planned), 'approval_needed', until)
    const asked = await world.row(planned)
    assert.equal(asked.state, 'awaiting_approval')
    assert.deepEqual(await world.ledger.due('send', 9), [])
    await world.decide(asked, { ...toApprove, textHash: asked.textHash })
    await world.claim(planned)
  },

  'is held where the account only watches, is parked or has another policy': async (world) => {
    const account = await world.account()
    const planned = await world.plan(await world.post(account))
    const tryWith = async (changes: object, reason: string) => {
      await world.ledger.saveAccount({ ...account, ...changes })
      expectHeld(await world.tryClaim(planned), reason)
    }
    await tryWith({ mode: 'watch' }, 'watch_mode')
    await tryWith({ status: 'parked', statusReason: 'logged out' }, 'account_parked')
    const next = policyWith(2)
    await world.ledger.savePolicy(next)
    await tryWith({ policy: policyId(next) }, 'policy_changed')
  },

  'an approval holds only under the policy it was given under': async (world) => {
    const account = await world.account({ mode: 'approve' })
    const asked = await world.plan(await world.post(account))
    const { textHash } = asked
    await world.decide(asked, { ...toApprove, textHash })
    const next = policyWith(2)
    await world.ledger.savePolicy(next)
    await world.ledger.saveAccount({ ...account, policy: policyId(next) })
    const result = await world.tryClaim(asked, { policy: next })
    expectHeld(result, 'approved_under_another_policy')
  },

  'that is held is not due again before that can have ended': async (world) => {
    const account = await world.account()
    const planned = await world.plan(await world.post(account))
    await world.ledger.pause({
      scope: 'account',
      target: account.id,
      until: null,
      reason: 'holiday',
      by: 'anna',
    })
    expectHeld(await world.tryClaim(planned), 'paused')
    assert.deepEqual(await world.ledger.due('send', 9), [])
    world.clock.advance(askAgainMs)
    assert.deepEqual(await world.ledger.due('send', 9), [planned.id])
  },

  'an action that is not in the ledger is refused by name': async (world) => {
    await world.account()
    await assert.rejects(world.tryClaim({ id: toActionId('nothing') }), (error) => {
      return error instanceof InputError && error.message.includes('nothing')
    })
  },
})
