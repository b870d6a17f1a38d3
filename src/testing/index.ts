/** The public surface of `secondwind/testing`: kits that hold an implementation to its port. */

export { ledgerCases, ManualClock } from './ledger-conformance.ts'
export type { LedgerCase, LedgerData, NewLedgerData, Tamper } from './ledger-conformance.ts'
export {
  harnessFaults,
  platformCases,
  simulatedSuite,
  VirtualClock,
} from './platform-conformance.ts'
export type {
  HarnessFault,
  PlatformCase,
  PlatformHarness,
  PlatformSuite,
  SeenPost,
  SeenReply,
  SimulatedSuiteOptions,
} from './platform-conformance.ts'
