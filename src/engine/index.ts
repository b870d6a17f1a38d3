/** The public surface of the engine. */

export { createEngine } from './engine.ts'
export type { Engine } from './engine.ts'
export { createDistributedEngine } from './delivery/distributed-engine.ts'
export type {
  DistributedEngine,
  DistributedEngineOptions,
  WorkerCounts,
} from './delivery/distributed-engine.ts'
export { openQueue } from './delivery/queue.ts'
export type { Queue, QueueSettings } from './delivery/queue.ts'
export { createHousekeeping } from './housekeeping.ts'
export type { Housekeeping, HousekeepingOptions } from './housekeeping.ts'
export { defaultSettings } from './parts.ts'
export type { EngineOptions, EngineProblem, EngineSettings } from './parts.ts'
export { backtest } from './backtest.ts'
export type { BacktestOptions } from './backtest.ts'
export { readCsv } from './backtest/read-csv.ts'
export { readJson } from './backtest/read-json.ts'
export { readLedger } from './backtest/read-ledger.ts'
export type { RecordedPost } from './backtest/recorded-post.ts'
export { learn } from './learn.ts'
export type { LearnOptions, LiftReport } from './learn.ts'
export { hintsFrom } from './learning/hints.ts'
export { readBand } from './learning/read-band.ts'
