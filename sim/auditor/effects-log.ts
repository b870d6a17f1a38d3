/** Gathers from the networks' truth what the engine made visible, and every write it sent. */

import type { Network } from '../installation/network.ts'
import type { ActionKey } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { SeenEffect, SeenWrite } from './scene.ts'

export class EffectsLog {
  readonly #networks: readonly Network[]
  readonly #ledgerTimeAt: (at: Instant) => Instant
  readonly #seenEffects = new Map<Network, number>()
  readonly #seenWrites = new Map<Network, number>()
  readonly #byKey = new Map<ActionKey, SeenEffect[]>()
  readonly #byPost = new Map<string, SeenEffect[]>()
  readonly #ours = new Set<string>()

  constructor(networks: readonly Network[], ledgerTimeAt: (at: Instant) => Instant) {
    this.#networks = networks
    this.#ledgerTimeAt = ledgerTimeAt
  }

  /** What has become visible since it was last asked. */
  takeEffects(): readonly SeenEffect[] {
    const fresh: SeenEffect[] = []
    for (const network of this.#networks) {
      const all = network.truth.effects()
      const from = this.#seenEffects.get(network) ?? 0
      if (from === all.length) continue
      this.#seenEffects.set(network, all.length)
      for (const effect of all.slice(from)) {
        const { key } = effect
        if (key === null) continue
        const at = this.#ledgerTimeAt(effect.at)
        // The effect itself is kept, because it changes when it is taken away.
        fresh.push(this.#remember({ network, effect: effect as SeenEffect['effect'], at }))
      }
    }
    return fresh
  }

  /** What has been sent since it was last asked. */
  takeWrites(): readonly SeenWrite[] {
    const fresh: SeenWrite[] = []
    for (const network of this.#networks) {
      const all = network.faults.writes
      const from = this.#seenWrites.get(network) ?? 0
      this.#seenWrites.set(network, all.length)
      for (let index = from; index < all.length; index += 1) {
        const write = all[index]
        if (write !== undefined && write.key !== null) {
          fresh.push({ network, write: write as SeenWrite['write'] })
        }
      }
    }
    return fresh
  }

  #remember(seen: SeenEffect): SeenEffect {
    const { network, effect } = seen
    add(this.#byKey, effect.key, seen)
    add(this.#byPost, `${network.name} ${effect.postId}`, seen)
    if (effect.action !== 'edit') this.#ours.add(`${network.name} ${effect.remoteId}`)
    return seen
  }

  byKey(key: ActionKey): readonly SeenEffect[] {
    return this.#byKey.get(key) ?? []
  }

  onPost(network: Network, postId: string): readonly SeenEffect[] {
    return this.#byPost.get(`${network.name} ${postId}`) ?? []
  }

  isOurs(network: Network, remoteId: string): boolean {
    return this.#ours.has(`${network.name} ${remoteId}`)
  }
}

function add<Key, Entry>(map: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [entry])
  else list.push(entry)
}
