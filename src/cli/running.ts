/** Runs what works until it is told to stop, and then lets it finish: no send is cut off. */

import { createEngine } from '../engine/engine.ts'
import { createHousekeeping } from '../engine/housekeeping.ts'
import type { EngineOptions, EngineProblem } from '../engine/parts.ts'
import type { EngineReport } from '../server/parts.ts'
import type { Log } from '../server/parts.ts'

const problemsKept = 20

export interface Worker {
  /** Rejects where the ledger cannot be used any more. */
  readonly done: Promise<void>
  stop(): Promise<void>
  health(): EngineReport
}

export interface WorkerOptions {
  readonly engine: EngineOptions
  readonly keepSamplesMs: number
  readonly log: Log
}

export function startWorker({ engine: options, keepSamplesMs, log }: WorkerOptions): Worker {
  const { clock, ledger, random } = options
  let lastTurnAt: number | null = null
  let problems: EngineReport['problems'] = []
  const onProblem = ({ work, id, error }: EngineProblem) => {
    const message = error instanceof Error ? error.message : String(error)
    log.warn({ work, id }, message)
    problems = [{ at: clock.now(), work, id, message }, ...problems].slice(0, problemsKept)
  }
  const onTurn = () => {
    lastTurnAt = clock.now()
  }
  const engine = createEngine({ ...options, onProblem, onTurn })
  const housekeeping = createHousekeeping({ ledger, clock, random, keepSamplesMs, onProblem })
  void housekeeping.start()
  return {
    done: engine.start(),
    stop: async () => {
      await Promise.all([engine.stop(), housekeeping.stop()])
    },
    health: () => ({ lastTurnAt, problems }),
  }
}

/** Resolves at the first signal. A second one ends the process at once. */
export function interrupted(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130))
        resolve(signal)
      })
    }
  })
}
