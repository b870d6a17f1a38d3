/**
 * The ledger as one simulated process reaches it: every call is a moment at which the process may
 * die, and may meet a fault on the way.
 */

import type { VirtualTime } from '../clock/virtual-time.ts'
import type { LedgerCall, LedgerFault, LedgerFaults } from '../faults/ledger-faults.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import type { Lifeline } from './lifeline.ts'

export interface Reach {
  readonly ledger: Ledger
  readonly lifeline: Lifeline
  readonly faults: LedgerFaults
  readonly time: VirtualTime
  /** Told of a call before it is made. */
  readonly onCall: (call: LedgerCall) => void
  /** Told of a fault that the process met. */
  readonly onFault: (fault: LedgerFault) => void
  /** Told of an answer that the process got. */
  readonly onAnswer: (call: LedgerCall, given: readonly unknown[], answer: unknown) => void
}

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>

export function reachLedger(reach: Reach): Ledger {
  const { ledger, lifeline } = reach
  const calls = ledger as unknown as Readonly<Record<LedgerCall, AnyCall>>
  const reached: Partial<Record<LedgerCall, AnyCall>> = {}
  for (const name of Object.keys(calls) as LedgerCall[]) {
    const call = calls[name]
    const isNoted = hasOutcome.has(name)
    reached[name] = (...given) => {
      reach.onCall(name)
      const answer = lifeline.wait(() => {
        const fault = reach.faults.draw(name, reach.time.now)
        return fault === null ? call(...given) : meetFault(reach, fault, () => call(...given))
      })
      return isNoted ? answer.then(noting(reach, name, given)) : answer
    }
  }
  return reached as unknown as Ledger
}

/** Whose answers acknowledge that something is kept. */
const hasOutcome: ReadonlySet<LedgerCall> = new Set<LedgerCall>(['settle', 'reconcile'])

function noting(reach: Reach, name: LedgerCall, given: readonly unknown[]) {
  return (answer: unknown) => {
    reach.onAnswer(name, given, answer)
    return answer
  }
}

async function meetFault(
  { time, faults, onFault }: Reach,
  fault: LedgerFault,
  call: () => Promise<unknown>,
): Promise<unknown> {
  onFault(fault)
  switch (fault.kind) {
    case 'busy':
    case 'failed_before':
    case 'full':
    case 'damaged':
      throw faults.errorOf(fault)
    case 'failed_after':
      await call()
      throw faults.errorOf(fault)
    case 'slow_before':
      await time.sleep(fault.delayMs)
      return call()
    case 'slow_after': {
      const answer = await call()
      await time.sleep(fault.delayMs)
      return answer
    }
  }
}
