/** Shows what holds of the memory store beyond the conformance suite: it hands out no live rows. */

import { expect, test } from 'vitest'
import { createLedger } from '../stored-ledger.ts'
import { LedgerHarness } from '../../testing/ledger/harness.ts'
import { refused, success, World } from '../../testing/ledger/world.ts'
import { MemoryStore } from './memory-store.ts'

async function newWorld() {
  const harness = await LedgerHarness.open(async (clock) => {
    const store = new MemoryStore(clock)
    const damage = () => Promise.reject(new Error('not here'))
    return {
      open: async () => store,
      tamper: { changeEvent: damage, deleteEvent: damage, swapAudit: damage },
      [Symbol.asyncDispose]: async () => {},
    }
  })
  return new World(harness)
}

test('a list that was read stays as it was when the ledger goes on', async () => {
  const world = await newWorld()
  const { action, attempt } = await world.sending()
  const { ledger } = world
  const attempts = await ledger.listAttempts(action.id)
  const samples = await ledger.listSamples(action.postId)
  const before = structuredClone({ attempts, samples })
  await world.settle(attempt, { kind: 'waiting', fault: refused, retryAt: 0 })
  world.clock.advance(60_000)
  const post = await ledger.getPost(action.postId)
  if (post === null) throw new Error('the post is gone')
  await world.stall(post)
  await world.begin(await world.claim(action, 'token-2'))
  expect({ attempts, samples }).toEqual(before)
})

test('what a claim returned stays as it was when the ledger goes on', async () => {
  const world = await newWorld()
  const planned = await world.plan(await world.post())
  const result = await world.tryClaim(planned)
  const before = structuredClone(result)
  const attempt = await world.begin(await world.row(planned))
  await world.settle(attempt, success)
  expect(result).toEqual(before)
})

test('closing one client leaves the data to the others', async () => {
  const world = await newWorld()
  const other = createLedger(world.harness.store)
  await world.post()
  await other[Symbol.asyncDispose]()
  expect((await world.ledger.listAccounts()).length).toBe(1)
})
