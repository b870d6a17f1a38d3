/**
 * The conformance suite's world for this connector: its requests go through a proxy that can make
 * them fail, to a server that is fake here and real in the live tests.
 */

import { hourMs, minuteMs } from '../../../src/core/duration.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import { Secret } from '../../../src/core/secret.ts'
import { describeAccount } from '../../../src/platform/bluesky/description.ts'
import { bluesky } from '../../../src/platform/bluesky/index.ts'
import type { ConnectorTools } from '../../../src/platform/connector.ts'
import { createGuardedFetch } from '../../../src/platform/guarded-fetch.ts'
import { systemRandom } from '../../../src/system.ts'
import { harnessFaults, VirtualClock } from '../../../src/testing/index.ts'
import type { HarnessFault, PlatformHarness, PlatformSuite } from '../../../src/testing/index.ts'
import { FaultProxy, isWrite } from '../../live/fault-proxy.ts'
import type { ProxyFault } from '../../live/fault-proxy.ts'
import type { FakeIndex } from './fake-index.ts'
import { anna, FakePds } from './fake-pds.ts'
import { Owner } from './owner.ts'
import type { CallServer } from './owner.ts'

/** What stands behind the connector. */
export interface Backing extends AsyncDisposable {
  readonly url: string
  readonly did: string
  readonly handle: string
  readonly session: { readonly accessJwt: string; readonly refreshJwt: string }
  readonly index: FakeIndex
  readonly call: CallServer
  readonly clock: MovableClock
}

export interface MovableClock extends Clock {
  advance(durationMs: number): Promise<void>
}

/** There is no word for spam on this network, so it cannot be said. */
const faults = harnessFaults.filter((fault) => fault !== 'spam')

const proxyFaults: Readonly<Record<Exclude<HarnessFault, 'unreachable' | 'spam'>, ProxyFault>> = {
  lost_request: 'refuse',
  lost_answer: 'commit_then_drop',
  late_apply: 'apply_late',
  stalled: 'commit_then_stall',
  server_error_before: 'error_before',
  server_error_after: 'commit_then_5xx',
  malformed: 'commit_then_malformed',
  rate_limited: 'rate_limited',
}

export function suiteOn(open: () => Promise<Backing>, edits: boolean): PlatformSuite {
  return {
    description: describeAccount(edits ? { did: '', pds: '', edits } : null),
    faults,
    lateMs: 10 * minuteMs,
    canRestrict: true,
    canLimit: false,
    asksCredentials: true,
    open: async () => openHarness(await open(), edits),
  }
}

export const fakeSuite = (edits: boolean): PlatformSuite => suiteOn(openFake, edits)

export function toolsFor(clock: Clock, hosts: readonly string[]): ConnectorTools {
  const fetch = createGuardedFetch({ allowHosts: hosts, clock })
  return { fetch, clock, random: systemRandom, socket: noSocket }
}

/** This network is spoken to over HTTP alone. */
const noSocket = () => {
  throw new Error('The connector opened a socket')
}

async function openHarness(backing: Backing, edits: boolean): Promise<PlatformHarness> {
  const { clock, did, handle, session, index } = backing
  const proxy = await FaultProxy.start({ target: backing.url })
  const platform = bluesky.create(toolsFor(clock, [new URL(proxy.url).host]))
  const owner = new Owner(did, backing.call, () => clock.now())
  const profile = { did, pds: proxy.url, edits }
  const late: (() => Promise<void>)[] = []
  return {
    platform,
    connection: {
      accountId: toAccountId('account-1'),
      handle,
      credentials: new Secret(JSON.stringify({ kind: 'app_password', ...profile, ...session })),
      profile,
      renew: null,
    },
    canary: session.accessJwt,
    now: () => clock.now(),
    pass: async (durationMs) => {
      await proxy.comeBack()
      await clock.advance(durationMs)
      for (const release of late.splice(0)) await release()
    },
    publish: (text) => owner.publish(text),
    editByHand: (remoteId, text) => owner.editByHand(remoteId, text),
    removeByHand: (remoteId) => owner.removeByHand(remoteId),
    replyByHand: (remoteId, text) => owner.replyByHand(remoteId, text),
    like: async (remoteId, amount) => index.like(remoteId, amount),
    restrict: async (remoteId) => {
      index.hide(remoteId)
      // Until then it might as well not have been indexed yet.
      await clock.advance(7 * hourMs)
    },
    repliesTo: (remoteId) => owner.repliesTo(remoteId),
    look: (remoteId) => owner.look(remoteId),
    failNextWrite: (fault) => {
      if (fault === 'unreachable') return { met: proxy.goAway() }
      if (fault === 'spam') throw new Error('There is no such fault here')
      const armed = proxy.arm({ fault: proxyFaults[fault], matches: isWrite })
      if (fault === 'late_apply') late.push(() => armed.release())
      return { met: armed.met }
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await backing[Symbol.asyncDispose]()
    },
  }
}

async function openFake(): Promise<Backing> {
  const pds = await FakePds.start()
  const session = pds.openSession('canary-91c4-of-a-session')
  return {
    url: pds.url,
    ...anna,
    session,
    index: pds.index,
    call: directCall(pds),
    clock: new VirtualClock(),
    [Symbol.asyncDispose]: () => pds[Symbol.asyncDispose](),
  }
}

/** The owner's other program works on the records without a way through HTTP. */
export function directCall({ repo }: FakePds): CallServer {
  return async (_kind, method, content) => {
    const { collection, rkey, record, cursor = null, limit } = content as Record<string, string>
    const place = collection ?? ''
    if (method.endsWith('listRecords')) {
      const records = repo.list(place, cursor, Number(limit))
      const last = records.at(-1)?.uri.split('/').at(-1)
      return { records, cursor: last }
    }
    if (method.endsWith('putRecord')) repo.put(place, rkey ?? '', record as never)
    else repo.apply([{ kind: 'delete', collection: place, rkey: rkey ?? '', value: null }])
    return null
  }
}
