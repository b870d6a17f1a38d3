/** What callers are told when the server or the way to it fails, and that they can go on after. */

import { createServer, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedger } from '../src/ledger/index.ts'
import { openPostgresStore } from '../src/ledger/postgres/postgres-store.ts'
import { startPostgres } from './support/postgres.ts'
import type { TestPostgres } from './support/postgres.ts'
import { openPostgresWorld } from './support/postgres-world.ts'

let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(async () => {
  await server.stop()
})

/** A way to the server that can be cut: when a word is sent, and before or after it arrives. */
async function openWay(url: string) {
  let cut: { readonly word: string; readonly arrives: boolean } | null = null
  const way = createServer((client) => {
    const target = new URL(url)
    const upstream = connect(Number(target.port), target.hostname)
    const close = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', close).on('close', close)
    upstream.on('data', (data) => client.write(data))
    client.on('data', (data) => {
      if (cut === null || !data.includes(cut.word)) {
        upstream.write(data)
        return
      }
      const { arrives } = cut
      cut = null
      client.destroy()
      if (arrives) upstream.removeAllListeners('data').end(data)
    })
  })
  await new Promise<void>((resolve) => {
    way.listen(0, '127.0.0.1', resolve)
  })
  const connectionString = new URL(url)
  connectionString.port = String((way.address() as AddressInfo).port)
  return {
    connectionString: connectionString.href,
    cutAt: (word: string, { arrives }: { readonly arrives: boolean }) => {
      cut = { word, arrives }
    },
    [Symbol.dispose]: () => way.close(),
  }
}

test('a commit whose answer is lost is unknown, and repeats give its result', async () => {
  await using here = await openPostgresWorld(await server.freshDatabase())
  using way = await openWay(here.connectionString)
  const { world } = here
  const action = await world.plan(await world.post())
  const { clock } = world
  await using store = await openPostgresStore({ connectionString: way.connectionString, clock })
  const ledger = createLedger(store)
  way.cutAt('commit', { arrives: true })
  const lost = ledger.claim(world.claimCommand(action))
  await expect(lost).rejects.toMatchObject({ name: 'LedgerError', kind: 'unavailable' })
  await expect(lost).rejects.toThrow(/unknown.*same ids/)
  const again = await ledger.claim(world.claimCommand(action))
  expect(again).toMatchObject({ kind: 'claimed', action: { version: action.version + 1 } })
})

test('calls that are cut off before their commit are made again by themselves', async () => {
  await using here = await openPostgresWorld(await server.freshDatabase())
  using way = await openWay(here.connectionString)
  const { world } = here
  const { clock } = world
  const plans = []
  for (let turn = 0; turn < 5; turn += 1) plans.push(await world.plan(await world.post()))
  await using store = await openPostgresStore({ connectionString: way.connectionString, clock })
  const ledger = createLedger(store)
  way.cutAt('lock_claim', { arrives: false })
  const claims = await Promise.all(plans.map((plan) => ledger.claim(world.claimCommand(plan))))
  expect(claims.map(({ kind }) => kind)).toEqual(plans.map(() => 'claimed'))
  for (const plan of plans) expect((await world.row(plan)).version).toBe(plan.version + 1)
})

test('while the server is killed calls are unavailable, and then they work', async () => {
  await using here = await openPostgresWorld(await server.freshDatabase())
  const { world } = here
  const action = await world.running()
  await server.kill()
  const sample = { at: 1, impressions: 1, engagements: 1 }
  const whileAway = await Promise.allSettled([
    world.ledger.now(),
    world.ledger.getAction(action.id),
    world.ledger.beginAttempt(world.attemptCommand(action)),
    world.ledger.recordSamples([{ postId: action.postId, sample }]),
  ])
  for (const call of whileAway) {
    expect(call).toMatchObject({
      status: 'rejected',
      reason: { name: 'LedgerError', kind: 'unavailable' },
    })
  }
  await server.restart()
  await world.unchanged(action)
  await world.begin(action)
})

test('a server that nobody can reach is unavailable from the start', async () => {
  const opening = openPostgresStore({ connectionString: 'postgres://u:p@127.0.0.1:1/none' })
  await expect(opening).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(opening).rejects.toThrow(/ECONNREFUSED.*Check that the server runs/)
})

test('a wrong password or database is unavailable, in the server’s words', async () => {
  const wrong = new URL(server.url)
  wrong.password = 'wrong'
  const byPassword = openPostgresStore({ connectionString: wrong.href })
  await expect(byPassword).rejects.toMatchObject({ kind: 'unavailable' })
  const nowhere = new URL(server.url)
  nowhere.pathname = '/nowhere'
  const byName = openPostgresStore({ connectionString: nowhere.href })
  await expect(byName).rejects.toThrow('database "nowhere" does not exist')
})

test('a ledger that is closed takes no more calls', async () => {
  const store = await openPostgresStore({ connectionString: await server.freshDatabase() })
  await store[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
  await expect(store.now()).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a text that Postgres cannot keep is refused as what it is', async () => {
  await using here = await openPostgresWorld(await server.freshDatabase())
  const { store } = here.world.harness
  const saving = store.settleSetting('name', 'a\0b')
  await expect(saving).rejects.toMatchObject({ name: 'InputError' })
  await expect(saving).rejects.toThrow('NUL')
})
