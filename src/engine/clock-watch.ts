/** Notices when the machine's clock jumps, and pauses sending until someone has looked at it. */

import { formatDuration } from '../core/wording.ts'
import type { Parts } from './parts.ts'

/** Compares the wall clock with the one that only ever grows; they should pass alike. */
export class ClockWatch {
  readonly #parts: Parts
  #offsetMs: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#offsetMs = this.#readOffset()
  }

  async check(): Promise<void> {
    const offsetMs = this.#readOffset()
    const jumpMs = offsetMs - this.#offsetMs
    if (Math.abs(jumpMs) > this.#parts.settings.clockJumpMs) await this.#pause(jumpMs)
    // Only now: a ledger that was busy must not make the jump be forgotten.
    this.#offsetMs = offsetMs
  }

  async #pause(jumpMs: number): Promise<void> {
    const way = jumpMs > 0 ? 'forward' : 'back'
    await this.#parts.ledger.pause({
      scope: 'everything',
      target: '',
      reason: `the clock of a worker jumped ${way} by ${formatDuration(Math.abs(jumpMs))}`,
      until: null,
      by: 'clock',
    })
  }

  #readOffset(): number {
    return this.#parts.clock.now() - this.#parts.clock.monotonicMs()
  }
}
