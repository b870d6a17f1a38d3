/** Owns when things are done in the simulated world: again and again, at times left to chance. */

import type { VirtualTime } from '../clock/virtual-time.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'

export class Activities {
  readonly #time: VirtualTime
  readonly #stream: Stream
  /** While true nobody does anything. */
  resting = false
  readonly #onError: (error: unknown) => void

  constructor(time: VirtualTime, stream: Stream, onError: (error: unknown) => void) {
    this.#time = time
    this.#stream = stream
    this.#onError = onError
  }

  /** Does it about every so often, for ever. */
  every(meanMs: number, act: () => void | Promise<void>): void {
    const waitMs = -Math.log(1 - this.#stream.fraction()) * meanMs
    this.#time.after(Math.ceil(waitMs), () => {
      if (!this.resting) this.#run(act)
      this.every(meanMs, act)
    })
  }

  /** Does it once, later. */
  after(durationMs: number, act: () => void | Promise<void>): void {
    this.#time.after(Math.ceil(durationMs), () => {
      if (!this.resting) this.#run(act)
    })
  }

  /** Does it once, later, even while the others rest: what was begun is ended. */
  surelyAfter(durationMs: number, act: () => void | Promise<void>): void {
    this.#time.after(Math.ceil(durationMs), () => this.#run(act))
  }

  #run(act: () => void | Promise<void>): void {
    const run = async () => act()
    run().catch(this.#onError)
  }
}
