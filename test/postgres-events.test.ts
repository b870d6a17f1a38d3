/** Events are read in an order in which none is missed, however late its transaction commits. */

import { expect, test } from 'vitest'
import { createLedger } from '../src/ledger/index.ts'
import type { LedgerEvent } from '../src/core/events.ts'
import { openPostgresWorld } from './support/postgres-world.ts'
import type { PostgresWorld } from './support/postgres-world.ts'

const insertEvent = `insert into secondwind.events (txn, at, type, data)
  values (pg_current_xact_id()::text::bigint, 0, 'restored', '{}')`

const typesOf = (events: readonly LedgerEvent[]) => events.map(({ type }) => type)

async function pause({ world }: PostgresWorld, target: string): Promise<void> {
  const why = { until: null, reason: 'stop', by: 'anna' }
  await world.ledger.pause({ scope: 'platform', target, ...why })
}

test('an event that is committed late is missed by no reader', async () => {
  await using here = await openPostgresWorld()
  const { ledger } = here.world
  const late = await here.connect()
  await late(`begin; ${insertEvent}`)
  await pause(here, 'one')
  const first = await ledger.readEvents(null, {}, 9)
  await pause(here, 'two')
  const second = await ledger.readEvents(first.cursor, {}, 9)
  await late('commit')
  const third = await ledger.readEvents(second.cursor, {}, 9)
  const read = [...first.events, ...second.events, ...third.events]
  expect(typesOf(read)).toEqual(['restored', 'paused', 'paused'])
  expect(read).toEqual((await ledger.readEvents(null, {}, 9)).events)
})

test('an event whose transaction is rolled back holds nobody up', async () => {
  await using here = await openPostgresWorld()
  const { ledger } = here.world
  const late = await here.connect()
  await late(`begin; ${insertEvent}`)
  await pause(here, 'one')
  await late('rollback')
  expect(typesOf((await ledger.readEvents(null, {}, 9)).events)).toEqual(['paused'])
})

test('the chain is sealed in the same order, and waits for what is late', async () => {
  await using here = await openPostgresWorld()
  const { ledger } = here.world
  await pause(here, 'zero')
  const late = await here.connect()
  await late(`begin; ${insertEvent}`)
  await pause(here, 'one')
  expect(await ledger.seal(9)).toBe(1)
  expect(await ledger.verifyAudit()).toMatchObject({ entries: 1, unsealed: 1, problems: [] })
  await late('commit')
  expect(await ledger.seal(9)).toBe(2)
  expect(await ledger.verifyAudit()).toMatchObject({ entries: 3, unsealed: 0, problems: [] })
})

test('on a server that counts from elsewhere, readers go on where they were', async () => {
  await using here = await openPostgresWorld()
  await pause(here, 'one')
  const sql = await here.connect()
  // What a dump brings along was counted by a server that had seen far more transactions.
  await sql('update secondwind.events set txn = txn + 1000000000')
  await using store = await here.open()
  const ledger = createLedger(store)
  const { cursor, events } = await ledger.readEvents(null, {}, 9)
  expect(typesOf(events)).toEqual(['paused'])
  expect(await ledger.seal(9)).toBe(1)
  await ledger.resume('platform', 'one')
  expect(typesOf((await ledger.readEvents(cursor, {}, 9)).events)).toEqual(['resumed'])
  expect(await ledger.seal(9)).toBe(1)
  expect((await ledger.verifyAudit()).problems).toEqual([])
})

test('a cursor of another ledger is refused by its name', async () => {
  await using here = await openPostgresWorld()
  const reading = here.world.ledger.readEvents('12', {}, 9)
  await expect(reading).rejects.toMatchObject({ name: 'InputError', field: 'after' })
})
