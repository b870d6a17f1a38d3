/** What the Postgres store locks, in which order, and that it reads what is true once it has. */

import { expect, test, vi } from 'vitest'
import { createLedger } from '../src/ledger/index.ts'
import { policyOf, policyWith } from '../src/testing/ledger/policies.ts'
import { countWaiting, openPostgresWorld, until } from './support/postgres-world.ts'

const nothing = { samplesMs: 0, looksMs: 0, accountMs: 0, accountLimit: 0, platformMs: 0 }

test('two claims that wait for one account do not both take its last place', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  world.policy = policyWith(1, { guard: 'account_budget', perHour: 1, perDay: 9 })
  const account = await world.account()
  const plans = [
    await world.plan(await world.post(account)),
    await world.plan(await world.post(account)),
  ]
  const sql = await here.connect()
  await sql(`begin; select from secondwind.accounts where id = '${account.id}' for update`)

  const other = await world.harness.second()
  const claims = [world.ledger, other.ledger].map((ledger, index) =>
    ledger.claim(world.claimCommand(plans[index] as (typeof plans)[0])),
  )
  const watcher = await here.connect()
  await until(async () => (await countWaiting(watcher)) === 2)
  await sql('rollback')

  const kinds = (await Promise.all(claims)).map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual(['claimed', 'held'])
})

test('claims that count nothing for the account share it, and it stays as it is', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  world.policy = policyOf(1, { guard: 'open_action' })
  const account = await world.account()
  const action = await world.plan(await world.post(account))
  const other = await here.connect()
  const ofAccount = `from secondwind.accounts where id = '${account.id}'`
  await other(`begin; select ${ofAccount} for share`)

  expect(await world.tryClaim(action)).toMatchObject({ kind: 'claimed' })
  const parking = world.ledger.parkAccount(account.id, 'other', 'a person said so')
  const watcher = await here.connect()
  await until(async () => (await countWaiting(watcher)) === 1)
  await other('rollback')
  await parking
  expect(await world.ledger.getAccount(account.id)).toMatchObject({ status: 'parked' })
})

test('a claim locks the account first, then the post, then the action', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const action = await world.plan(await world.post())
  const rows = [
    ['accounts', action.accountId],
    ['posts', action.postId],
    ['actions', action.id],
  ] as const
  const holder = await here.connect()
  const watcher = await here.connect()
  /** Which of the rows nobody has locked. */
  const free = async () => {
    const names: string[] = []
    for (const [table, id] of rows) {
      const found = await watcher(
        `select from secondwind.${table} where id = '${id}' for update skip locked`,
      )
      if (found.length > 0) names.push(table)
    }
    return names
  }
  const claims: Promise<unknown>[] = []
  const left: (readonly string[])[] = []
  for (const [table, id] of rows) {
    await holder(`begin; select from secondwind.${table} where id = '${id}' for update`)
    claims.push(world.tryClaim(action))
    await until(async () => (await countWaiting(watcher)) === 1)
    left.push(await free())
    await holder('rollback')
    await claims.at(-1)
  }
  expect(left).toEqual([['posts', 'actions'], ['actions'], []])
})

test('a step that waited for a lock sees what was written meanwhile', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const { action, attempt } = await world.sending()
  const sql = await here.connect()
  await sql(`begin; select from secondwind.actions where id = '${action.id}' for update;
    update secondwind.attempts set remote_id = 'from elsewhere' where id = '${attempt.id}'`)
  const watcher = await here.connect()
  const seen = world.harness.store.withAction(action.id, (view) => ({
    result: view.attempts[0]?.remoteId,
    changes: {},
  }))
  await until(async () => (await countWaiting(watcher)) === 1)
  await sql('commit')
  expect(await seen).toBe('from elsewhere')
})

test('a pause waits for an attempt that is about to begin, and lets no other begin', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const [first, second] = [await world.running(), await world.running()]
  const sql = await here.connect()
  // An attempt of another process, between its locks and its commit.
  await sql(`begin; select secondwind.lock_action('${first.id}', true, null, 0, false)`)

  const order: string[] = []
  const pause = {
    scope: 'everything',
    target: '',
    until: null,
    reason: 'stop',
    by: 'anna',
  } as const
  const paused = world.ledger.pause(pause).then(() => order.push('paused'))
  const watcher = await here.connect()
  await until(async () => (await countWaiting(watcher)) === 1)
  const begun = world.ledger.beginAttempt(world.attemptCommand(second))
  await until(async () => (await countWaiting(watcher)) === 2)
  order.push('the attempt ends')
  await sql('commit')
  await paused

  expect(order).toEqual(['the attempt ends', 'paused'])
  expect(await begun).toMatchObject({ kind: 'held', reason: 'paused' })
})

test('attempts of one platform follow one another and count each other', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  world.policy = policyWith(1, { guard: 'platform_budget', windowMs: 1000, maximum: 1 })
  const [first, second] = [await world.running(), await world.running()]
  const sql = await here.connect()
  await sql(`begin; select secondwind.lock_action('${first.id}', true, null, 1000, false)`)
  const begun = world.ledger.beginAttempt(world.attemptCommand(second))
  const watcher = await here.connect()
  await until(async () => (await countWaiting(watcher)) === 1)
  await sql(`insert into secondwind.attempts (id, action_id, platform, number, segment, token,
      started_at, deadline_at, result)
    values ('other', '${first.id}', '${first.platform}', 1, 0, 't', ${world.clock.now()}, 0,
      'pending'); commit`)
  expect(await begun).toMatchObject({ kind: 'held', reason: 'platform_budget' })
})

test('where no clock is given, that of the client does not matter', async () => {
  await using here = await openPostgresWorld()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(1999, 0, 1) })
  try {
    const { world } = here
    const sql = await here.connect()
    const serverNow = async () => {
      const [row] = await sql(`select (extract(epoch from clock_timestamp()) * 1000)::float8`)
      return row?.[0] as number
    }
    await using store = await here.open()
    const before = Math.floor(await serverNow())
    const now = await store.now()
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(await serverNow())
    expect(Number.isInteger(now)).toBe(true)

    world.clock.set(now)
    // At whatever hour this runs.
    world.policy = policyWith(7, { guard: 'quiet_hours', from: '00:00', to: '00:00' })
    const action = await world.plan(await world.post())
    const claimed = await createLedger(store).claim(world.claimCommand(action))
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
    expect(claimed.action.firstClaimedAt).toBeGreaterThanOrEqual(before)
    expect(claimed.action.firstClaimedAt).toBeLessThanOrEqual(await serverNow())
  } finally {
    vi.useRealTimers()
  }
})

test('the time of a step is taken after its locks', async () => {
  await using here = await openPostgresWorld()
  const { world } = here
  const action = await world.running()
  await using store = await here.open()
  const sql = await here.connect()
  await sql(`begin; select from secondwind.actions where id = '${action.id}' for update`)
  const watcher = await here.connect()
  const seen = store.withAction(action.id, ({ now }) => ({ result: now, changes: {} }))
  await until(async () => (await countWaiting(watcher)) === 1)
  const [row] = await sql(`select floor(extract(epoch from clock_timestamp()) * 1000)::float8`)
  await sql('rollback')
  expect(await seen).toBeGreaterThanOrEqual(row?.[0] as number)
})

test('who waits too long for a lock is told that others are busy', async () => {
  await using here = await openPostgresWorld()
  const post = await here.world.post()
  const sql = await here.connect()
  await sql(`begin; select from secondwind.posts where id = '${post.id}' for update`)
  await using store = await here.open({ lockTimeoutMs: 50 })
  const waiting = store.withPost(post.id, nothing, () => ({ result: 1, changes: {} }))
  await expect(waiting).rejects.toMatchObject({ name: 'LedgerError', kind: 'busy' })
  await sql('rollback')
  const after = await store.withPost(post.id, nothing, () => ({ result: 1, changes: {} }))
  expect(after).toBe(1)
})
