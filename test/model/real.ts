/** The ledger under test as the model's commands see it: several clients, one clock, a restart. */

import assert from 'node:assert/strict'
import { everythingSupported, policyId, toAccountId, toPostId } from '../../src/core/index.ts'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { createLedger } from '../../src/ledger/index.ts'
import type { AccountRow, Ledger, PostRow, Store } from '../../src/ledger/index.ts'
import { ManualClock } from '../../src/testing/index.ts'
import type { LedgerData, NewLedgerData } from '../../src/testing/index.ts'
import { Model } from './ledger-model.ts'
import { modelPolicy } from './model-policy.ts'

/** How a client's ledger is made; a planted bug replaces it. */
export type MakeLedger = (store: Store, clock: ManualClock) => Ledger

const clientCount = 3

export class Real implements AsyncDisposable {
  readonly clock: ManualClock
  readonly #data: LedgerData
  readonly #make: MakeLedger
  #clients: readonly Ledger[] = []

  private constructor(data: LedgerData, clock: ManualClock, make: MakeLedger) {
    this.#data = data
    this.clock = clock
    this.#make = make
  }

  static async open(newData: NewLedgerData, make: MakeLedger = createLedger): Promise<Real> {
    const clock = new ManualClock()
    const real = new Real(await newData(clock), clock, make)
    await real.#connect()
    return real
  }

  async #connect(): Promise<void> {
    const clients: Ledger[] = []
    for (let index = 0; index < clientCount; index += 1) {
      clients.push(this.#make(await this.#data.open(), this.clock))
    }
    this.#clients = clients
  }

  client(index: number): Ledger {
    const client = this.#clients[index % clientCount]
    if (client === undefined) throw new Error('no client is open')
    return client
  }

  /** Every client ends and starts again. */
  async reopen(): Promise<void> {
    await this.#close()
    await this.#connect()
  }

  async #close(): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
    await this.#data[Symbol.asyncDispose]()
  }
}

/** One account that acts by itself with three posts, and one that asks, with one. */
export async function settle(real: Real): Promise<Model> {
  const ledger = real.client(0)
  await ledger.savePolicy(modelPolicy)
  const [auto, asking] = [accountRow('auto', real), accountRow('approve', real)]
  for (const account of [auto, asking]) await ledger.saveAccount(account)
  const posts = [auto, auto, auto, asking].map((account, index) => postRow(account, index, real))
  assert.deepEqual(await ledger.trackPosts(posts), posts)
  const model = new Model(posts, new Set([asking.id]))
  model.see(await ledger.now())
  return model
}

function accountRow(mode: AccountRow['mode'], { clock }: Real): AccountRow {
  return {
    id: toAccountId(`account-${mode}`),
    platform: 'bluesky',
    handle: '@someone',
    mode,
    timeZone: 'UTC',
    policy: policyId(modelPolicy),
    holdoutShare: 0,
    credentials: null,
    status: 'active',
    statusReason: null,
    createdAt: clock.now(),
    discoverAt: null,
    profile: null,
  }
}

function postRow(account: AccountRow, index: number, { clock }: Real): PostRow {
  const id = toPostId(`post-${index}`)
  return {
    id,
    accountId: account.id,
    platform: account.platform,
    remoteId: id,
    url: null,
    text: 'A post that nobody reads.',
    contentVersion: null,
    publishedAt: clock.now() - 2 * hourMs,
    status: 'watched',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: null,
    trackedAt: clock.now(),
    closedAt: null,
  }
}

/** Readings of the last half hour, by which the post stalls or does not. */
export async function look(ledger: Ledger, post: PostRow, stalls: boolean): Promise<void> {
  const now = await ledger.now()
  const batch = [30, 15, 0].map((ageMinutes) => {
    const at = now - ageMinutes * minuteMs
    const impressions = Math.floor((at - post.publishedAt) / 1000)
    const engagements = stalls ? 5 : 5 + impressions
    return { postId: post.id, sample: { at, impressions, engagements } }
  })
  await ledger.recordSamples(batch)
}

export const capabilities = everythingSupported
