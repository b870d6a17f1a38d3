/** Signs in by browser at the reference server, and works with tokens that are bound to a key. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { toAccountId } from '../../src/core/ids.ts'
import { actionKey } from '../../src/core/key.ts'
import { GuardedResponse } from '../../src/platform/fetch/guarded-response.ts'
import { blueskyAt } from '../../src/platform/bluesky/index.ts'
import type { ConnectorTools, SignedIn } from '../../src/platform/connector.ts'
import type { GuardedFetch } from '../../src/platform/guarded-fetch.ts'
import type { Connection } from '../../src/platform/platform.ts'
import { systemClock } from '../../src/system.ts'
import { Owner } from '../connectors/bluesky/owner.ts'
import { toolsFor } from '../connectors/bluesky/suite.ts'
import { agree } from './bluesky/browser.ts'
import { password, startDevNetwork } from './bluesky/dev-network.ts'
import type { DevAccount, DevNetwork } from './bluesky/dev-network.ts'

let network: DevNetwork | null = null

beforeAll(async () => {
  network = await startDevNetwork()
})

afterAll(async () => {
  await network?.[Symbol.asyncDispose]()
})

const { signal } = new AbortController()
const redirectUri = 'http://127.0.0.1:8080/back'

interface Visitor {
  readonly account: DevAccount
  readonly tools: ConnectorTools
  readonly signedIn: SignedIn
}

async function signIn(): Promise<Visitor> {
  if (network === null) throw new Error('The network has not started')
  const { url, directory } = network
  // The server calls itself by its name; the tests know its number.
  const hosts = [url, directory].map((address) => new URL(address).port)
  const allowed = hosts.flatMap((port) => [`localhost:${port}`, `127.0.0.1:${port}`])
  const tools = toolsFor(systemClock, allowed)
  const account = await network.openAccount()
  const way = blueskyAt({ service: url, directory }).signIns[1]
  if (way?.kind !== 'browser') throw new Error('There is no way by browser')
  const values = { handle: account.handle }
  const visit = await way.begin(tools, { values, redirectUri, signal })
  const answer = await agree(tools.fetch, visit.url, { ...account, password })
  const signedIn = await way.finish(tools, { pending: visit.pending, answer }, signal)
  return { account, tools, signedIn }
}

function connectionOf({ account, signedIn }: Visitor): Connection {
  const { credentials, profile } = signedIn
  const { handle } = account
  return { accountId: toAccountId('account-1'), handle, credentials, profile, renew: null }
}

it('a comment and a thread land once, and are taken back', async () => {
  const visitor = await signIn()
  const { account, tools } = visitor
  const connection = connectionOf(visitor)
  const platform = blueskyAt({ service: '', directory: '' }).create(tools)
  const owner = new Owner(account.did, account.call, Date.now)
  const remoteId = await owner.publish('A post')
  for (const [action, texts] of [
    ['comment', ['What do you think?']],
    ['thread', ['One', 'Two']],
  ] as const) {
    const key = actionKey(remoteId, action, 'tier_1', 0)
    const target = { remoteId, text: null, contentVersion: null }
    const request = { key, action, target, texts, segment: 0, previous: [], preparedAt: Date.now() }
    const preparation = await platform.prepare({ connection, signal, request })
    if (preparation.kind !== 'ready') throw new Error(JSON.stringify(preparation))
    const { token } = preparation
    const landed = await platform.commit({ connection, signal, key, token })
    expect(await platform.commit({ connection, signal, key, token })).toEqual(landed)
    expect(await owner.repliesTo(remoteId)).toHaveLength(1)
    await platform.undo({ connection, signal, token, landed })
    expect(await owner.repliesTo(remoteId)).toEqual([])
  }
})

it('tokens that have run out are exchanged, and the old ones are dead then', async () => {
  const visitor = await signIn()
  const { account } = visitor
  const tools = { ...visitor.tools, fetch: expiringOnce(visitor.tools.fetch) }
  const platform = blueskyAt({ service: '', directory: '' }).create(tools)
  const connection = connectionOf(visitor)
  let renewed = visitor.signedIn.credentials
  const renewing: Connection = {
    ...connection,
    renew: async (exchange) => (renewed = await exchange(visitor.signedIn.credentials)),
  }
  const probed = await platform.probe({ connection: renewing, signal })
  expect(probed.handle).toBe(account.handle)
  expect(renewed).not.toBe(visitor.signedIn.credentials)
  const fresh = { ...connection, credentials: renewed }
  expect((await platform.probe({ connection: fresh, signal })).handle).toBe(account.handle)

  // Whoever comes with the exchanged token once more is taken for a thief.
  const again = blueskyAt({ service: '', directory: '' }).create({
    ...visitor.tools,
    fetch: expiringOnce(visitor.tools.fetch),
  })
  const error = await again
    .probe({ connection: renewing, signal })
    .catch((reason: unknown) => reason)
  const fault = again.classify(error, 'write', Date.now())
  expect(fault).toMatchObject({ landed: 'no', code: 'credentials', scope: 'account' })
})

/** The server’s tokens last an hour; this is what it says when that is over. */
function expiringOnce(fetch: GuardedFetch): GuardedFetch {
  let isOver = false
  return async (url, options) => {
    if (isOver || !String(url).includes('/xrpc/')) return fetch(url, options)
    isOver = true
    const bytes = Buffer.from('{"error":"invalid_token","message":"\\"exp\\" check failed"}')
    return new GuardedResponse({ status: 401, where: String(url), headers: new Map(), bytes })
  }
}
