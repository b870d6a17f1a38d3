/** Steps that come together share a transaction, and nothing else: each is as if it were alone. */

import { expect, test } from 'vitest'
import type { ActionRow } from '../src/ledger/rows.ts'
import type { Changes } from '../src/ledger/store.ts'
import { policyWith } from '../src/testing/ledger/policies.ts'
import type { World } from '../src/testing/ledger/world.ts'
import { countWaiting, openPostgresWorld, until } from './support/postgres-world.ts'

async function runningActions(world: World, count: number): Promise<readonly ActionRow[]> {
  const rows: ActionRow[] = []
  for (let index = 0; index < count; index += 1) rows.push(await world.running())
  return rows
}

/** A change that is legal for a running action and leaves an event. */
function touched(row: ActionRow): Changes {
  const { accountId, postId, id: actionId } = row
  return {
    updateAction: { ...row, mayLandUntil: 1, version: row.version + 1 },
    events: [
      {
        type: 'attempt_begun',
        at: 0,
        accountId,
        postId,
        actionId,
        data: { number: 9, segment: 9 },
      },
    ],
  }
}

function touchAll(world: World, rows: readonly ActionRow[], change: (row: ActionRow) => Changes) {
  const { store } = world.harness
  return Promise.allSettled(
    rows.map((row) =>
      store.withAction(row.id, ({ action }) => ({ result: action.id, changes: change(action) })),
    ),
  )
}

async function changedOf(world: World, rows: readonly ActionRow[]): Promise<readonly boolean[]> {
  const changed: boolean[] = []
  for (const row of rows) changed.push((await world.row(row)).version > row.version)
  return changed
}

test('calls made together are committed together', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const rows = await runningActions(world, 8)
  const { cursor } = await world.ledger.readEvents(null, {}, 999)
  await touchAll(world, rows, touched)
  expect(await changedOf(world, rows)).toEqual(rows.map(() => true))
  expect((await world.ledger.readEvents(cursor, {}, 99)).events).toHaveLength(8)
  const sql = await here.connect()
  const [row] = await sql(`select count(distinct txn)::int, count(*)::int from secondwind.events
    where at = 0`)
  expect(row).toEqual([2, 8])
})

test('a step that throws takes nobody with it', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const rows = await runningActions(world, 6)
  const ends = await touchAll(world, rows, (row) => {
    if (row.id === rows[2]?.id) throw new Error('a mistake in a step')
    return touched(row)
  })
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
  ])
  expect(await changedOf(world, rows)).toEqual([true, true, false, true, true, true])
})

test('a change that the database refuses takes nobody with it', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const rows = await runningActions(world, 6)
  const ends = await touchAll(world, rows, (row) =>
    row.id === rows[3]?.id
      ? { updateAction: { ...row, state: 'approved', version: row.version + 1 } }
      : touched(row),
  )
  expect(ends[3]).toMatchObject({ status: 'rejected', reason: { kind: 'conflict' } })
  expect(await changedOf(world, rows)).toEqual([true, true, true, false, true, true])
})

test('rows that another process holds keep only those waiting who need them', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const rows = await runningActions(world, 6)
  const held = rows[1] as ActionRow
  const sql = await here.connect()
  await sql(`begin; select from secondwind.actions where id = '${held.id}' for update`)
  const done: string[] = []
  const waiting = touchAll(world, [held], touched).then(() => done.push('held'))
  const others = rows.filter((row) => row !== held)
  await touchAll(world, others, touched)
  expect(await changedOf(world, others)).toEqual(others.map(() => true))
  expect(done).toEqual([])
  await sql('rollback')
  await waiting
  expect(await changedOf(world, [held])).toEqual([true])
})

test('calls on one action follow one another, each on what the last wrote', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const row = await world.running()
  await touchAll(world, [row, row, row, row, row], touched)
  expect((await world.row(row)).version).toBe(row.version + 5)
})

test('claims of one account that come together keep its budget', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  world.policy = policyWith(1, { guard: 'account_budget', perHour: 3, perDay: 9 })
  const account = await world.account()
  const plans: ActionRow[] = []
  for (let turn = 0; turn < 7; turn += 1) plans.push(await world.plan(await world.post(account)))
  const results = await Promise.all(plans.map((plan) => world.tryClaim(plan)))
  expect(results.filter(({ kind }) => kind === 'claimed')).toHaveLength(3)
})

test('attempts on one platform that come together keep its budget', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  world.policy = policyWith(1, { guard: 'platform_budget', windowMs: 60_000, maximum: 2 })
  const rows = await runningActions(world, 5)
  const results = await Promise.all(
    rows.map((row) => world.ledger.beginAttempt(world.attemptCommand(row))),
  )
  expect(results.filter(({ kind }) => kind === 'begun')).toHaveLength(2)
})

test('a step that changes the post locks it before the action', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const { action, attempt } = await world.sending(undefined, { action: 'edit', tier: 'tier_2' })
  const sql = await here.connect()
  await sql(`begin; select from secondwind.posts where id = '${action.postId}' for no key update`)
  const postContent = { remoteId: 'r2', contentVersion: 'v2', text: 'Better.' }
  const settled = world.settle(attempt, {
    kind: 'success',
    remoteId: null,
    outcome: null,
    postContent,
  })
  const watcher = await here.connect()
  await until(async () => (await countWaiting(watcher)) === 1)
  // Whoever holds the post, as a claim does, can still have the action: nobody is locked up.
  await sql(`select from secondwind.actions where id = '${action.id}' for no key update nowait`)
  await sql('rollback')
  expect((await settled).state).toBe('success')
  expect(await world.ledger.getPost(action.postId)).toMatchObject(postContent)
})
