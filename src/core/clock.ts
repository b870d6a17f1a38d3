/** Owns the shape of a clock. The real one is in src/system.ts; nothing else may read the time. */

import type { Instant } from './instant.ts'

/** Time as the engine is given it: real in production, virtual in the simulator. */
export interface Clock {
  /** The wall clock, which may jump. */
  now(): Instant
  /** Milliseconds that only ever grow, for deadlines. */
  monotonicMs(): number
  /** Resolves after the given time, or at once when the signal aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>
}
