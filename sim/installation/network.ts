/** One network of the simulated installation, with its faults and the truth about it. */

import type { VirtualTime } from '../clock/virtual-time.ts'
import { NetworkFaults } from '../faults/network-faults.ts'
import { seededRandom, simulateNetwork } from '../../src/platform/simulated/index.ts'
import type { FormSettings, Profile, Simulation } from '../../src/platform/simulated/index.ts'

export interface Network extends Simulation {
  readonly name: string
  readonly faults: NetworkFaults
}

/** Many posts stall, some are found late, some are quarrelled about. */
const forms: Partial<FormSettings> = {
  kinds: { usual: 0.1, stalled: 0.75, late: 0.15 },
  disputedShare: 0.06,
}

export function createNetwork(profile: Profile, seed: string, time: VirtualTime): Network {
  const name = profile.description.platform
  const faults = new NetworkFaults(seededRandom(`${seed}:${name}:faults`))
  const simulation = simulateNetwork({
    profile,
    clock: { now: () => time.now, sleep: (durationMs, signal) => time.sleep(durationMs, signal) },
    random: seededRandom(`${seed}:${name}`),
    forms,
    faults: faults.plan,
  })
  return { ...simulation, name, faults }
}
