/** Runs what works until it is told to stop, and then lets it finish: no send is cut off. */

import { hostname } from 'node:os'
import { createEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine.ts'
import { createHousekeeping } from '../engine/housekeeping.ts'
import type { EngineOptions, EngineProblem } from '../engine/parts.ts'
import type { EngineReport } from '../server/parts.ts'
import type { Log } from '../server/parts.ts'
import type { Delivery } from './installation.ts'
import { packageVersion } from './version.ts'

const problemsKept = 20

export interface Worker {
  /** Rejects where the ledger cannot be used any more. */
  readonly done: Promise<void>
  stop(): Promise<void>
  health(): EngineReport
}

export interface WorkerOptions {
  readonly engine: EngineOptions
  /** Where it is one of many on one Postgres, and how many jobs it then does at once. */
  readonly delivery?: Delivery | null
  readonly concurrency?: number
  readonly keepSamplesMs: number
  readonly log: Log
}

export async function startWorker(given: WorkerOptions): Promise<Worker> {
  const { engine: options, keepSamplesMs, log } = given
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
  const engine = await createEngineFor(given, { ...options, onProblem, onTurn })
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

async function createEngineFor(
  { delivery = null, concurrency = 1 }: WorkerOptions,
  options: EngineOptions,
): Promise<Pick<Engine, 'start' | 'stop'>> {
  if (delivery === null) return createEngine(options)
  const { createDistributedEngine } = await import('../engine/delivery/distributed-engine.ts')
  const self = { host: hostname(), version: packageVersion() }
  return createDistributedEngine({ ...options, ...delivery, ...self, concurrency })
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
