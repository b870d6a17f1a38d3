/**
 * Owns the machine's clock, timers and randomness: the only file that may touch them.
 * Whoever composes an engine passes these in; nothing reaches for them from inside.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './core/clock.ts'
import type { Random } from './core/random.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (durationMs, signal) => {
    try {
      await delay(durationMs, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  },
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  id: () => randomUUID(),
}
