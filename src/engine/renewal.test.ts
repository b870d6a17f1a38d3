/** Credentials are exchanged once, whoever asks, and never lost between exchange and store. */

import { beforeEach, describe, expect, test } from 'vitest'
import { toAccountId } from '../core/ids.ts'
import { Secret } from '../core/secret.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import { openMemoryLedger } from '../ledger/open-ledger.ts'
import type { AccountRow } from '../ledger/rows.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import { policyId } from '../core/policy.ts'
import { Renewal } from './renewal.ts'

const id = toAccountId('account-1')
const account: AccountRow = {
  id,
  platform: 'mastodon',
  handle: 'ann',
  mode: 'approve',
  timeZone: 'UTC',
  policy: policyId(standardPolicy),
  holdoutShare: 0,
  credentials: 'sealed:first',
  profile: null,
  status: 'active',
  statusReason: null,
  createdAt: 0,
  discoverAt: null,
}

let ledger: Ledger
let now = 0
let ids = 0
/** Sleeping lets everyone else have a turn. */
const clock = {
  now: () => now,
  monotonicMs: () => now,
  sleep: async (durationMs: number) => {
    now += durationMs
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  },
}
const random = { fraction: () => 0.5, id: () => `id-${(ids += 1)}` }

function renewalOn(used: Partial<Ledger> = {}): Renewal {
  return new Renewal({
    ledger: { ...ledger, ...used },
    clock,
    random,
    open: ({ credentials }) =>
      credentials === null ? null : new Secret(credentials.replace('sealed:', '')),
    seal: (_, secret) => `sealed:${secret.reveal()}`,
  })
}

beforeEach(async () => {
  now = 1000
  ledger = openMemoryLedger(clock)
  await ledger.savePolicy(standardPolicy)
  await ledger.saveAccount(account)
})

async function stored(): Promise<string | null | undefined> {
  return (await ledger.getAccount(id))?.credentials
}

/** An exchange that takes a while, and that the network allows a single time for each token. */
function onceOnly() {
  const taken: string[] = []
  const exchange = async (current: Secret) => {
    const token = current.reveal()
    if (taken.includes(token)) throw new Error(`${token} was used before`)
    taken.push(token)
    for (let turn = 0; turn < 3; turn += 1) await clock.sleep(100)
    return new Secret(`${token}+`)
  }
  return { taken, exchange }
}

describe('renewing credentials', () => {
  test('stores what was exchanged before anyone gets it', async () => {
    const { exchange } = onceOnly()
    const renewed = await renewalOn().renewFor(account)(exchange)
    expect(renewed.reveal()).toBe('first+')
    expect(await stored()).toBe('sealed:first+')
  })

  test('many callers in many processes exchange once and get the same', async () => {
    const { exchange, taken } = onceOnly()
    const processes = [renewalOn(), renewalOn(), renewalOn()]
    const calls = processes.flatMap((each) => [1, 2, 3].map(() => each.renewFor(account)(exchange)))
    const results = await Promise.all(calls)
    expect(results.map((secret) => secret.reveal())).toEqual(Array(9).fill('first+'))
    expect(taken).toEqual(['first'])
  })

  test('who comes later with the old ones gets the new ones without an exchange', async () => {
    const { exchange, taken } = onceOnly()
    await renewalOn().renewFor(account)(exchange)
    const again = await renewalOn().renewFor(account)(exchange)
    expect(again.reveal()).toBe('first+')
    expect(taken).toEqual(['first'])
  })

  test('a failed exchange fails that call alone, and the next one may try', async () => {
    const renewal = renewalOn()
    const failing = renewal.renewFor(account)(() => Promise.reject(new Error('away')))
    await expect(failing).rejects.toThrow('away')
    expect(await stored()).toBe('sealed:first')
    const { exchange } = onceOnly()
    expect((await renewal.renewFor(account)(exchange)).reveal()).toBe('first+')
  })

  test('a ledger that is busy when they are stored is asked again', async () => {
    const { exchange, taken } = onceOnly()
    let failures = 3
    const replaceCredentials: Ledger['replaceCredentials'] = (...given) => {
      failures -= 1
      if (failures >= 0) return Promise.reject(new LedgerError('busy', 'busy'))
      return ledger.replaceCredentials(...given)
    }
    const renewed = await renewalOn({ replaceCredentials }).renewFor(account)(exchange)
    expect(renewed.reveal()).toBe('first+')
    expect(await stored()).toBe('sealed:first+')
    expect(taken).toEqual(['first'])
  })

  test('what the owner connected meanwhile wins', async () => {
    const exchange = async () => {
      await ledger.replaceCredentials(id, account.credentials, 'sealed:owner')
      return new Secret('late')
    }
    const renewed = await renewalOn().renewFor(account)(exchange)
    expect(renewed.reveal()).toBe('owner')
    expect(await stored()).toBe('sealed:owner')
  })

  test('a process that died while exchanging does not block the others for ever', async () => {
    await ledger.takeLease(`renew-credentials:${id}`, 'dead', 60_000)
    const { exchange } = onceOnly()
    const renewed = await renewalOn().renewFor(account)(exchange)
    expect(renewed.reveal()).toBe('first+')
    expect(now).toBeGreaterThan(60_000)
  })
})
