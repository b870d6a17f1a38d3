/** What must be true of events: written with what they tell, read in an order that misses none. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import type { LedgerEvent } from '../../core/events.ts'
import type { Cursor, EventFilter } from '../../ledger/store.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { refused, success } from './world.ts'
import type { World } from './world.ts'

/** Follows the events to their end, a few at a time. */
async function follow(
  world: World,
  filter: EventFilter,
  limit: number,
  from: Cursor | null = null,
) {
  const events: LedgerEvent[] = []
  let cursor = from
  for (let turn = 0; turn < 999; turn += 1) {
    const page = await world.ledger.readEvents(cursor, filter, limit)
    assert.ok(page.events.length <= limit)
    events.push(...page.events)
    cursor = page.cursor
    if (page.events.length < limit) return { events, cursor }
  }
  throw new Error('following the events never ends')
}

const told = ({ type, data }: LedgerEvent) => [type, data] as const

export const eventCases = casesOf('events', {
  'tell the life of an action in the order in which it happened': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const { attempt } = await world.sending(post)
    const retryAt = noon + minuteMs
    await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt })
    world.clock.set(retryAt)
    const { actionId: id } = attempt
    const again = await world.begin(await world.claim({ id }, 'token-2'))
    const row = await world.settle(again, success)
    const { events } = await follow(world, {}, 99)
    const changed = (from: string, to: string, reason: string | null) =>
      ['action_changed', { from, to, reason, by: null }] as const
    assert.deepEqual(events.map(told), [
      ['account_saved', { mode: 'auto', policy: 'conformance@1' }],
      ['post_tracked', { publishedAt: post.publishedAt }],
      ['arm_assigned', { arm: 'act', propensity: 0.8 }],
      [
        'action_planned',
        {
          action: 'comment',
          tier: 'tier_1',
          key: row.key,
          state: 'planned',
          textHash: row.textHash,
        },
      ],
      changed('planned', 'running', null),
      ['attempt_begun', { number: 1, segment: 0 }],
      ['attempt_ended', { number: 1, result: 'not_landed', code: 'rate_limit' }],
      changed('running', 'waiting', 'rate_limit'),
      changed('waiting', 'running', null),
      ['attempt_begun', { number: 2, segment: 0 }],
      ['attempt_ended', { number: 2, result: 'landed', code: null }],
      changed('running', 'success', null),
    ])
    const last = events.at(-1)
    assert.deepEqual(
      [last?.at, last?.accountId, last?.postId, last?.actionId],
      [retryAt, account.id, post.id, id],
    )
  },

  'are numbered upwards, each once': async (world) => {
    for (let turn = 0; turn < 5; turn += 1) await world.succeeded()
    const { events } = await follow(world, {}, 7)
    const numbers = events.map(({ seq }) => seq)
    assert.equal(new Set(numbers).size, numbers.length)
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    )
  },

  'are the same however many are read at once': async (world) => {
    for (let turn = 0; turn < 3; turn += 1) await world.succeeded()
    const { events } = await follow(world, {}, 999)
    for (const limit of [1, 2, 5]) assert.deepEqual((await follow(world, {}, limit)).events, events)
  },

  'are narrowed by type and by account': async (world) => {
    const account = await world.account()
    await world.succeeded(await world.post(account))
    await world.succeeded()
    const { events } = await follow(world, {}, 999)
    const begun = { types: ['attempt_begun', 'attempt_ended'] as const }
    assert.deepEqual(
      (await follow(world, begun, 1)).events,
      events.filter(({ type }) => type.startsWith('attempt_')),
    )
    const ofAccount = { accountId: account.id }
    assert.deepEqual(
      (await follow(world, ofAccount, 2)).events,
      events.filter(({ accountId }) => accountId === account.id),
    )
    const both = { ...begun, ...ofAccount }
    assert.equal((await follow(world, both, 9)).events.length, 2)
    assert.deepEqual((await follow(world, { types: [] }, 9)).events, [])
  },

  'are read on from where a reader stopped, also after a restart': async (world) => {
    await world.succeeded()
    const first = await follow(world, {}, 4)
    assert.deepEqual((await follow(world, {}, 4, first.cursor)).events, [])
    await world.harness.reopen()
    await world.succeeded()
    const second = await follow(world, {}, 4, first.cursor)
    const { events } = await follow(world, {}, 999)
    assert.deepEqual([...first.events, ...second.events], events)
    assert.ok(second.events.length > 0)
  },

  'none is missed by a reader that follows while others write': async (world) => {
    const others = [await world.harness.second(), await world.harness.second()]
    const account = await world.account()
    const posts = []
    for (let turn = 0; turn < 6; turn += 1) posts.push(await world.post(account))
    const read: LedgerEvent[] = []
    let cursor: Cursor | null = null
    const step = async () => {
      const page = await world.ledger.readEvents(cursor, {}, 3)
      read.push(...page.events)
      cursor = page.cursor
      return page.events.length
    }
    const commands = posts.map((post) => world.planCommand(post))
    await Promise.all([
      ...commands.map((command, index) => others[index % 2]?.ledger.plan(command)),
      (async () => {
        for (let turn = 0; turn < 9; turn += 1) await step()
      })(),
    ])
    for (let turn = 0; turn < 99 && (await step()) > 0; turn += 1);
    assert.deepEqual(read, (await follow(world, {}, 999)).events)
    assert.equal(read.filter(({ type }) => type === 'action_planned').length, posts.length)
  },

  'of a change that was refused are not there': async (world) => {
    const action = await world.plan(await world.post())
    const { cursor } = await follow(world, {}, 99)
    await world.tryPlan(await world.post(), { actionId: action.id }).catch(() => {})
    await world.ledger.settle({
      actionId: action.id,
      token: 'token-9',
      attemptId: null,
      settlement: { kind: 'failed', fault: refused },
    })
    const { events } = await follow(world, { types: ['action_planned', 'arm_assigned'] }, 9, cursor)
    assert.deepEqual(events, [])
  },
})
