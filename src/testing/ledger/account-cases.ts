/** What must be true of changes to an account: each changes its own part, and none is lost. */

import assert from 'node:assert/strict'
import type { EventType } from '../../core/events.ts'
import { toAccountId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyWith } from './policies.ts'
import type { World } from './world.ts'

const nobody = toAccountId('nobody')

async function said(world: World, type: EventType) {
  const { events } = await world.ledger.readEvents(null, { types: [type] }, 99)
  return events.map(({ accountId, at, data }) => ({ accountId, at, data }))
}

async function expectStored(world: World, account: AccountRow): Promise<void> {
  await world.harness.reopen()
  assert.deepEqual(await world.ledger.getAccount(account.id), account)
}

export const accountCases = casesOf('accounts', {
  'what is given is changed, and nothing else': async (world) => {
    const account = await world.account({ discoverAt: noon + 1, profile: { name: 'Ann' } })
    world.clock.advance(5)
    const change = { mode: 'watch', timeZone: 'Asia/Kolkata', holdoutShare: 0.25 } as const
    const changed = await world.ledger.updateAccount(account.id, change)
    assert.deepEqual(changed, { ...account, ...change })
    const data = { mode: 'watch', policy: account.policy }
    const at = noon + 5
    const saved = await said(world, 'account_saved')
    assert.deepEqual(saved.at(-1), { accountId: account.id, at, data })
    const named = await world.ledger.updateAccount(account.id, { handle: '@other' })
    assert.deepEqual(named, { ...changed, handle: '@other' })
    await expectStored(world, { ...account, ...change, handle: '@other' })
  },

  'a change that changes nothing says nothing': async (world) => {
    const account = await world.account()
    const before = await said(world, 'account_saved')
    assert.deepEqual(await world.ledger.updateAccount(account.id, {}), account)
    assert.deepEqual(await world.ledger.updateAccount(account.id, { mode: 'auto' }), account)
    assert.deepEqual(await said(world, 'account_saved'), before)
    assert.equal(await world.ledger.updateAccount(nobody, { mode: 'auto' }), null)
  },

  'another policy must be stored before an account can have it': async (world) => {
    const account = await world.account()
    const change = world.ledger.updateAccount(account.id, { policy: 'conformance@2' })
    await assert.rejects(change, (error) => error instanceof InputError && error.field === 'policy')
    await world.ledger.savePolicy(policyWith(2))
    const changed = await world.ledger.updateAccount(account.id, { policy: 'conformance@2' })
    assert.deepEqual(changed, { ...account, policy: 'conformance@2' })
  },

  'changes that are made at once all survive': async (world) => {
    const account = await world.account({ credentials: 'old' })
    const { ledger } = await world.harness.second()
    await Promise.all([
      ledger.setDiscoverAt(account.id, noon + 7),
      world.ledger.parkAccount(account.id, 'credentials', 'Sign in again.'),
      ledger.updateAccount(account.id, { mode: 'approve' }),
      world.ledger.setProfile(account.id, '@ann', { server: 'one.example' }),
      ledger.replaceCredentials(account.id, 'old', 'new'),
      world.ledger.updateAccount(account.id, { timeZone: 'Europe/Berlin' }),
    ])
    await expectStored(world, {
      ...account,
      discoverAt: noon + 7,
      status: 'parked',
      statusReason: 'Sign in again.',
      mode: 'approve',
      handle: '@ann',
      profile: { server: 'one.example' },
      credentials: 'new',
      timeZone: 'Europe/Berlin',
    })
  },

  'what a connector learnt is kept as it was given': async (world) => {
    const account = await world.account()
    assert.equal(account.profile, null)
    const profile = { limits: [300, 0.5, null], said: 'a “b” \\ c' }
    await world.ledger.setProfile(account.id, '@ann.example', profile)
    await expectStored(world, { ...account, handle: '@ann.example', profile })
    await world.ledger.setProfile(account.id, '@ann.example', null)
    await expectStored(world, { ...account, handle: '@ann.example', profile: null })
    await world.ledger.setProfile(nobody, '@nobody', {})
  },

  'an account that was parked goes on, with its credentials or with new ones': async (world) => {
    const account = await world.account({ credentials: 'old' })
    const park = () => world.ledger.parkAccount(account.id, 'credentials', 'Sign in again.')
    await park()
    assert.deepEqual(await world.ledger.activateAccount(account.id, null), account)
    await park()
    const renewed = await world.ledger.activateAccount(account.id, 'new')
    assert.deepEqual(renewed, { ...account, credentials: 'new' })
    assert.deepEqual(await world.ledger.activateAccount(account.id, 'new'), renewed)
    assert.deepEqual(
      await said(world, 'account_activated'),
      [1, 2].map(() => ({ accountId: account.id, at: noon, data: {} })),
    )
    assert.equal(await world.ledger.activateAccount(nobody, null), null)
    await expectStored(world, { ...account, credentials: 'new' })
  },

  'of two that renew credentials at once one succeeds': async (world) => {
    const account = await world.account({ credentials: null })
    const { ledger } = await world.harness.second()
    const results = await Promise.all([
      world.ledger.replaceCredentials(account.id, null, 'mine'),
      ledger.replaceCredentials(account.id, null, 'theirs'),
    ])
    assert.deepEqual(results.toSorted(), [false, true])
    const credentials = results[0] ? 'mine' : 'theirs'
    assert.equal(await ledger.replaceCredentials(account.id, 'other', 'next'), false)
    assert.equal(await ledger.replaceCredentials(nobody, null, 'next'), false)
    await expectStored(world, { ...account, credentials })
    const replaced = [{ accountId: account.id, at: noon, data: {} }]
    assert.deepEqual(await said(world, 'credentials_replaced'), replaced)
  },

  'one that was erased takes nothing more': async (world) => {
    const { id } = await world.account({ credentials: 'old', profile: { name: 'Ann' } })
    await world.ledger.eraseAccount(id)
    const erased = await world.ledger.getAccount(id)
    assert.equal(erased?.profile, null)
    assert.equal(await world.ledger.updateAccount(id, { handle: '@back' }), null)
    assert.equal(await world.ledger.activateAccount(id, 'new'), null)
    assert.equal(await world.ledger.replaceCredentials(id, null, 'new'), false)
    await world.ledger.setProfile(id, '@back', { name: 'Ann' })
    await world.ledger.parkAccount(id, 'credentials', 'gone')
    assert.deepEqual(await world.ledger.getAccount(id), erased)
  },
})
