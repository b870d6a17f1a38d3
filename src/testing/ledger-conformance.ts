/**
 * The conformance suite of the ledger: statements that hold for every store. Whoever writes a store
 * runs them all, with any test runner:
 *
 *   for (const { name, run } of ledgerCases) test(name, () => run(newData))
 */

import type { LedgerCase } from './ledger/case.ts'
import { accountCases } from './ledger/account-cases.ts'
import { attemptCases } from './ledger/attempt-cases.ts'
import { auditCases } from './ledger/audit-cases.ts'
import { claimCases } from './ledger/claim-cases.ts'
import { claimGuardCases } from './ledger/claim-guard-cases.ts'
import { classicCases } from './ledger/classic-cases.ts'
import { contentCases } from './ledger/content-cases.ts'
import { decisionCases } from './ledger/decision-cases.ts'
import { decisionInputCases } from './ledger/decision-input-cases.ts'
import { dueCases } from './ledger/due-cases.ts'
import { eraseCases } from './ledger/erase-cases.ts'
import { eventCases } from './ledger/event-cases.ts'
import { generationCases } from './ledger/generation-cases.ts'
import { givenUpCases } from './ledger/given-up-cases.ts'
import { integrityCases } from './ledger/integrity-cases.ts'
import { lateAnswerCases } from './ledger/late-answer-cases.ts'
import { learningCases } from './ledger/learning-cases.ts'
import { leaseCases } from './ledger/lease-cases.ts'
import { overviewCases } from './ledger/overview-cases.ts'
import { pageCases } from './ledger/page-cases.ts'
import { pauseCases } from './ledger/pause-cases.ts'
import { planCases } from './ledger/plan-cases.ts'
import { planGuardCases } from './ledger/plan-guard-cases.ts'
import { raceCases } from './ledger/race-cases.ts'
import { reconcileCases } from './ledger/reconcile-cases.ts'
import { recordCases } from './ledger/record-cases.ts'
import { retentionCases } from './ledger/retention-cases.ts'
import { sampleCases } from './ledger/sample-cases.ts'
import { settleCases } from './ledger/settle-cases.ts'
import { shelfCases } from './ledger/shelf-cases.ts'
import { slotCases } from './ledger/slot-cases.ts'
import { textCases } from './ledger/text-cases.ts'
import { timeCases } from './ledger/time-cases.ts'
import { undoCases } from './ledger/undo-cases.ts'
import { verdictCases } from './ledger/verdict-cases.ts'

export type { LedgerCase } from './ledger/case.ts'
export { ManualClock } from './ledger/harness.ts'
export type { LedgerData, NewLedgerData, Tamper } from './ledger/harness.ts'

/** Every statement. None may be left out for one store. */
export const ledgerCases: readonly LedgerCase[] = [
  ...planCases,
  ...planGuardCases,
  ...slotCases,
  ...claimCases,
  ...claimGuardCases,
  ...attemptCases,
  ...settleCases,
  ...lateAnswerCases,
  ...givenUpCases,
  ...leaseCases,
  ...reconcileCases,
  ...decisionCases,
  ...generationCases,
  ...undoCases,
  ...recordCases,
  ...contentCases,
  ...accountCases,
  ...sampleCases,
  ...textCases,
  ...verdictCases,
  ...decisionInputCases,
  ...dueCases,
  ...learningCases,
  ...pauseCases,
  ...shelfCases,
  ...pageCases,
  ...overviewCases,
  ...classicCases,
  ...eraseCases,
  ...retentionCases,
  ...eventCases,
  ...auditCases,
  ...timeCases,
  ...raceCases,
  ...integrityCases,
]
