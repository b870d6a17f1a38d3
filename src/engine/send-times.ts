/**
 * Owns how long ago something was sent. The ledger's time stands still after the machine's clock
 * was set back, and a window in which a network recognises a repeat would seem open for hours after
 * it has closed (I6). So the clock that only ever grows measures it too, and the longer one counts.
 *
 * Only the process that sent it has that clock. To every other one, and to itself after a restart,
 * it may have been sent any time ago.
 */

import type { Clock } from '../core/clock.ts'
import { dayMs } from '../core/duration.ts'
import type { Instant } from '../core/instant.ts'
import type { AttemptRow } from '../ledger/rows.ts'

/** No window is trusted for longer, so nothing is remembered for longer. */
const rememberedMs = dayMs

export class SendTimes {
  readonly #clock: Clock
  /** The oldest first. */
  readonly #begunMs = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** An attempt is about to be written; it cannot be sent before this moment. */
  note(attemptId: string): void {
    const nowMs = this.#clock.monotonicMs()
    for (const [id, begunMs] of this.#begunMs) {
      if (nowMs - begunMs < rememberedMs) break
      this.#begunMs.delete(id)
    }
    this.#begunMs.set(attemptId, nowMs)
  }

  /** How long ago it was sent at most, at a moment of the ledger's. */
  sinceMs({ id, startedAt }: Pick<AttemptRow, 'id' | 'startedAt'>, now: Instant): number {
    const begunMs = this.#begunMs.get(id)
    if (begunMs === undefined) return Infinity
    return Math.max(now - startedAt, this.#clock.monotonicMs() - begunMs)
  }
}
