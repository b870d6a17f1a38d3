/** What must be true of pauses: their scopes, their end, and what they find still in flight. */

import assert from 'node:assert/strict'
import { minuteMs } from '../../core/duration.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expectHeld } from './world.ts'

const why = { until: null, reason: 'holiday', by: 'anna' }

export const pauseCases = casesOf('a pause', {
  'is listed until it is lifted': async (world) => {
    const everything = { scope: 'everything', target: '', ...why } as const
    const platform = { scope: 'platform', target: 'bluesky', ...why, by: 'ben' } as const
    await world.ledger.pause(everything)
    world.clock.advance(1)
    await world.ledger.pause(platform)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.listPauses(), [
      { ...everything, since: noon },
      { ...platform, since: noon + 1 },
    ])
    assert.equal(await world.ledger.resume('everything', ''), true)
    assert.equal(await world.ledger.resume('everything', ''), false)
    assert.equal(await world.ledger.resume('platform', 'mastodon'), false)
    assert.deepEqual(await world.ledger.listPauses(), [{ ...platform, since: noon + 1 }])
  },

  'again replaces the one of the same scope and target': async (world) => {
    await world.ledger.pause({ scope: 'platform', target: 'bluesky', ...why })
    world.clock.advance(1)
    const again = { scope: 'platform', target: 'bluesky', ...why, reason: 'outage' } as const
    await world.ledger.pause(again)
    assert.deepEqual(await world.ledger.listPauses(), [{ ...again, since: noon + 1 }])
    assert.equal(await world.ledger.resume('platform', 'bluesky'), true)
    assert.deepEqual(await world.ledger.listPauses(), [])
  },

  'that the engine sets never shortens one that is there': async (world) => {
    const place = { scope: 'account', target: 'a' } as const
    const rest = (until: number | null) => {
      return world.ledger.rest({ ...place, until, reason: 'too fast', by: 'breaker' })
    }
    const untils = async () => (await world.ledger.listPauses()).map(({ until }) => until)
    const events = async () => {
      return (await world.ledger.readEvents(null, { types: ['paused'] }, 99)).events.length
    }
    assert.equal(await rest(noon + 2), true)
    assert.equal(await rest(noon + 1), false)
    assert.equal(await rest(noon + 2), false)
    assert.deepEqual([await untils(), await events()], [[noon + 2], 1])
    assert.equal(await rest(noon + 3), true)
    assert.equal(await rest(null), true)
    assert.equal(await rest(noon + 9), false)
    assert.equal(await rest(null), false)
    assert.deepEqual([await untils(), await events()], [[null], 3])
    await world.ledger.resume('account', 'a')
    await world.ledger.pause({ ...place, ...why })
    assert.equal(await rest(noon + 9), false)
    assert.deepEqual((await world.ledger.listPauses())[0]?.by, 'anna')
  },

  'lists what it finds in flight, by its scope': async (world) => {
    const account = await world.account()
    const here = await world.running(await world.post(account))
    const beside = await world.running()
    const elsewhere = await world.account({ platform: 'mastodon' })
    const far = await world.running(await world.post(elsewhere))
    await world.plan(await world.post(account))
    await world.unknown(await world.post(account))
    const idsOf = async (scope: 'everything' | 'platform' | 'account', target: string) =>
      (await world.ledger.pause({ scope, target, ...why })).map(({ id }) => id)
    assert.deepEqual(await idsOf('account', account.id), [here.id])
    assert.deepEqual(await idsOf('platform', 'bluesky'), [here.id, beside.id])
    assert.deepEqual(await idsOf('everything', ''), [here.id, beside.id, far.id])
  },

  'of a time ends by itself': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const until = noon + minuteMs
    await world.ledger.pause({ scope: 'account', target: account.id, ...why, until })
    expectHeld(await world.tryPlan(post), 'paused')
    world.clock.advance(minuteMs - 1)
    expectHeld(await world.tryPlan(post), 'paused')
    world.clock.advance(1)
    const action = await world.plan(post)
    await world.begin(await world.claim(action))
  },

  'and its end are events': async (world) => {
    const account = await world.account()
    await world.ledger.pause({ scope: 'account', target: account.id, ...why })
    await world.ledger.resume('account', account.id)
    await world.ledger.resume('account', account.id)
    const types = ['paused', 'resumed'] as const
    const { events } = await world.ledger.readEvents(null, { types }, 9)
    const data = { scope: 'account', target: account.id }
    assert.deepEqual(
      events.map((event) => [event.type, event.accountId, event.data]),
      [
        ['paused', account.id, data],
        ['resumed', account.id, data],
      ],
    )
  },

  'a send that began before it may still be settled': async (world) => {
    const { attempt } = await world.sending()
    await world.ledger.pause({ scope: 'everything', target: '', ...why })
    const landed = { kind: 'success', remoteId: null, outcome: null } as const
    assert.equal((await world.settle(attempt, landed)).state, 'success')
  },

  'after a restore says why the account was paused before that, and stands only once': async (
    world,
  ) => {
    const paused = await world.account()
    const over = await world.account()
    const ofAccount = { scope: 'account', by: 'ann' } as const
    const holidays = { ...ofAccount, reason: 'holidays', until: null }
    await world.ledger.pause({ ...holidays, target: paused.id })
    await world.ledger.pause({ ...holidays, target: over.id, until: noon + minuteMs })
    world.clock.advance(2 * minuteMs)
    await world.ledger.markRestored('backup')
    const first = await world.ledger.listPauses()
    const reasons = Object.fromEntries(first.map(({ target, reason }) => [target, reason]))
    assert.deepEqual(reasons, {
      [paused.id]: 'restored from a backup; paused before that: holidays',
      [over.id]: 'restored from a backup',
    })
    world.clock.advance(minuteMs)
    await world.ledger.markRestored('backup')
    assert.deepEqual(await world.ledger.listPauses(), first)
  },

  'of every account stands after a restore, until each is lifted': async (world) => {
    const [one, two] = [await world.account(), await world.account()]
    const action = await world.running(await world.post(one))
    await world.ledger.markRestored('backup')
    const pauses = await world.ledger.listPauses()
    assert.deepEqual(
      pauses.map(({ scope, target, by, since }) => [scope, target, by, since]),
      [
        ['account', one.id, 'backup', noon],
        ['account', two.id, 'backup', noon],
      ],
    )
    const said = await world.ledger.readEvents(null, { types: ['paused', 'restored'] }, 9)
    assert.deepEqual(
      said.events.map(({ type, accountId }) => [type, accountId]),
      [
        ['paused', one.id],
        ['paused', two.id],
        ['restored', null],
      ],
    )
    expectHeld(await world.ledger.beginAttempt(world.attemptCommand(action)), 'paused')
    await world.ledger.resume('account', one.id)
    await world.begin(action)
  },
})
