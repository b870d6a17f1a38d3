/** The public surface of `secondwind/classic`: the original executor, on Second Wind's core. */

export type { Clock } from '../core/clock.ts'
export { InputError } from '../core/input-error.ts'
export type { Instant } from '../core/instant.ts'
export type { Json } from '../core/json.ts'
export type { EvaluationConfig } from './evaluation-config.ts'
export { HistoryFileError } from './history-file-error.ts'
export { defaultPersistencePath, SelfHealingExecutor } from './self-healing-executor.ts'
export type { OutcomeInput, SelfHealingExecutorOptions } from './self-healing-executor.ts'
export type {
  ActionRecord,
  ActionTier,
  ActionType,
  EligibleResult,
  EvaluationResult,
  InsufficientResult,
  PostMetricsPoint,
  RefusalReason,
  RefusedResult,
  Time,
} from './wire.ts'
