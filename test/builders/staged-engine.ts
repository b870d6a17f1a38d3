/** Owns an engine in a process of its own, which tests can make die at any of its calls. */

import { createEngine } from '../../src/engine/index.ts'
import type { Engine, EngineOptions } from '../../src/engine/index.ts'

/** A call that an engine makes, before which or after which its process dies. */
export type DeathPoint = readonly ['before' | 'after', call: string, time?: number]

interface Watcher {
  /** Told of every call to ledger and network. */
  note(call: string): void
  /** An error that a call to the ledger meets instead of being made, or null. */
  ledgerFault(call: string): Error | null
  /** What the answer to a call to the ledger waits for, or null. */
  ledgerDelay(call: string): Promise<void> | null
}

interface Obstacles {
  readonly fault: (call: string) => Error | null
  readonly delay: (call: string) => Promise<void> | null
}

const noObstacles: Obstacles = { fault: () => null, delay: () => null }

const never = new Promise<never>(() => {})

/** An engine in a process of its own, which may die at any of its calls. */
export class StagedEngine {
  isAlive = true
  /** Where this process dies, if it does. */
  death: DeathPoint | null = null
  readonly #watcher: Watcher
  readonly #engine: Engine

  constructor(options: EngineOptions, watcher: Watcher) {
    this.#watcher = watcher
    this.#engine = createEngine({
      ...options,
      ledger: this.#watch(options.ledger, {
        fault: (call) => watcher.ledgerFault(call),
        delay: (call) => watcher.ledgerDelay(call),
      }),
      platforms: options.platforms.map((platform) => this.#watch(platform, noObstacles)),
    })
  }

  tick(): Promise<number> {
    return this.#engine.tick()
  }

  start(): Promise<void> {
    return this.#engine.start()
  }

  stop(): Promise<void> {
    return this.#engine.stop()
  }

  /** Notes every call, fails the ones that are to fail, and answers none once the process died. */
  #watch<Target extends object>(target: Target, obstacles: Obstacles): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || typeof name === 'symbol') return value
        return (...given: readonly unknown[]) => {
          if (!this.isAlive) return never
          if (this.#dies('before', name)) return this.#die()
          this.#watcher.note(name)
          const fault = obstacles.fault(name)
          if (fault !== null) return Promise.reject(fault)
          const result: unknown = Reflect.apply(value, target, given)
          const delay = obstacles.delay(name)
          if (!this.#dies('after', name)) return delay === null ? result : delay.then(() => result)
          return Promise.resolve(result).then(
            () => this.#die(),
            () => this.#die(),
          )
        }
      },
    })
  }

  #dies(when: 'before' | 'after', call: string): boolean {
    if (this.death === null || this.death[1] !== call) return false
    const [at, , time = 1] = this.death
    if (at !== when) return false
    if (time === 1) return true
    this.death = [at, call, time - 1]
    return false
  }

  #die(): Promise<never> {
    this.isAlive = false
    return never
  }
}
