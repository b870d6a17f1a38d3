/** The fake X as the conformance suite needs it, with a proxy in between that makes faults. */

import { hourMs, minuteMs, secondMs } from '../../../src/core/duration.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import { Secret } from '../../../src/core/secret.ts'
import type { Connector, ConnectorTools } from '../../../src/platform/connector.ts'
import type { Connection, Platform } from '../../../src/platform/platform.ts'
import type { Addresses } from '../../../src/platform/x/addresses.ts'
import { describeX } from '../../../src/platform/x/description.ts'
import { createXConnector } from '../../../src/platform/x/index.ts'
import type { Profile } from '../../../src/platform/x/profile.ts'
import { harnessFaults, VirtualClock } from '../../../src/testing/platform-conformance.ts'
import type { PlatformHarness, PlatformSuite } from '../../../src/testing/platform-conformance.ts'
import { FaultProxy } from '../../live/fault-proxy.ts'
import { HarnessFaults } from '../../live/fault-proxy/harness-faults.ts'
import { toolsFor } from '../tools.ts'
import { userId } from './fake-posts.ts'
import type { FakePost, FakePosts } from './fake-posts.ts'
import { FakeX } from './fake-server.ts'

export const canary = 'canary-access-1'

export const provenProfile: Profile = {
  userId,
  username: 'anna',
  isPremium: true,
  editWindowMs: hourMs,
  repliesProven: true,
}

export function credentialsWith(changes: object = {}): Secret {
  return new Secret(
    JSON.stringify({
      clientId: 'client-1',
      clientSecret: null,
      accessToken: canary,
      refreshToken: null,
      expiresAt: null,
      ...changes,
    }),
  )
}

export function fakeXSuite(profile: Profile): PlatformSuite {
  return {
    description: describeX(profile),
    faults: harnessFaults,
    lateMs: minuteMs,
    canRestrict: true,
    canLimit: false,
    asksCredentials: true,
    open: () => openHarness(profile),
  }
}

/** A fake X behind a proxy, and the connector that is led there. */
export interface FakeXWorld extends AsyncDisposable {
  readonly server: FakeX
  readonly proxy: FaultProxy
  readonly clock: VirtualClock
  readonly tools: ConnectorTools
  readonly addresses: Addresses
  readonly connector: Connector
  readonly platform: Platform
  readonly connection: Connection
}

export async function openFakeX(profile: Profile = provenProfile): Promise<FakeXWorld> {
  const clock = new VirtualClock()
  const server = await FakeX.start({ now: () => clock.now(), token: canary })
  const proxy = await FaultProxy.start({ target: server.url })
  const tools = toolsFor(proxy.url, clock)
  const addresses = { api: proxy.url, authorize: `${proxy.url}/authorize` }
  const connector = createXConnector(addresses)
  return {
    server,
    proxy,
    clock,
    tools,
    addresses,
    connector,
    platform: connector.create(tools),
    connection: {
      accountId: toAccountId('account-1'),
      handle: '@anna',
      credentials: credentialsWith(),
      profile,
      renew: null,
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function openHarness(profile: Profile): Promise<PlatformHarness> {
  const world = await openFakeX(profile)
  const { clock, proxy, platform, connection } = world
  const faults = new HarnessFaults(proxy, {
    get rateLimited() {
      const reset = String(Math.ceil((clock.now() + minuteMs) / secondMs))
      const headers = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset }
      return { status: 429, headers, body: '{"title":"Too Many Requests"}' }
    },
    spam: { status: 403, body: '{"detail":"This request looks like it might be automated."}' },
  })
  return {
    platform,
    connection,
    canary,
    now: () => clock.now(),
    pass: async (durationMs) => {
      await clock.advance(durationMs)
      await faults.end()
    },
    ...handsOn(world.server.posts),
    failNextWrite: (fault) => faults.failNextWrite(fault),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

type Hands = Omit<
  PlatformHarness,
  | 'platform'
  | 'connection'
  | 'canary'
  | 'now'
  | 'pass'
  | 'failNextWrite'
  | typeof Symbol.asyncDispose
>

function handsOn(posts: FakePosts): Hands {
  const current = (id: string): FakePost => {
    const post = posts.current(id)
    if (post === null) throw new Error(`There is no post ${id}`)
    return post
  }
  return {
    publish: async (text) => posts.add(text, null).id,
    editByHand: async (id, text) => void posts.edit(current(id), text),
    removeByHand: async (id) => void posts.remove(id),
    replyByHand: async (id, text) => posts.add(text, id).id,
    like: async (id, amount) => void (current(id).likes += amount),
    restrict: async (id) => void (current(id).isHidden = true),
    repliesTo: async (id) =>
      posts.repliesTo(id).map(({ id: remoteId, text }) => ({ remoteId, text, reach: 'everyone' })),
    look: async (id) => {
      const post = posts.current(id)
      return post === null ? null : { text: post.text, rest: { attachments: post.attachments } }
    },
  }
}
