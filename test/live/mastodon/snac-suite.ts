/** A real snac as the conformance suite and the proof of one effect need it. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs, secondMs } from '../../../src/core/duration.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { Secret } from '../../../src/core/secret.ts'
import type { ConnectorTools } from '../../../src/platform/connector.ts'
import { createGuardedSocket } from '../../../src/platform/fetch/guarded-socket.ts'
import { createGuardedFetch } from '../../../src/platform/guarded-fetch.ts'
import { mastodon } from '../../../src/platform/mastodon/index.ts'
import type { Connection, Platform } from '../../../src/platform/platform.ts'
import { systemClock, systemRandom } from '../../../src/system.ts'
import type { PlatformHarness, PlatformSuite } from '../../../src/testing/platform-conformance.ts'
import type { ExactlyOnceOptions, ExactlyOnceWorld } from '../exactly-once.ts'
import { liveFaults } from '../exactly-once.ts'
import { FaultProxy, isWrite } from '../fault-proxy.ts'
import type { KeyBehaviour } from '../fault-proxy.ts'
import { HarnessFaults, proxiedFaults } from '../fault-proxy/harness-faults.ts'
import type { Snac } from './snac.ts'
import type { SnacStatus, SnacUser } from './snac-user.ts'

export interface SnacSuiteOptions {
  readonly snac: Snac
  readonly keys: KeyBehaviour
  /** What a trial has found about keys; nothing where it is left out. */
  readonly keyKeptMs?: number
}

interface Account extends AsyncDisposable {
  readonly user: SnacUser
  readonly proxy: FaultProxy
  readonly platform: Platform
  readonly connection: Connection
  readonly secret: string
}

export function toolsFor(url: string): ConnectorTools {
  const allowHosts = [new URL(url).host]
  return {
    fetch: createGuardedFetch({ allowHosts, clock: systemClock }),
    socket: createGuardedSocket({ allowHosts, clock: systemClock }),
    clock: systemClock,
    random: systemRandom,
  }
}

async function openAccount({ snac, keys, keyKeptMs }: SnacSuiteOptions): Promise<Account> {
  const user = await snac.addUser()
  const proxy = await FaultProxy.start({ target: snac.url, keys })
  const platform = mastodon.create(toolsFor(proxy.url))
  const secret = JSON.stringify({
    server: proxy.url,
    clientId: null,
    clientSecret: null,
    accessToken: user.token,
    refreshToken: null,
    expiresAt: null,
  })
  const stranger: Connection = {
    accountId: toAccountId('account-1'),
    handle: user.name,
    credentials: new Secret(secret),
    profile: null,
    renew: null,
  }
  const { signal } = new AbortController()
  const { handle, profile } = await platform.probe({ connection: stranger, signal })
  const known = keyKeptMs === undefined ? profile : { ...(profile as object), keyKeptMs }
  const connection = { ...stranger, handle, profile: known }
  return {
    user,
    proxy,
    platform,
    connection,
    secret,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

export async function snacSuite(options: SnacSuiteOptions): Promise<PlatformSuite> {
  await using account = await openAccount(options)
  return {
    description: account.platform.describe(account.connection),
    faults: proxiedFaults,
    lateMs: minuteMs,
    canRestrict: false,
    canLimit: true,
    asksCredentials: true,
    open: () => openHarness(options),
  }
}

async function openHarness(options: SnacSuiteOptions): Promise<PlatformHarness> {
  const account = await openAccount(options)
  const { user, proxy, platform, connection } = account
  const faults = new HarnessFaults(proxy)
  return {
    platform,
    connection,
    canary: user.token,
    // It keeps whole seconds.
    now: () => Math.floor(systemClock.now() / secondMs) * secondMs,
    pass: async (durationMs) => {
      await faults.end()
      // Two posts of one second have no order.
      if (durationMs >= minuteMs) await sleep(1.05 * secondMs)
    },
    publish: async (text, reach) => {
      const visibility = reach === 'few' ? 'private' : 'public'
      return (await user.post({ text, visibility, hasImage: true })).id
    },
    editByHand: async (id, text) => void (await user.edit(id, text)),
    removeByHand: (id) => user.remove(id),
    replyByHand: async (parentId, text) => {
      const { visibility } = await required(user.look(parentId))
      return (await user.post({ text, visibility, parentId })).id
    },
    like: (id, amount) => options.snac.like(id, amount),
    restrict: () => Promise.reject(new Error('Nobody hides posts from their owner here')),
    repliesTo: async (id) =>
      (await user.repliesTo(id)).map(({ id: remoteId, text, visibility }) => ({
        remoteId,
        text,
        reach: visibility === 'public' ? 'everyone' : 'few',
      })),
    look: async (id) => {
      const status = await user.look(id)
      return status === null ? null : { text: status.text, rest: restOf(status) }
    },
    failNextWrite: (fault) => faults.failNextWrite(fault),
    [Symbol.asyncDispose]: () => account[Symbol.asyncDispose](),
  }
}

function restOf(status: SnacStatus): Json {
  const { visibility, sensitive, language, spoiler_text: warning } = status
  const media = status.media_attachments.map(({ id, url }) => ({ id, url }))
  return { visibility, sensitive, language, warning, media }
}

export async function snacExactlyOnce(options: SnacSuiteOptions): Promise<ExactlyOnceOptions> {
  await using account = await openAccount(options)
  return {
    description: account.platform.describe(account.connection),
    faults: liveFaults,
    open: () => openWorld(options),
  }
}

async function openWorld(options: SnacSuiteOptions): Promise<ExactlyOnceWorld> {
  const account = await openAccount(options)
  const { user, proxy, connection } = account
  return {
    account: {
      module: join(import.meta.dirname, '../../../src/platform/mastodon/index.ts'),
      exported: 'mastodon',
      allowHosts: [new URL(proxy.url).host],
      handle: connection.handle,
      credentials: account.secret,
      profile: connection.profile,
    },
    publish: async (text) => (await user.post({ text, visibility: 'public' })).id,
    countVisible: async (action, remoteId, text) =>
      action === 'edit'
        ? Number((await required(user.look(remoteId))).text === text)
        : (await allBelow(user, remoteId)).filter((status) => status.text === text).length,
    arm: (fault, nth) => {
      const armed = proxy.arm({ fault, nth })
      return Object.assign(armed, {
        isWrite: () => armed.request !== null && isWrite(armed.request),
      })
    },
    [Symbol.asyncDispose]: () => account[Symbol.asyncDispose](),
  }
}

async function allBelow(user: SnacUser, id: string): Promise<readonly SnacStatus[]> {
  const replies = await user.repliesTo(id)
  const deeper = await Promise.all(replies.map((reply) => allBelow(user, reply.id)))
  return [...replies, ...deeper.flat()]
}

async function required<Value>(value: Promise<Value | null>): Promise<Value> {
  const found = await value
  if (found === null) throw new Error('The post is gone')
  return found
}
