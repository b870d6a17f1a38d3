/** Lets the engine live through the weeks before now, as fast as it goes. */

import type { Instant } from '../core/instant.ts'
import type { Engine } from '../engine/engine.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { DemoClock } from './demo-clock.ts'

export interface Past {
  readonly engine: Engine
  readonly ledger: Ledger
  readonly clock: DemoClock
  readonly until: Instant
  /** Told how far it is. */
  readonly onProgress: (done: number, all: number) => void
}

/** What is due within this is done in one turn: the machine is spared some thousand turns. */
const turnMs = 10 * 60_000

export async function liveThroughPast(past: Past): Promise<void> {
  const { engine, ledger, clock, until, onProgress } = past
  const start = clock.now()
  while (clock.now() < until) {
    while ((await engine.tick()) > 0 && (await isDue(ledger, clock))) {
      // Whatever became due by the last turn is done before time goes on.
    }
    onProgress(clock.now() - start, until - start)
    const due = (await ledger.nextDueAt()) ?? until
    clock.moveTo(Math.min(until, Math.max(due, clock.now() + turnMs)))
  }
  onProgress(1, 1)
}

async function isDue(ledger: Ledger, clock: DemoClock): Promise<boolean> {
  const due = await ledger.nextDueAt()
  return due !== null && due <= clock.now()
}
