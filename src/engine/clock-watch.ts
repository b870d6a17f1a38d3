/** Notices when the machine's clock jumps, and pauses sending until someone has looked at it. */

import { secondMs } from '../core/duration.ts'
import { formatDuration } from '../core/wording.ts'
import type { Parts } from './parts.ts'

/** Compares the wall clock with the one that only ever grows; they should pass alike. */
export class ClockWatch {
  readonly #parts: Parts
  #offsetMs: number
  /** When the ledger's time was last read, what it was, and whether it moved. */
  #ledger: { readonly atMs: number; readonly now: number; readonly moves: boolean } | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#offsetMs = this.#readOffset()
  }

  /** False where nothing may be sent now. */
  async check(): Promise<boolean> {
    const offsetMs = this.#readOffset()
    const jumpMs = offsetMs - this.#offsetMs
    if (Math.abs(jumpMs) > this.#parts.settings.clockJumpMs) await this.#pause(jumpMs)
    // Only now: a ledger that was busy must not make the jump be forgotten.
    this.#offsetMs = offsetMs
    return this.#ledgerMoves()
  }

  /**
   * A ledger that was ahead stands still until the clock has caught up. A time that stands still
   * measures nothing: the window in which a network recognises a repeat would seem open for hours
   * after it has closed (I6). Who has just come up cannot tell yet, and goes by the clock.
   */
  async #ledgerMoves(): Promise<boolean> {
    const { ledger, clock, settings } = this.#parts
    const atMs = clock.monotonicMs()
    const now = await ledger.now()
    const last = this.#ledger
    if (last !== null && atMs - last.atMs < secondMs) return last.moves
    const moves = last === null ? now - clock.now() <= settings.clockJumpMs : now > last.now
    this.#ledger = { atMs, now, moves }
    return moves
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
