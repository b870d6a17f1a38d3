/** The fake server as the conformance suite needs it, with a proxy in between that makes faults. */

import { minuteMs } from '../../../src/core/duration.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import { Secret } from '../../../src/core/secret.ts'
import { mastodon } from '../../../src/platform/mastodon/index.ts'
import { describeServer } from '../../../src/platform/mastodon/description.ts'
import type { Profile } from '../../../src/platform/mastodon/profile.ts'
import type { ConnectorTools } from '../../../src/platform/connector.ts'
import type { Connection, Platform } from '../../../src/platform/platform.ts'
import { VirtualClock } from '../../../src/testing/platform-conformance.ts'
import type { PlatformHarness, PlatformSuite } from '../../../src/testing/platform-conformance.ts'
import { FaultProxy } from '../../live/fault-proxy.ts'
import type { KeyBehaviour } from '../../live/fault-proxy.ts'
import { HarnessFaults, proxiedFaults } from '../../live/fault-proxy/harness-faults.ts'
import { toolsFor } from '../tools.ts'
import { accountId, FakeServer, manners } from './fake-server.ts'
import type { Manner } from './fake-server.ts'
import type { FakeStatuses } from './fake-statuses.ts'

export const canary = 'canary-5e0c-of-the-right-token'

export interface FakeSuiteOptions {
  readonly manner: Manner
  readonly profile: Profile
  readonly keys: KeyBehaviour
}

export function profileOf(manner: Manner, changes: Partial<Profile> = {}): Profile {
  return {
    software: manner.name,
    version: manner.version,
    accountId,
    maximumCharacters: 500,
    charactersPerUrl: 23,
    canEdit: true,
    canReadMany: manner.canReadMany,
    canDelete: true,
    keyKeptMs: null,
    ...changes,
  }
}

export function credentialsFor(server: string, changes: object = {}): Secret {
  return new Secret(
    JSON.stringify({
      server,
      clientId: null,
      clientSecret: null,
      accessToken: canary,
      refreshToken: null,
      expiresAt: null,
      ...changes,
    }),
  )
}

export function fakeSuite(options: FakeSuiteOptions): PlatformSuite {
  return {
    description: describeServer(options.profile),
    faults: proxiedFaults,
    lateMs: minuteMs,
    canRestrict: false,
    canLimit: true,
    asksCredentials: true,
    open: () => openHarness(options),
  }
}

/** A fake server behind a proxy, and the connector that is led there. */
export interface FakeWorld extends AsyncDisposable {
  readonly server: FakeServer
  readonly proxy: FaultProxy
  readonly clock: VirtualClock
  readonly tools: ConnectorTools
  readonly platform: Platform
  readonly connection: Connection
}

export async function openFake(options: Partial<FakeSuiteOptions> = {}): Promise<FakeWorld> {
  const { manner = manners.mastodon, keys = 'replay' } = options
  const clock = new VirtualClock()
  const now = () => clock.now()
  const server = await FakeServer.start({ manner, now, token: canary })
  const proxy = await FaultProxy.start({ target: server.url, keys, now })
  const tools = toolsFor(proxy.url, clock)
  return {
    server,
    proxy,
    clock,
    tools,
    platform: mastodon.create(tools),
    connection: {
      accountId: toAccountId('account-1'),
      handle: '@anna@social.example',
      credentials: credentialsFor(proxy.url),
      profile: options.profile ?? profileOf(manner),
      renew: null,
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function openHarness(options: FakeSuiteOptions): Promise<PlatformHarness> {
  const world = await openFake(options)
  const { clock, proxy, platform, connection } = world
  const faults = new HarnessFaults(proxy, {
    get rateLimited() {
      const reset = new Date(clock.now() + minuteMs).toISOString()
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }
      return { status: 429, headers, body: '{"error":"Too many requests"}' }
    },
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
    ...handsOn(world.server.statuses),
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

function handsOn(statuses: FakeStatuses): Hands {
  const require = (id: string) => {
    const status = statuses.find(id)
    if (status === null) throw new Error(`There is no post ${id}`)
    return status
  }
  return {
    publish: async (text, reach) =>
      statuses.add({
        status: text,
        visibility: reach === 'few' ? 'private' : 'public',
        // No warning: it would count as part of every text.
        sensitive: true,
        language: 'de',
        media_ids: ['media-1', 'media-2'],
      }).id,
    editByHand: async (id, text) => {
      const { sensitive, mediaIds } = require(id)
      statuses.edit(require(id), { status: text, sensitive, media_ids: mediaIds })
    },
    removeByHand: async (id) => statuses.remove(id),
    replyByHand: async (id, text) => {
      const { visibility } = require(id)
      return statuses.add({ status: text, in_reply_to_id: id, visibility }).id
    },
    like: async (id, amount) => void (require(id).likes += amount),
    restrict: () => Promise.reject(new Error('Nobody hides posts from their owner here')),
    repliesTo: async (id) =>
      statuses.repliesTo(id).map(({ id: remoteId, text, visibility }) => ({
        remoteId,
        text,
        reach: visibility === 'public' ? 'everyone' : 'few',
      })),
    look: async (id) => {
      const status = statuses.find(id)
      if (status === null) return null
      const { text, spoilerText, sensitive, language, mediaIds, poll, visibility } = status
      const rest = { spoilerText, sensitive, language, mediaIds, visibility }
      return { text, rest: { ...rest, poll: poll === null ? null : { ...poll } } }
    },
  }
}
