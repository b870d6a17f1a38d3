/**
 * Owns what is really there: simulated networks in the test's own process, served over HTTP to the
 * workers. Every write is noted as it arrives, whatever becomes of its answer.
 */

import { noFault, seededRandom, serveNetwork } from '../../src/platform/simulated/index.ts'
import { simulateNetwork } from '../../src/platform/simulated/index.ts'
import type { CallFacts, FaultDecision, Stream } from '../../src/platform/simulated/index.ts'
import { systemClock } from '../../src/system.ts'
import { NetworkFaults } from '../../sim/faults/network-faults.ts'
import type { Network } from '../../sim/installation/network.ts'
import { chaosProfiles } from './world.ts'

export interface Truth extends AsyncDisposable {
  readonly networks: ReadonlyMap<string, Network>
  /** Where each network is served. */
  readonly urls: Readonly<Record<string, string>>
  /** From now on nothing goes wrong on the way to a network. */
  calm(): void
}

interface Odds {
  readonly perMille: number
  readonly draw: (stream: Stream) => FaultDecision
}

/** Longer than a send may take, and longer than its claim lasts. */
const longMs = 3000

const onWrites: readonly Odds[] = [
  { perMille: 50, draw: () => ({ kind: 'lost_answer' }) },
  { perMille: 30, draw: () => ({ kind: 'lost_request' }) },
  { perMille: 40, draw: () => ({ kind: 'server_error', status: 502, applied: true }) },
  { perMille: 20, draw: () => ({ kind: 'server_error', status: 503, applied: false }) },
  { perMille: 20, draw: () => ({ kind: 'malformed' }) },
  { perMille: 30, draw: (s) => ({ kind: 'late_apply', delayMs: s.between(0, longMs) }) },
  { perMille: 40, draw: (s) => ({ kind: 'slow', delayMs: s.between(0, longMs) }) },
  { perMille: 100, draw: (s) => ({ kind: 'slow', delayMs: s.between(0, 200) }) },
  { perMille: 20, draw: () => ({ kind: 'rate_limited', retryAfterMs: 1000 }) },
]

const onReads: readonly Odds[] = [
  { perMille: 15, draw: () => ({ kind: 'server_error', status: 503, applied: false }) },
  { perMille: 15, draw: () => ({ kind: 'lost_answer' }) },
  { perMille: 10, draw: (s) => ({ kind: 'slow', delayMs: s.between(0, longMs) }) },
]

/** Where `everyWrite` is given, that is what each of them meets until it is calm. */
export async function serveTruth(seed: string, everyWrite: FaultDecision | null): Promise<Truth> {
  const networks = new Map<string, Network>()
  const urls: Record<string, string> = {}
  const closing = new AsyncDisposableStack()
  let isCalm = false
  for (const profile of chaosProfiles) {
    const name = profile.description.platform
    const stream = seededRandom(`${seed}:${name}`)
    const faults = new NetworkFaults(stream)
    // Its own odds are made for months of virtual time; it keeps the notes, and these odds decide.
    faults.calm = true
    const plan = (call: CallFacts): FaultDecision => {
      if (isCalm) return faults.plan(call)
      if (!call.isWrite) return draw(onReads, stream)
      faults.nextWrites.push(everyWrite ?? draw(onWrites, stream))
      return faults.plan(call)
    }
    const random = seededRandom(`${seed}:${name}:posts`)
    const settings = { profile, clock: systemClock, random, lateShare: 0, faults: plan }
    const network: Network = { ...simulateNetwork(settings), name, faults }
    const served = closing.use(await serveNetwork(network.delivery))
    networks.set(name, network)
    urls[name] = served.url
  }
  return {
    networks,
    urls,
    calm: () => {
      isCalm = true
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

function draw(table: readonly Odds[], stream: Stream): FaultDecision {
  let place = stream.fraction() * 1000
  for (const { perMille, draw: drawOne } of table) {
    place -= perMille
    if (place < 0) return drawOne(stream)
  }
  return noFault
}
