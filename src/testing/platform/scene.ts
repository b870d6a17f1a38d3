/** Owns a small stage for tests of the simulated network: one account and a still clock. */

import type { Action } from '../../core/action.ts'
import type { Fault } from '../../core/fault.ts'
import { toAccountId } from '../../core/ids.ts'
import { actionKey } from '../../core/key.ts'
import { Secret } from '../../core/secret.ts'
import type {
  CallOptions,
  CommitRequest,
  Landed,
  Location,
  Observation,
  Platform,
  WriteRequest,
} from '../../platform/platform.ts'
import type { ProfileName } from '../../platform/simulated/profiles.ts'
import { seededRandom } from '../../platform/simulated/seeded-random.ts'
import { simulateNetwork } from '../../platform/simulated/simulated-network.ts'
import type {
  Simulation,
  SimulationOptions,
  World,
} from '../../platform/simulated/simulated-network.ts'
import type { NewPost } from '../../platform/simulated/store.ts'
import type { Truth } from '../../platform/simulated/truth.ts'
import { VirtualClock } from './virtual-clock.ts'

type SceneOptions = Partial<Omit<SimulationOptions, 'clock' | 'profile'>>

export class Scene {
  readonly clock = new VirtualClock()
  readonly simulation: Simulation
  #keys = 0

  /** Writes are visible at once, unless the options say otherwise. */
  constructor(profile: ProfileName, options: SceneOptions = {}) {
    const { clock } = this
    const chance = { random: seededRandom('scene'), lateShare: 0, forms: { purgedShare: 0 } }
    this.simulation = simulateNetwork({ profile, clock, ...chance, ...options })
    this.world.addAccount({ handle: 'anna', credentials: 'a' })
  }

  get world(): World {
    return this.simulation.world
  }

  get truth(): Truth {
    return this.simulation.truth
  }

  get platform(): Platform {
    return this.simulation.platform
  }

  get options(): CallOptions {
    return this.optionsOf('anna')
  }

  optionsOf(handle: string, signal: AbortSignal = new AbortController().signal): CallOptions {
    const credentials = new Secret(handle.charAt(0))
    const accountId = toAccountId(handle)
    const connection = { accountId, handle, credentials, profile: null, renew: null }
    return { connection, signal }
  }

  publish(text = 'A post', draft: Partial<NewPost> = {}): string {
    return this.world.publish('anna', { text, ...draft })
  }

  async observe(remoteId: string, handle = 'anna'): Promise<Observation> {
    const options = { ...this.optionsOf(handle), remoteIds: [remoteId] }
    const [observation] = await this.platform.observe(options)
    if (observation === undefined) throw new Error(`${remoteId} was not read`)
    return observation
  }

  async request(
    action: Action,
    remoteId: string,
    texts: readonly string[] = ['What do you think?'],
  ): Promise<WriteRequest> {
    const seen = await this.observe(remoteId)
    const { text, contentVersion } = seen.kind === 'live' ? seen : noContent
    this.#keys += 1
    return {
      key: actionKey(remoteId, action, 'tier_1', this.#keys),
      action,
      target: { remoteId, text, contentVersion },
      texts,
      segment: 0,
      previous: [],
      preparedAt: this.clock.now(),
    }
  }

  async ready(action: Action, remoteId: string, texts?: readonly string[]): Promise<CommitRequest> {
    const request = await this.request(action, remoteId, texts)
    const preparation = await this.platform.prepare({ ...this.options, request })
    if (preparation.kind !== 'ready') throw new Error(`It is ${preparation.kind}`)
    return { ...this.options, key: request.key, token: preparation.token }
  }

  commit(write: CommitRequest): Promise<Landed> {
    return this.platform.commit(write)
  }

  locate(write: CommitRequest): Promise<Location> {
    return this.platform.locate(write)
  }

  /** What a call that fails is taken for. */
  async faultOf(work: Promise<unknown>, call: 'read' | 'write' = 'write'): Promise<Fault> {
    try {
      await work
    } catch (error) {
      return this.platform.classify(error, call, this.clock.now())
    }
    throw new Error('It was to fail and did not')
  }
}

const noContent = { text: null, contentVersion: null }
