/** Puts the made-up networks together: the same ones from the same seed, whenever it is done. */

import { dayMs } from '../core/duration.ts'
import type { Instant } from '../core/instant.ts'
import { noFault, seededRandom, simulateNetwork } from '../platform/simulated/index.ts'
import type { FaultPlan, ProfileName, Simulation } from '../platform/simulated/index.ts'
import { cast } from './cast.ts'
import type { DemoClock } from './demo-clock.ts'
import type { Journal } from './journal.ts'
import { planPosts } from './schedule.ts'

/** The same for all: nothing here is worth a secret. */
export const demoToken = 'demo'

/** What actions truly do. Comments help, and the rest does next to nothing. */
const effects = {
  comment: { mean: 2.6, spread: 0.2 },
  edit: { mean: 1.05, spread: 0.1 },
  thread: { mean: 1.05, spread: 0.1 },
}
const forms = { totalSpread: 0.5, viralShare: 0.01, disputedShare: 0.06, purgedShare: 0.01 }

/** The first action of this one after that time fails, so that there is a failure to look at. */
const unluckyHandle = 'ada-builds'
const unluckyMs = 12 * dayMs

export interface NetworksOptions {
  readonly seed: string
  /** Where the past ends. */
  readonly now: Instant
  readonly clock: DemoClock
  readonly journal: Journal
}

export function makeNetworks(options: NetworksOptions): readonly Simulation[] {
  const { seed, now, clock, journal } = options
  const names = [...new Set(cast.map(({ network }) => network))]
  const posts = planPosts(seed, now)
  return names.map((name) => {
    const stream = seededRandom(`${seed}:${name}`)
    const network = simulateNetwork({
      profile: name,
      clock,
      random: { fraction: () => stream.fraction(), id: () => `${stream.fraction()}` },
      effects,
      forms,
      lateShare: 0.05,
      faults: unlucky(now),
      onWrite: (write) => journal.append(name, write),
    })
    settle(network, name)
    for (const { persona, post } of posts) {
      if (persona.network === name) network.world.publish(persona.handle, post)
    }
    network.replay(journal.of(name))
    return network
  })
}

function settle({ world }: Simulation, name: ProfileName): void {
  for (const { handle, network, usualTotal } of cast) {
    if (network === name) world.addAccount({ handle, usualTotal, credentials: demoToken })
  }
}

function unlucky(now: Instant): FaultPlan {
  let doomed: string | null = null
  return ({ key, handle, at }) => {
    if (key === null || handle !== unluckyHandle || at < now - unluckyMs || at >= now) {
      return noFault
    }
    doomed ??= key
    return key === doomed ? { kind: 'unreachable' } : noFault
  }
}
