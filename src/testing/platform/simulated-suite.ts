/**
 * The simulated network as the conformance suite needs it, in one process or over HTTP. It is also
 * an example of a harness: its eyes and hands go through the network's truth, and never through the
 * connector.
 */

import { minuteMs, secondMs } from '../../core/duration.ts'
import { toAccountId } from '../../core/ids.ts'
import { Secret } from '../../core/secret.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FaultDecision, FaultPlan } from '../../platform/simulated/fault-plan.ts'
import { noFault } from '../../platform/simulated/fault-plan.ts'
import { connectOverHttp } from '../../platform/simulated/http-client.ts'
import { serveNetwork } from '../../platform/simulated/http-server.ts'
import type { ServedNetwork } from '../../platform/simulated/http-server.ts'
import { profiles } from '../../platform/simulated/profiles.ts'
import type { ProfileName } from '../../platform/simulated/profiles.ts'
import { seededRandom } from '../../platform/simulated/seeded-random.ts'
import { simulateNetwork } from '../../platform/simulated/simulated-network.ts'
import type { Simulation } from '../../platform/simulated/simulated-network.ts'
import { harnessFaults } from './harness.ts'
import type { HarnessFault, PlatformHarness, PlatformSuite } from './harness.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface SimulatedSuiteOptions {
  readonly profile: ProfileName
  readonly over: 'process' | 'http'
  readonly seed: string | number
  /** Puts something between the suite and the connector; for trying out the suite itself. */
  readonly wrap?: (platform: Platform) => Platform
}

const lateMs = 10 * minuteMs
const handle = 'anna'
const canary = 'canary-5e0c-of-the-right-credentials'

const decisions: Readonly<Record<HarnessFault, FaultDecision>> = {
  unreachable: { kind: 'unreachable' },
  lost_request: { kind: 'lost_request' },
  lost_answer: { kind: 'lost_answer' },
  late_apply: { kind: 'late_apply', delayMs: lateMs / 2 },
  stalled: { kind: 'stalled', applied: true },
  server_error_before: { kind: 'server_error', status: 503, applied: false },
  server_error_after: { kind: 'server_error', status: 502, applied: true },
  malformed: { kind: 'malformed' },
  rate_limited: { kind: 'rate_limited', retryAfterMs: 90 * secondMs },
  spam: { kind: 'spam' },
}

export function simulatedSuite(options: SimulatedSuiteOptions): PlatformSuite {
  return {
    description: profiles[options.profile].description,
    faults: harnessFaults,
    lateMs,
    canRestrict: true,
    canLimit: true,
    asksCredentials: true,
    open: () => openHarness(options),
  }
}

/** One fault at a time, for the next write. */
class FaultSwitch {
  #armed: { readonly decision: FaultDecision; readonly met: () => void } | null = null

  readonly plan: FaultPlan = (call) => {
    const armed = this.#armed
    if (armed === null || !call.isWrite) return noFault
    this.#armed = null
    armed.met()
    return armed.decision
  }

  arm(decision: FaultDecision): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#armed = { decision, met: resolve }
    return promise
  }
}

async function openHarness(options: SimulatedSuiteOptions): Promise<PlatformHarness> {
  const clock = new VirtualClock()
  const faults = new FaultSwitch()
  const simulation = simulateNetwork({
    profile: options.profile,
    clock,
    random: seededRandom(options.seed),
    forms: { purgedShare: 0 },
    // Every write is late, so that whoever reads too early is found out.
    lateShare: 1,
    faults: faults.plan,
  })
  simulation.world.addAccount({ handle, credentials: canary })
  const server = options.over === 'http' ? await FragileServer.start(simulation) : null
  const { profile } = simulation
  const platform =
    server === null ? simulation.platform : connectOverHttp({ profile, url: server.url })
  return {
    platform: options.wrap?.(platform) ?? platform,
    connection: {
      accountId: toAccountId('account-1'),
      handle,
      credentials: new Secret(canary),
      profile: null,
      renew: null,
    },
    canary,
    now: () => clock.now(),
    pass: async (durationMs) => {
      await clock.advance(durationMs)
      await server?.comeBack()
    },
    ...handsOn(simulation),
    failNextWrite: (fault) => {
      const isDown = fault === 'unreachable' && server !== null
      return { met: isDown ? server.goAway() : faults.arm(decisions[fault]) }
    },
    [Symbol.asyncDispose]: async () => server?.goAway(),
  }
}

/** A server that cannot be reached is one that does not listen, until it does so again. */
class FragileServer {
  readonly url: string
  readonly #simulation: Simulation
  #served: ServedNetwork | null

  private constructor(simulation: Simulation, served: ServedNetwork) {
    this.url = served.url
    this.#simulation = simulation
    this.#served = served
  }

  static async start(simulation: Simulation): Promise<FragileServer> {
    return new FragileServer(simulation, await serveNetwork(simulation.delivery))
  }

  async goAway(): Promise<void> {
    const served = this.#served
    this.#served = null
    await served?.close()
  }

  async comeBack(): Promise<void> {
    const port = Number(new URL(this.url).port)
    this.#served ??= await serveNetwork(this.#simulation.delivery, port)
  }
}

type Hands = Pick<
  PlatformHarness,
  | 'publish'
  | 'editByHand'
  | 'removeByHand'
  | 'replyByHand'
  | 'like'
  | 'restrict'
  | 'repliesTo'
  | 'look'
>

function handsOn({ world, truth }: Simulation): Hands {
  return {
    publish: async (text, reach) =>
      world.publish(handle, {
        text,
        audience: reach === 'few' ? 'followers' : 'public',
        extras: { media: ['image-1', 'image-2'], warning: 'Long', language: 'en' },
      }),
    editByHand: async (remoteId, text) => world.editByHand(remoteId, text),
    removeByHand: async (remoteId) => world.remove(remoteId),
    replyByHand: async (remoteId, text) => world.replyByHand(remoteId, text),
    like: async (remoteId, amount) => world.react(remoteId, 'likes', amount),
    restrict: async (remoteId) => world.restrict(remoteId, true),
    repliesTo: async (remoteId) =>
      truth.repliesTo(remoteId).map(({ remoteId: id, text, audience }) => ({
        remoteId: id,
        text,
        reach: audience === 'followers' ? 'few' : 'everyone',
      })),
    look: async (remoteId) => {
      const post = truth.post(remoteId)
      if (post === null || post.deletedAt !== null) return null
      const { media, warning, language } = post.extras
      return { text: post.text, rest: { media, warning, language, audience: post.audience } }
    },
  }
}
