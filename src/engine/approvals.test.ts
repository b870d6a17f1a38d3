/** What people decide, as the engine carries it out. */

import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '../core/duration.ts'
import { policyId } from '../core/index.ts'
import type { ActionRow } from '../ledger/index.ts'
import { policyFor, Stage } from '../../test/builders/engine.ts'

async function asked(): Promise<{ stage: Stage; row: ActionRow; remoteId: string }> {
  const stage = await Stage.open({ mode: 'approve' })
  const remoteId = stage.publish()
  return { stage, row: await stage.planned(), remoteId }
}

describe('approved', () => {
  test('the very text goes out, after the time to take it back', async () => {
    const { stage, row } = await asked()
    await stage.approve(row)
    await stage.pass(50 * secondMs)
    expect(stage.effects()).toEqual([])
    await stage.pass(20 * secondMs)
    expect(stage.texts()).toEqual([row.text])
    expect((await stage.action(row.id)).state).toBe('success')
  })

  test('a text that the person edited goes out as edited', async () => {
    const { stage, row } = await asked()
    await stage.approve(row, 'My own words.')
    await stage.reached('success')
    expect(stage.texts()).toEqual(['My own words.'])
  })

  test('an approval of another text than the one that stands is refused', async () => {
    const { stage, row } = await asked()
    await stage.decide(row, { kind: 'revise', textHash: row.textHash, text: 'Other words.' })
    expect(await stage.approve(row)).toMatchObject({ kind: 'text_changed' })
    await stage.pass(hourMs)
    expect(stage.effects()).toEqual([])
    const revised = await stage.action(row.id)
    expect(await stage.approve(revised)).toMatchObject({ kind: 'done' })
    await stage.pass(2 * minuteMs)
    expect(stage.texts()).toEqual(['Other words.'])
  })

  test('an approval under another policy than the one in force sends nothing', async () => {
    const { stage, row } = await asked()
    await stage.approve(row)
    const next = policyFor('comment', { version: 2 })
    await stage.ledger.savePolicy(next)
    await stage.changeAccount({ policy: policyId(next) })
    const ended = await stage.reached('expired', 'success', 'cancelled')
    expect(ended.state).toBe('expired')
    expect(stage.effects()).toEqual([])
  })

  test('and taken back before it was sent, nothing is sent', async () => {
    const { stage, row } = await asked()
    await stage.approve(row)
    await stage.pass(50 * secondMs)
    await stage.decide(row, { kind: 'cancel', reason: 'second thoughts' })
    await stage.pass(10 * minuteMs)
    expect((await stage.action(row.id)).state).toBe('cancelled')
    expect(stage.network.truth.effectsOf(row.key)).toEqual([])
    expect(stage.count('commit')).toBe(0)
  })
})

describe('not approved', () => {
  test('a rejected action is not planned again for 24 hours', async () => {
    const { stage, row } = await asked()
    await stage.decide(row, { kind: 'reject', reason: 'not like this' })
    const { at } = (await stage.ledger.listApprovals(row.id))[0] ?? { at: 0 }
    await stage.pass(23 * hourMs)
    expect(await stage.actions()).toHaveLength(1)
    const second = await stage.until(async () => (await stage.actions())[1])
    expect(second.plannedAt - at).toBeGreaterThanOrEqual(dayMs)
    expect(second.plannedAt - at).toBeLessThan(dayMs + hourMs)
    expect(second).toMatchObject({ generation: 1, state: 'awaiting_approval' })
    expect(second.key).not.toBe(row.key)
    await stage.decide(second, { kind: 'reject', reason: 'never' })
    await stage.pass(40 * hourMs)
    expect(await stage.actions()).toHaveLength(2)
    expect(stage.effects()).toEqual([])
  })

  test('a snoozed one waits on, and runs out when it would have', async () => {
    const { stage, row } = await asked()
    await stage.decide(row, { kind: 'snooze', untilMs: 3 * hourMs })
    await stage.pass(11 * hourMs)
    expect((await stage.action(row.id)).state).toBe('awaiting_approval')
    await stage.pass(hourMs)
    expect(await stage.action(row.id)).toMatchObject({ state: 'expired', endedAt: row.expiresAt })
    expect(stage.effects()).toEqual([])
  })

  test('people are told once, an hour before it runs out, and then it does', async () => {
    const { stage, row } = await asked()
    await stage.pass(row.expiresAt - stage.clock.now() - hourMs - minuteMs)
    expect(await stage.events('approval_expiring')).toEqual([])
    await stage.pass(2 * minuteMs)
    expect(await stage.events('approval_expiring')).toEqual([{ expiresAt: row.expiresAt }])
    await stage.pass(hourMs)
    expect(await stage.events('approval_expiring')).toHaveLength(1)
    expect(await stage.action(row.id)).toMatchObject({ state: 'expired' })
    expect(stage.effects()).toEqual([])
  })

  test('an approval comes too late once it has run out', async () => {
    const { stage, row } = await asked()
    await stage.reached('expired')
    expect(await stage.approve(row)).toEqual({ kind: 'wrong_state', state: 'expired' })
  })
})

test('a post that recovered meanwhile cancels the approved action', async () => {
  const { stage, row, remoteId } = await asked()
  stage.network.world.react(remoteId, 'likes', 1_000_000)
  await stage.pass(11 * minuteMs)
  await stage.approve(row)
  const ended = await stage.reached('cancelled', 'success')
  expect(ended.state).toBe('cancelled')
  expect(await stage.events('action_changed')).toContainEqual(
    expect.objectContaining({ to: 'cancelled', reason: 'recovered' }),
  )
  expect(stage.effects()).toEqual([])
})

test('a post that was deleted meanwhile cancels the approved action', async () => {
  const { stage, row, remoteId } = await asked()
  stage.network.world.remove(remoteId)
  await stage.pass(11 * minuteMs)
  await stage.approve(row)
  expect((await stage.reached('cancelled', 'success', 'failed')).state).toBe('cancelled')
})

test('never touch this post: no plan is made, and an approved one does not go out', async () => {
  const { stage, row } = await asked()
  const post = await stage.post()
  await stage.approve(row)
  await stage.ledger.setNeverTouch(post.id, true)
  await stage.pass(dayMs)
  expect((await stage.action(row.id)).state).toBe('cancelled')
  expect(await stage.actions()).toHaveLength(1)
  expect((await stage.verdicts())[0]).toMatchObject({ kind: 'hold', reason: 'never_touch' })
  expect(stage.effects()).toEqual([])
})

test('a mode that was changed to approve asks about what was planned before', async () => {
  const stage = await Stage.open({ mode: 'auto' })
  stage.publish()
  const row = await stage.planned()
  await stage.changeAccount({ mode: 'approve' })
  await stage.pass(hourMs)
  expect((await stage.action(row.id)).state).toBe('awaiting_approval')
  expect(stage.effects()).toEqual([])
})
