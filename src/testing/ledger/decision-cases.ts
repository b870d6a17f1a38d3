/** What must be true of a person's decisions: bound to the text, in time, and once. */

import assert from 'node:assert/strict'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { toActionId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { hashText } from '../../ledger/steps/plan.ts'
import type { Decision } from '../../ledger/steps/approval.ts'
import type { ActionRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expiresAfterMs, refused, success } from './world.ts'
import type { World } from './world.ts'

async function asked(world: World): Promise<ActionRow> {
  return world.plan(await world.post(await world.account({ mode: 'approve' })))
}

function approval({ textHash }: ActionRow): Decision {
  return { kind: 'approve', textHash, graceMs: minuteMs, expiresAfterMs: hourMs }
}

async function tryDecide(world: World, { id }: ActionRow, decision: Decision) {
  return world.ledger.decide({ actionId: id, by: 'anna', decision })
}

async function needsAttention(world: World): Promise<ActionRow> {
  const { action } = await world.unknown()
  return world.reconcile(action, { kind: 'needs_attention', reason: 'odd' })
}

export const decisionCases = casesOf('decide', {
  'approve: due after the grace, with the time it has left': async (world) => {
    const before = await asked(world)
    world.clock.advance(1)
    const action = await world.decide(before, approval(before))
    const due = { dueAt: noon + 1 + minuteMs, expiresAt: noon + 1 + hourMs, noticeAt: null }
    assert.deepEqual(action, {
      ...before,
      state: 'approved',
      ...due,
      version: before.version + 1,
    })
    await world.unchanged(action)
    assert.deepEqual(await world.ledger.listApprovals(action.id), [
      {
        actionId: action.id,
        at: noon + 1,
        decision: 'approved',
        by: 'anna',
        reason: null,
        textHash: before.textHash,
        policy: before.policy,
      },
    ])
  },

  'approve with another text: that text, and one revision more': async (world) => {
    const before = await asked(world)
    const action = await world.decide(before, { ...approval(before), text: 'Mine.' } as Decision)
    assert.deepEqual([action.text, action.textHash], ['Mine.', hashText('Mine.')])
    assert.deepEqual([action.revision, action.version], [2, before.version + 1])
    const [stored] = await world.ledger.listApprovals(action.id)
    assert.equal(stored?.textHash, hashText('Mine.'))
    const types = ['text_revised', 'action_changed'] as const
    const { events } = await world.ledger.readEvents(null, { types }, 9)
    assert.deepEqual(
      events.map(({ type }) => type),
      types,
    )
    assert.deepEqual(events[0]?.data, { revision: 2, textHash: hashText('Mine.') })
  },

  'approve with the very text that was shown: no revision': async (world) => {
    const before = await asked(world)
    const same = { ...approval(before), text: before.text } as Decision
    const action = await world.decide(before, same)
    assert.deepEqual([action.state, action.revision], ['approved', before.revision])
    const { events } = await world.ledger.readEvents(null, { types: ['text_revised'] }, 9)
    assert.deepEqual(events, [])
  },

  'approve and revise are refused where the text is not the one shown': async (world) => {
    const before = await asked(world)
    const textHash = hashText('Another.')
    const revise: Decision = { kind: 'revise', textHash, text: 'Mine.' }
    for (const decision of [{ ...approval(before), textHash } as Decision, revise]) {
      assert.deepEqual(await tryDecide(world, before, decision), {
        kind: 'text_changed',
        action: before,
      })
    }
    await world.unchanged(before)
  },

  'revise: the text changes until the first claim and never after': async (world) => {
    const before = await world.plan(await world.post())
    const { textHash } = before
    const revised = await world.decide(before, { kind: 'revise', textHash, text: 'Mine.' })
    const text = { text: 'Mine.', textHash: hashText('Mine.'), revision: 2 }
    assert.deepEqual(revised, { ...before, ...text, version: before.version + 1 })
    const running = await world.claim(revised)
    const late: Decision = { kind: 'revise', textHash: revised.textHash, text: 'Other.' }
    const refusal = { kind: 'wrong_state', state: 'running' }
    assert.deepEqual(await tryDecide(world, running, late), refusal)
    const attempt = await world.begin(running)
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon })
    assert.deepEqual(await tryDecide(world, running, late), { ...refusal, state: 'waiting' })
    assert.equal((await world.row(running)).text, 'Mine.')
  },

  'reject ends what is not begun, from each state before the claim': async (world) => {
    const reject: Decision = { kind: 'reject', reason: 'too pushy' }
    const approved = await asked(world)
    const rows = [
      await world.plan(await world.post()),
      await asked(world),
      await world.decide(approved, approval(approved)),
    ]
    for (const row of rows) {
      const rejected = await world.decide(row, reject)
      const ended = { endedAt: noon, dueAt: null, noticeAt: null, version: row.version + 1 }
      assert.deepEqual(rejected, { ...row, state: 'rejected', ...ended })
      const last = (await world.ledger.listApprovals(row.id)).at(-1)
      assert.deepEqual([last?.decision, last?.reason], ['rejected', 'too pushy'])
    }
  },

  'cancel ends what is not begun, and what waits with nothing out': async (world) => {
    const cancel: Decision = { kind: 'cancel', reason: 'changed my mind' }
    const approved = await asked(world)
    const { attempt } = await world.sending()
    const rows = [
      await world.plan(await world.post()),
      await asked(world),
      await world.decide(approved, approval(approved)),
      await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: noon }),
    ]
    for (const row of rows) {
      const cancelled = await world.decide(row, cancel)
      assert.deepEqual([cancelled.state, cancelled.endedAt], ['cancelled', noon])
    }
  },

  'cancel is refused where something is out, or may be': async (world) => {
    const cancel: Decision = { kind: 'cancel', reason: 'changed my mind' }
    const refusal = { kind: 'wrong_state', state: 'waiting' }
    const { action } = await world.unknown()
    const resent = await world.reconcile(action, { kind: 'resend', retryAt: noon })
    assert.deepEqual(await tryDecide(world, resent, cancel), refusal)
    const { attempt } = await world.sending()
    const { actionId, token } = attempt
    await world.settle(attempt, { kind: 'segment_landed', remoteId: 'r-0' })
    const settlement = { kind: 'released', reason: 'paused', retryAt: noon } as const
    const given = await world.ledger.settle({ actionId, token, attemptId: null, settlement })
    assert.deepEqual(await tryDecide(world, given.action, cancel), refusal)
  },

  'snooze asks again later, and no later than the plan lasts': async (world) => {
    const before = await asked(world)
    const soon = await world.decide(before, { kind: 'snooze', untilMs: hourMs })
    const version = before.version + 1
    assert.deepEqual(soon, { ...before, dueAt: noon + hourMs, version })
    const late = await world.decide(before, { kind: 'snooze', untilMs: 9 * expiresAfterMs })
    assert.equal(late.dueAt, before.expiresAt)
  },

  'attend: a person says what became of it': async (world) => {
    const landed = await needsAttention(world)
    const outcome = { seen: 'on the timeline' }
    const yes = await world.decide(landed, { kind: 'attend', landed: true, outcome })
    assert.deepEqual([yes.state, yes.outcome], ['success', outcome])
    assert.equal(yes.mayLandUntil, world.clock.now())
    const nothing = await needsAttention(world)
    const no = await world.decide(nothing, { kind: 'attend', landed: false, outcome: null })
    assert.deepEqual([no.state, no.mayLandUntil], ['failed', null])
  },

  'attend: what the network acknowledged in part is not failed': async (world) => {
    const { action, attempt } = await world.sending()
    await world.settle(attempt, { kind: 'segment_landed', remoteId: 'r-0' })
    const second = await world.begin(action, { segment: 1 })
    const fault = { ...refused, landed: 'unknown' } as const
    const unknown = await world.settle(second, { kind: 'unknown', fault, reconcileAt: noon })
    const handed = await world.reconcile(unknown, { kind: 'needs_attention', reason: 'odd' })
    const row = await world.decide(handed, { kind: 'attend', landed: false, outcome: null })
    assert.equal(row.state, 'success')
  },

  'repeated, a decision is the first one and is written once': async (world) => {
    const decisions: readonly ((row: ActionRow) => Decision)[] = [
      approval,
      (row) => ({ ...approval(row), text: 'Mine.' }) as Decision,
      () => ({ kind: 'reject', reason: 'no' }),
      () => ({ kind: 'cancel', reason: 'no' }),
      ({ textHash }) => ({ kind: 'revise', textHash, text: 'Mine.' }),
    ]
    for (const decisionOf of decisions) {
      const before = await asked(world)
      const decision = decisionOf(before)
      const first = await tryDecide(world, before, decision)
      assert.equal(first.kind, 'done')
      assert.deepEqual(await tryDecide(world, before, decision), first)
      assert.equal((await world.ledger.listApprovals(before.id)).length, 1)
    }
  },

  'repeated, an approval is the first one also when it is under way or over': async (world) => {
    const before = await asked(world)
    const decision: Decision = { ...approval(before), graceMs: 0 } as Decision
    await world.decide(before, decision)
    const running = await world.claim(before)
    assert.deepEqual(await tryDecide(world, before, decision), { kind: 'done', action: running })
    const other = await world.ledger.decide({ actionId: before.id, by: 'ben', decision })
    assert.deepEqual(other, { kind: 'wrong_state', state: 'running' })
    const done = await world.settle(await world.begin(running), success)
    assert.deepEqual(await tryDecide(world, before, decision), { kind: 'done', action: done })
    assert.equal((await world.ledger.listApprovals(before.id)).length, 1)
  },

  'is refused in a state that it is not for': async (world) => {
    const attend: Decision = { kind: 'attend', landed: true, outcome: null }
    const planned = await world.plan(await world.post())
    const wrong = (state: string) => ({ kind: 'wrong_state', state })
    assert.deepEqual(await tryDecide(world, planned, approval(planned)), wrong('planned'))
    assert.deepEqual(await tryDecide(world, planned, attend), wrong('planned'))
    const snooze: Decision = { kind: 'snooze', untilMs: 1 }
    assert.deepEqual(await tryDecide(world, planned, snooze), wrong('planned'))
    const attempt = await world.begin(await world.claim(planned))
    for (const kind of ['reject', 'cancel'] as const) {
      const decision = { kind, reason: 'no' }
      assert.deepEqual(await tryDecide(world, planned, decision), wrong('running'))
    }
    const done = await world.settle(attempt, success)
    const reject: Decision = { kind: 'reject', reason: 'no' }
    assert.deepEqual(await tryDecide(world, done, reject), wrong('success'))
    await world.unchanged(done)
  },

  'a text that a store could not give back as it was is refused by name': async (world) => {
    const post = await world.post(await world.account({ mode: 'approve' }))
    const isRefused = (field: string) => (error: unknown) =>
      error instanceof InputError && error.field === field
    for (const text of ['half of a pair \ud83d', 'with a \0 in it']) {
      await assert.rejects(world.tryPlan(post, { text }), isRefused('text'))
    }
    const action = await world.plan(post)
    const { textHash } = action
    const wrong: readonly [Decision, string][] = [
      [{ kind: 'revise', textHash, text: '\udc00' }, 'text'],
      [{ ...approval(action), text: 'a\0b' } as Decision, 'text'],
      [{ kind: 'reject', reason: 'a\0b' }, 'reason'],
      [{ kind: 'cancel', reason: '\ud83d' }, 'reason'],
    ]
    for (const [decision, field] of wrong) {
      await assert.rejects(tryDecide(world, action, decision), isRefused(field))
    }
    await world.unchanged(action)
  },

  'an action that is not in the ledger is refused by name': async (world) => {
    const decision: Decision = { kind: 'reject', reason: 'no' }
    const command = { actionId: toActionId('nothing'), by: 'anna', decision }
    await assert.rejects(world.ledger.decide(command), InputError)
  },
})
