/**
 * Puts a simulated network together: a place where posts live and people react, a connector to it,
 * and the truth about it. Deterministic: the clock and the randomness are handed in.
 */

import type { Action } from '../../core/action.ts'
import type { Clock } from '../../core/clock.ts'
import type { Instant } from '../../core/instant.ts'
import type { Random } from '../../core/random.ts'
import type { Platform } from '../platform.ts'
import { Delivery } from './delivery.ts'
import type { Latency } from './delivery.ts'
import { editByHand, removePost } from './editing.ts'
import type { FaultPlan } from './fault-plan.ts'
import { standardForms } from './form.ts'
import type { FormSettings } from './form.ts'
import { InProcessWire } from './in-process-wire.ts'
import type { Profile } from './profile.ts'
import { profiles } from './profiles.ts'
import type { ProfileName } from './profiles.ts'
import { removeReply, replyByHand } from './replying.ts'
import { seededRandom } from './seeded-random.ts'
import { Server } from './server.ts'
import type { ArrivedWrite } from './server.ts'
import { SimulatedPlatform } from './simulated-platform.ts'
import { Store } from './store.ts'
import type { NewAccount, NewPost, TrueEffect } from './store.ts'
import { truthOf } from './truth.ts'
import type { Truth } from './truth.ts'

export interface SimulationOptions {
  /** A network on offer, or one of your own. */
  readonly profile: ProfileName | Profile
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  /** Drawn from a few times now and never again. */
  readonly random: Random
  readonly forms?: Partial<FormSettings>
  /** What actions truly do to a post. */
  readonly effects?: Partial<Record<Action, TrueEffect>>
  /** The share of writes that readers see only after a delay. */
  readonly lateShare?: number
  /** None where it is left out: then every answer comes at once. */
  readonly latency?: Latency
  readonly faults?: FaultPlan
  /** Told of each write before it is applied, to keep a journal of them. */
  readonly onWrite?: (write: ArrivedWrite) => void
}

const standardEffects: Readonly<Record<Action, TrueEffect>> = {
  comment: { mean: 1.5, spread: 0.2 },
  edit: { mean: 1, spread: 0.1 },
  thread: { mean: 1.2, spread: 0.2 },
}

/** What people do on the network without any connector: its owners, its readers, its staff. */
export interface World {
  addAccount(account: NewAccount): void
  /** Publishes a post, now or at another time, and gives its id. */
  publish(handle: string, post: NewPost): string
  /** The owner edits the post by hand. */
  editByHand(remoteId: string, text: string): void
  /** The owner replies by hand; gives the id of the reply. */
  replyByHand(remoteId: string, text: string): string
  /** The owner deletes a post or a reply. */
  remove(remoteId: string): void
  /** Readers react, beside those who would have anyway. */
  react(remoteId: string, counter: string, amount: number): void
  /** The network hides a post, or shows it again. */
  restrict(remoteId: string, on: boolean): void
  /** From now on the account needs other credentials. */
  setCredentials(handle: string, credentials: string | null): void
}

export interface Simulation {
  readonly profile: Profile
  readonly world: World
  readonly truth: Truth
  /** The connector, in the same process. */
  readonly platform: Platform
  /** The way to the network, to be served to other processes. */
  readonly delivery: Delivery
  /** Applies writes of an earlier life, in the order in which they arrived. */
  replay(writes: Iterable<ArrivedWrite>): void
}

export function simulateNetwork(options: SimulationOptions): Simulation {
  const { clock, random } = options
  const profile = typeof options.profile === 'string' ? profiles[options.profile] : options.profile
  const settings = {
    forms: { ...standardForms, ...options.forms },
    effects: { ...standardEffects, ...options.effects },
    lateShare: options.lateShare ?? 0.2,
  }
  const store = new Store(profile, settings, random)
  const server = new Server(store, options.onWrite)
  const delivery = new Delivery(server, {
    clock,
    latency: options.latency ?? null,
    faults: options.faults ?? null,
    stream: seededRandom(`latency:${random.fraction()}`),
  })
  const now = () => clock.now()
  return {
    profile,
    world: worldOf(store, delivery, now),
    truth: truthOf(store, delivery, now),
    platform: new SimulatedPlatform(profile, new InProcessWire(delivery)),
    delivery,
    replay: (writes) => {
      for (const { call, caller, at } of writes) server.apply(call, caller, at)
    },
  }
}

/** What is on its way and due arrives before anything is done by hand. */
function worldOf(store: Store, delivery: Delivery, now: () => Instant): World {
  const settled = () => {
    const at = now()
    delivery.settle(at)
    return at
  }
  return {
    addAccount: (account) => void store.addAccount(account),
    publish: (handle, post) => store.publish(handle, post, settled()).id,
    editByHand: (remoteId, text) => {
      const at = settled()
      editByHand(store, store.requirePost(remoteId, at), text, at)
    },
    replyByHand: (remoteId, text) => {
      const at = settled()
      return replyByHand(store, store.requirePost(remoteId, at), text, at)
    },
    remove: (remoteId) => {
      const at = settled()
      const reply = store.findReply(remoteId)
      if (reply === undefined) removePost(store, store.requirePost(remoteId, at), at)
      else removeReply(store, reply, at)
    },
    react: (remoteId, counter, amount) => {
      const at = settled()
      const { growth } = store.requirePost(remoteId, at)
      growth.add({ at, counter, amount, byAction: false })
    },
    restrict: (remoteId, on) => {
      store.requirePost(remoteId, settled()).isRestricted = on
    },
    setCredentials: (handle, credentials) => {
      store.requireAccount(handle).credentials = credentials
    },
  }
}
