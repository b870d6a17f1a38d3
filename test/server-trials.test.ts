/** Trials through the API: asked for by the owner, kept in the profile, and never while paused. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../src/core/duration.ts'
import { InputError } from '../src/core/input-error.ts'
import { bluesky } from '../src/platform/bluesky/index.ts'
import type { Trial, TrialResult } from '../src/platform/connector.ts'
import type { AccountDetail, AccountProof } from '../src/server/schema/account.ts'
import type { PlatformView } from '../src/server/schema/platform.ts'
import { World } from './server/world.ts'

/** A trial that finds what it is told to find, and counts how often it is run. */
function tried(find: () => Promise<TrialResult>) {
  const runs: string[] = []
  const trial: Trial = {
    question: 'whether it works',
    steps: 'It posts and removes.',
    run: async (_, { connection }) => {
      runs.push(connection.accountId)
      return find()
    },
  }
  return { trial, runs }
}

const good = { profile: { proven: true }, finding: 'It works.', leftOver: ['post-1'] }
const path = '/accounts/ann/prove'

test('what can be tried out stands beside the network', async () => {
  const { trial } = tried(async () => good)
  const { body } = await (await World.open({ trial })).get<{ items: PlatformView[] }>('/platforms')
  expect(body.items[0]?.trial).toEqual({
    question: 'whether it works',
    steps: 'It posts and removes.',
  })
})

test('what was found is kept in the profile, and what is left over is named', async () => {
  const { trial, runs } = tried(async () => good)
  const world = await World.open({ trial })
  const { body } = await world.post<AccountProof>(path)
  expect(body).toEqual({ kind: 'ok', ...good })
  expect(runs).toEqual(['ann'])
  const { body: account } = await world.get<AccountDetail>('/accounts/ann')
  expect(account).toMatchObject({ handle: 'ann', profile: { proven: true } })
})

test.each([
  ['before anything was sent', new InputError('account', 'has no post'), false],
  ['at a moment that is not known', new TypeError('boom'), true],
])('a failure %s changes nothing, and says what may be left', async (_, error, mayBeLeft) => {
  const { trial } = tried(() => Promise.reject(error))
  const world = await World.open({ trial })
  const { body } = await world.post<AccountProof>(path)
  expect(body).toMatchObject({ kind: 'failed', mayBeLeft })
  expect((await world.get<AccountDetail>('/accounts/ann')).body.profile).toBeNull()
})

test('a trial that takes too long is given up', async () => {
  const { trial } = tried(() => new Promise(() => {}))
  const world = await World.open({ trial })
  await world.token('admin')
  const asked = world.post<AccountProof>(path)
  await world.stage.settled(asked)
  expect((await asked).body).toMatchObject({ kind: 'failed', mayBeLeft: true })
})

test.each([
  ['everything', ''],
  ['platform', 'simulated-full'],
  ['account', 'ann'],
] as const)('nothing is tried while %s is paused', async (scope, target) => {
  const { trial, runs } = tried(async () => good)
  const world = await World.open({ trial })
  const until = world.stage.clock.now() + hourMs
  await world.ledger.pause({ scope, target, reason: 'Storm', until, by: 'ann' })
  const refused = await world.post(path)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Storm')
  expect(runs).toEqual([])
  await world.stage.clock.advance(hourMs + minuteMs)
  expect((await world.post(path)).status).toBe(200)
})

test('nothing is tried for another account, one that died, or where nothing can be', async () => {
  const { trial, runs } = tried(async () => good)
  const world = await World.open({ trial })
  const token = await world.token('write', [world.bob])
  expect((await world.post(path, undefined, { token })).status).toBe(404)
  await world.ledger.parkAccount(world.ann, 'credentials', 'They died')
  expect((await world.post(path)).status).toBe(409)
  expect(runs).toEqual([])
  const without = await World.open()
  expect((await without.post(path)).body).toMatchObject({ status: 409 })
  expect(bluesky.trial).toBeUndefined()
})
