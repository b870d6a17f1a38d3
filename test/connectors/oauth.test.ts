/** What becomes of access tokens: exchanged in time, once, and given up only on a clear word. */

import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { Secret } from '../../src/core/secret.ts'
import type { Renew } from '../../src/platform/platform.ts'
import { isWrite } from '../live/fault-proxy.ts'
import type { FaultRule } from '../live/fault-proxy.ts'
import { credentialsFor, openFake } from './mastodon/fake-suite.ts'
import type { FakeWorld } from './mastodon/fake-suite.ts'
import { callOptions, faultOf, observeOne, readyWrite } from './writes.ts'
import type { Subject } from './writes.ts'

const [oldToken, newToken] = ['canary-old-token', 'canary-new-token']
const [oldRefresh, newRefresh] = ['canary-old-refresh', 'canary-new-refresh']
const client = { clientId: 'client-1', clientSecret: 'canary-client-secret' }

/** An account whose token runs out, and a place where new ones are stored. */
class RunningOut implements Subject {
  readonly world: FakeWorld
  readonly stored: Secret[] = []
  readonly #expiresInMs: number

  constructor(world: FakeWorld, expiresInMs: number) {
    this.world = world
    this.#expiresInMs = expiresInMs
    world.server.tokens.clear()
    world.server.tokens.add(newToken)
    this.answerWith({
      access_token: newToken,
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: newRefresh,
    })
  }

  answerWith(body: Record<string, string | number>, status = 200): void {
    this.world.server.tokenAnswer = (form) =>
      form.get('refresh_token') === oldRefresh && form.get('client_secret') === client.clientSecret
        ? { status, body }
        : { status: 400, body: { error: 'invalid_grant' } }
  }

  get platform() {
    return this.world.platform
  }

  get clock() {
    return this.world.clock
  }

  get connection() {
    const credentials = credentialsFor(this.world.proxy.url, {
      ...client,
      accessToken: oldToken,
      refreshToken: oldRefresh,
      expiresAt: this.world.clock.now() + this.#expiresInMs,
    })
    const renew: Renew = async (exchange) => {
      const renewed = await exchange(this.stored.at(-1) ?? credentials)
      this.stored.push(renewed)
      return renewed
    }
    return { ...this.world.connection, credentials, renew }
  }

  exchanges(): number {
    return this.world.server.requests.filter((line) => line === 'POST /oauth/token').length
  }
}

describe('a token that runs out', () => {
  it('is exchanged before it is over, and the new ones are stored', async () => {
    await using world = await openFake()
    const account = new RunningOut(world, minuteMs)
    // It would still be taken.
    world.server.tokens.add(oldToken)
    const post = world.server.statuses.add({ status: 'A post' })
    expect(await observeOne(account, post.id)).toMatchObject({ kind: 'live' })
    expect(account.exchanges()).toBe(1)
    expect(JSON.parse(account.stored[0]?.reveal() ?? '')).toEqual({
      server: world.proxy.url,
      ...client,
      accessToken: newToken,
      refreshToken: newRefresh,
      expiresAt: world.clock.now() + 7200 * secondMs,
    })
  })

  it('is left alone while there is time', async () => {
    await using world = await openFake()
    const account = new RunningOut(world, hourMs)
    world.server.tokens.add(oldToken)
    const post = world.server.statuses.add({ status: 'A post' })
    await observeOne(account, post.id)
    expect(account.exchanges()).toBe(0)
  })

  it('is not exchanged by two: what another has stored is taken', async () => {
    await using world = await openFake()
    const account = new RunningOut(world, minuteMs)
    const post = world.server.statuses.add({ status: 'A post' })
    await observeOne(account, post.id)
    // This connection was opened before, with the old ones.
    await observeOne(account, post.id)
    expect(account.exchanges()).toBe(1)
  })

  it('keeps its refresh token where the server gives no other', async () => {
    await using world = await openFake()
    const account = new RunningOut(world, minuteMs)
    account.answerWith({ access_token: newToken, token_type: 'bearer' })
    const post = world.server.statuses.add({ status: 'A post' })
    await observeOne(account, post.id)
    const kept = JSON.parse(account.stored[0]?.reveal() ?? '') as object
    expect(kept).toMatchObject({ refreshToken: oldRefresh, expiresAt: null })
  })

  it('is not spent where its successor could not be stored', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    const account = new RunningOut(world, minuteMs)
    world.server.tokens.add(oldToken)
    world.proxy.arm({ fault: { status: 401, body: '{}' }, matches: isWrite })
    const connection = { ...account.connection, renew: null }
    const fault = await faultOf(account, account.platform.commit({ ...write, connection }), 'write')
    expect([fault.code, account.exchanges()]).toEqual(['credentials', 0])
  })
})

describe('a token that is refused before its time', () => {
  it('is exchanged, and the reading done again', async () => {
    await using world = await openFake()
    const account = new RunningOut(world, hourMs)
    const post = world.server.statuses.add({ status: 'A post' })
    expect(await observeOne(account, post.id)).toMatchObject({ kind: 'live' })
    expect(account.exchanges()).toBe(1)
  })

  it('is exchanged, but a write is left to the next attempt', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    const account = new RunningOut(world, hourMs)
    // Readings pass, so that it is the write that meets the refusal.
    world.server.tokens.add(oldToken)
    world.proxy.arm({ fault: { status: 401, body: '{}' }, matches: isWrite })
    const { connection } = account
    const fault = await faultOf(account, account.platform.commit({ ...write, connection }), 'write')
    expect(fault).toMatchObject({ landed: 'no', code: 'service_unavailable' })
    expect(account.stored).toHaveLength(1)
    expect(world.server.statuses.repliesTo(post.id)).toEqual([])
  })
})

describe('a refusal on a page, which a proxy gave', () => {
  const page = { status: 401, body: '<!doctype html><title>Sign in to the hotel</title>' }

  it('exchanges nothing, and leaves it open what became of a write', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    const account = new RunningOut(world, hourMs)
    world.server.tokens.add(oldToken)
    world.proxy.arm({ fault: page, matches: isWrite })
    const { connection } = account
    const fault = await faultOf(account, account.platform.commit({ ...write, connection }), 'write')
    expect(fault).toMatchObject({ landed: 'unknown', code: 'network_error' })
    expect(account.exchanges()).toBe(0)
  })

  it('does not end credentials that are being probed', async () => {
    await using world = await openFake()
    const account = new RunningOut(world, hourMs)
    for (const status of [401, 403]) {
      world.proxy.arm({ fault: { ...page, status } })
      const fault = await faultOf(account, account.platform.probe(callOptions(account)), 'read')
      expect(fault.code).toBe('network_error')
    }
  })
})

const refusals: readonly (readonly [string, FaultRule['fault'], code: string])[] = [
  [
    'that the permission is gone',
    { status: 400, body: '{"error":"invalid_grant"}' },
    'credentials',
  ],
  ['that the app is unknown', { status: 401, body: '{"error":"invalid_client"}' }, 'credentials'],
  ['that it went too fast', { status: 429, body: '{"error":"invalid_grant"}' }, 'rate_limit'],
  ['that it has trouble', { status: 503, body: '' }, 'service_unavailable'],
  [
    'trouble, in the words of a refusal',
    { status: 500, body: '{"error":"invalid_grant"}' },
    'service_unavailable',
  ],
  ['something unclear', { status: 400, body: '{"error":"invalid_request"}' }, 'invalid'],
  ['a page', { status: 403, body: '<html></html>' }, 'network_error'],
  ['a success without a token', { status: 200, body: '{"token_type":"bearer"}' }, 'bad_answer'],
  [
    'a token of another kind',
    { status: 200, body: '{"access_token":"a","token_type":"mac"}' },
    'bad_answer',
  ],
  ['nothing', 'refuse', 'network_error'],
]

describe('an exchange to which the server says', () => {
  it.each(refusals)('%s', async (_, fault, code) => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    const account = new RunningOut(world, minuteMs)
    world.proxy.arm({ fault, matches: ({ path }) => path === '/oauth/token' })
    const { connection } = account
    const said = await faultOf(account, account.platform.commit({ ...write, connection }), 'write')
    // Whatever it is, nothing was sent.
    expect([said.landed, said.code]).toEqual(['no', code])
    expect(JSON.stringify(said)).not.toContain('canary')
    expect(account.stored).toEqual([])
  })
})
