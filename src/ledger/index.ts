/** The public surface of the ledger. */

export type { AuditProblem } from './audit.ts'
export type { ClassicRecord } from './classic-history.ts'
export { LedgerError } from './ledger-error.ts'
export type { LedgerErrorKind } from './ledger-error.ts'
export type * from './ledger.ts'
export { MemoryStore } from './memory/memory-store.ts'
export { newAccount } from './new-account.ts'
export type { AccountWish } from './new-account.ts'
export { modes } from './rows.ts'
export type * from './rows.ts'
export type * from './pages.ts'
export type { Leases, Shelf, ShelfItem } from './shelf.ts'
export { hashText } from './steps/plan.ts'
export type { AccountChange } from './steps/account.ts'
export type { DecideCommand, DecideResult, Decision } from './steps/approval.ts'
export type { AttemptCommand, AttemptResult } from './steps/attempt.ts'
export type { ClaimCommand, ClaimResult } from './steps/claim.ts'
export type { RenewCommand } from './steps/lease.ts'
export type { PlanCommand, PlanResult } from './steps/plan.ts'
export type { Finding, ReconcileCommand, ReconcileResult } from './steps/reconcile.ts'
export type { SettleCommand, SettleResult, Settlement } from './steps/settle.ts'
export type { LookCommand, VerdictCommand } from './steps/verdict.ts'
export type * from './store.ts'
export type * from './views.ts'
export { createLedger } from './stored-ledger.ts'
export {
  openMemoryLedger,
  openPostgresLedger,
  openSharedLedger,
  openSqliteLedger,
} from './open-ledger.ts'
export type { SharedLedger } from './open-ledger.ts'
export type { HandingOut, HandOut, JobWriter } from './postgres/jobs.ts'
export type { PostgresStoreSettings } from './postgres/postgres-store.ts'
export type { SqliteOptions } from './sqlite/sqlite-store.ts'
