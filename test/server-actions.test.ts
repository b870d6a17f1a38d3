/** What people decide about actions through the API, and what they are shown. */

import { beforeEach, describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../src/core/duration.ts'
import type { ActionRow } from '../src/ledger/index.ts'
import type {
  ActionDetail,
  ActionPage,
  ActionSummary,
  BulkResult,
} from '../src/server/schema/action.ts'
import { noFault, onNextWrites } from '../src/platform/simulated/index.ts'
import { shown } from './builders/engine.ts'
import { World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

const decide = (row: ActionRow, what: string, body: unknown) =>
  world.post<ActionSummary>(`/actions/${row.id}/${what}`, body)

const stateOf = async (row: ActionRow) => (await world.stage.action(row.id)).state

describe('the inbox', () => {
  test('shows what awaits approval, with the post, the words and the reason', async () => {
    const row = await world.awaiting()
    const { body } = await world.get<ActionPage>('/actions?state=awaiting_approval&state=planned')
    expect(body.items).toHaveLength(1)
    const [item] = body.items
    expect(item).toMatchObject({
      id: row.id,
      handle: 'ann',
      post: { text: 'A post that nobody sees.' },
      segments: [row.text],
      diff: null,
      possible: ['approve', 'reject', 'revise', 'snooze', 'cancel'],
    })
    expect(item?.why).toContain('Planned: comment')
    expect(item?.guards.every(({ kind }) => kind === 'pass')).toBe(true)
  })

  test('shows an edit word by word, and a thread post by post', async () => {
    world = await World.open({ action: 'edit' })
    await world.awaiting()
    const edit = (await world.get<ActionPage>('/actions')).body.items[0]
    expect(edit?.diff?.map(({ kind }) => kind)).toEqual(['kept', 'added'])
    world = await World.open({ action: 'thread' })
    await world.awaiting()
    const thread = (await world.get<ActionPage>('/actions')).body.items[0]
    expect(thread?.segments).toHaveLength(3)
  })
})

describe('a decision', () => {
  test('to approve sends the text that was shown', async () => {
    const row = await world.awaiting()
    const answer = await decide(row, 'approve', { textHash: row.textHash })
    expect(answer.body).toMatchObject({ state: 'approved', possible: ['reject', 'cancel'] })
    await world.pass(5 * minuteMs)
    expect(world.stage.texts()).toEqual([row.text])
  })

  test('to approve another text sends that one', async () => {
    const row = await world.awaiting()
    await decide(row, 'approve', { textHash: row.textHash, text: 'Better words.' })
    await world.pass(5 * minuteMs)
    expect(world.stage.texts()).toEqual(['Better words.'])
  })

  test('to approve what was changed meanwhile is refused', async () => {
    const row = await world.awaiting()
    const revised = await decide(row, 'revise', { textHash: row.textHash, text: 'New words.' })
    expect(revised.body).toMatchObject({ text: 'New words.', state: 'awaiting_approval' })
    const late = await decide(row, 'approve', { textHash: row.textHash })
    expect(late.status).toBe(409)
    expect(await stateOf(row)).toBe('awaiting_approval')
    await decide(row, 'approve', { textHash: revised.body.textHash })
    expect(await stateOf(row)).toBe('approved')
  })

  test('a text that the network would refuse is refused here', async () => {
    const row = await world.awaiting()
    for (const text of ['x'.repeat(100_000), '   ']) {
      const answer = await decide(row, 'revise', { textHash: row.textHash, text })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ errors: [{ field: 'text' }] })
    }
  })

  test('to reject, cancel or snooze does what it says, and says who and why', async () => {
    const rejected = await world.awaiting()
    await decide(rejected, 'reject', { reason: 'Not our tone' })
    const { body } = await world.get<ActionDetail>(`/actions/${rejected.id}`)
    expect(body.approvals).toMatchObject([
      { decision: 'rejected', by: 'a admin token', reason: 'Not our tone' },
    ])
    const other = await world.awaiting('bob')
    const snoozed = await decide(other, 'snooze', { forMs: hourMs })
    expect(snoozed.body.dueAt).not.toBe(null)
    await decide(other, 'cancel', {})
    expect(await stateOf(other)).toBe('cancelled')
    expect((await decide(other, 'approve', { textHash: other.textHash })).status).toBe(409)
  })

  test('about an action that is not there is a 404, and about nothing at all a 400', async () => {
    expect((await world.post('/actions/nothing/approve', { textHash: 'x' })).status).toBe(404)
    const row = await world.awaiting()
    expect((await decide(row, 'approve', {})).body).toMatchObject({
      status: 400,
      errors: [{ field: 'textHash' }],
    })
  })
})

describe('what happened', () => {
  test('is told in order, from the plan to the measurement', async () => {
    world = await World.open({ holdoutShare: 0 })
    const row = await world.awaiting()
    await decide(row, 'approve', { textHash: row.textHash })
    await world.pass(3 * hourMs)
    const { body } = await world.get<ActionDetail>(`/actions/${row.id}`)
    const kinds = body.timeline.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind !== 'change')).toEqual([
      'planned',
      'guards',
      'approval',
      'attempt',
      'attempt_ended',
      'measured',
    ])
    expect(body.timeline.find(({ kind }) => kind === 'approval')?.by).toBe('a admin token')
    expect(body).toMatchObject({ state: 'success', possible: ['undo'] })
    expect(body.attemptRows).toMatchObject([{ number: 1, result: 'landed' }])
    expect(JSON.stringify(body)).not.toContain('prepared')
  })

  test('an undo is a row of its own, which the first one names', async () => {
    const row = await world.awaiting()
    expect((await world.post(`/actions/${row.id}/undo`)).status).toBe(409)
    await decide(row, 'approve', { textHash: row.textHash })
    await world.pass(5 * minuteMs)
    const undo = await world.post<ActionSummary>(`/actions/${row.id}/undo`)
    expect(undo.body).toMatchObject({ undoes: row.id, state: 'approved' })
    const { body } = await world.get<ActionDetail>(`/actions/${row.id}`)
    expect(body.undoneBy).toEqual([{ id: undo.body.id, state: 'approved' }])
    expect((await world.post(`/actions/${row.id}/undo`)).status).toBe(409)
  })

  test('after a failure the post is looked at anew', async () => {
    world = await World.open({ mode: 'auto' })
    world.stage.faults = (call) => (call.isWrite ? { kind: 'spam' } : noFault)
    const row = await world.stage.act('failed')
    const { body } = await world.get<ActionDetail>(`/actions/${row.id}`)
    expect(body.possible).toEqual(['retry'])
    const answer = await world.post(`/actions/${row.id}/retry`)
    expect(answer.body).toMatchObject({ postId: row.postId })
    expect((await world.stage.post()).nextCheckAt).toBe(await world.ledger.now())
  })

  test('what needs attention is settled by what a person found', async () => {
    world = await World.open({ mode: 'auto', profile: shown('telegram') })
    world.stage.faults = onNextWrites({ kind: 'lost_answer' })
    const row = await world.stage.act('needs_attention')
    const url = 'https://network.example/seen'
    const answer = await decide(row, 'attend', { landed: true, url })
    expect(answer.body).toMatchObject({ state: 'success', url })
  })
})

describe('deciding on many', () => {
  async function three(): Promise<readonly ActionRow[]> {
    return [await world.awaiting(), await world.awaiting('bob')]
  }

  test('first shows what matches, and then decides on that and nothing else', async () => {
    const rows = await three()
    const wish = { filter: {}, decision: { kind: 'approve' } }
    const preview = await world.post<BulkResult>('/approvals/bulk', wish)
    if (preview.body.kind !== 'preview') throw new Error('It decided at once')
    expect(preview.body.matched.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
    expect(await Promise.all(rows.map(stateOf))).toEqual(['awaiting_approval', 'awaiting_approval'])
    const { digest } = preview.body
    const done = await world.post<BulkResult>('/approvals/bulk', { ...wish, digest })
    expect(done.body).toMatchObject({ kind: 'done' })
    expect(await Promise.all(rows.map(stateOf))).toEqual(['approved', 'approved'])
  })

  test('a text that changed after the look, or a new action, is not decided on', async () => {
    const [row] = await three()
    const wish = { filter: {}, decision: { kind: 'approve' } }
    const preview = await world.post<{ digest: string }>('/approvals/bulk', wish)
    if (row !== undefined) await decide(row, 'revise', { textHash: row.textHash, text: 'Other.' })
    const { digest } = preview.body
    const late = await world.post('/approvals/bulk', { ...wish, digest })
    expect(late.status).toBe(409)
    const other = { filter: {}, decision: { kind: 'reject' }, digest }
    expect((await world.post('/approvals/bulk', other)).status).toBe(409)
    expect((await world.stage.actions()).map(({ state }) => state)).toEqual([
      'awaiting_approval',
      'awaiting_approval',
    ])
  })

  test('keeps to the filter', async () => {
    const [, bobs] = await three()
    const matched = async (filter: object) => {
      const wish = { filter, decision: { kind: 'reject' } }
      const { body } = await world.post<BulkResult>('/approvals/bulk', wish)
      return body.kind === 'preview' ? body.matched.map(({ id }) => id) : null
    }
    expect(await matched({ accountId: 'bob' })).toEqual([bobs?.id])
    expect(await matched({ ids: [bobs?.id] })).toEqual([bobs?.id])
    expect(await matched({ action: 'thread' })).toEqual([])
    expect(await matched({ tier: 'tier_1' })).toEqual([])
    expect(await matched({ platform: 'elsewhere' })).toEqual([])
  })
})
