/** Owns what is written after a send: what it came to, and what follows from it. */

import type { Fault } from '../core/fault.ts'
import type { Instant } from '../core/instant.ts'
import { decideRetry } from '../core/retry.ts'
import type { Settlement } from '../ledger/steps/settle.ts'
import type { Landed } from '../platform/platform.ts'
import { react } from './faults.ts'
import { toOutcome } from './outcome.ts'
import type { Segment, Work } from './send.ts'
import { writeClassNow } from './write-class.ts'

export async function settle(
  { parts, action, token }: Work,
  attemptId: string | null,
  settlement: Settlement,
): Promise<void> {
  await parts.ledger.settle({ actionId: action.id, token, attemptId, settlement })
}

export function success(
  { action }: Work,
  landed: readonly Landed[],
): Settlement & { kind: 'success' } {
  const last = landed.at(-1)
  const remoteId = last?.remoteId ?? null
  const outcome = toOutcome(landed, false)
  if (action.action !== 'edit' || last === undefined) return { kind: 'success', remoteId, outcome }
  const postContent = {
    remoteId: last.postRemoteId ?? last.remoteId,
    contentVersion: last.contentVersion,
    text: action.text,
  }
  return { kind: 'success', remoteId, outcome, postContent }
}

/** Settles a send that did not succeed, as the core decides; the account rests if it must. */
export async function settleFault(
  work: Work,
  attemptId: string | null,
  fault: Fault,
  { before, landed }: Pick<Segment, 'before' | 'landed'>,
): Promise<void> {
  const { parts, action, account, description, policy } = work
  const now = await parts.ledger.now()
  const firstSentAt = action.firstClaimedAt ?? now
  const decision = decideRetry({
    fault,
    attempts: action.attempts + 1,
    firstAttemptAt: firstSentAt,
    writeClass: writeClassNow(description, action.action, firstSentAt, now),
    policy,
    now,
    jitter: parts.random.fraction(),
  })
  switch (decision.kind) {
    case 'retry':
      await settle(work, attemptId, { kind: 'waiting', fault, retryAt: decision.at })
      break
    case 'reconcile':
      await settle(work, attemptId, unknown(work, fault, now))
      break
    case 'stop':
      // This send did not land, but one before it may have: only the platform can tell.
      if (attemptId !== null && before.some(({ result }) => result === 'unknown')) {
        await settle(work, attemptId, unknown(work, fault, now))
      } else {
        await settle(work, attemptId, stopped(fault, landed))
      }
  }
  await react(parts, account, fault)
}

function unknown({ parts, description }: Work, fault: Fault, now: Instant): Settlement {
  const delayMs = Math.max(parts.settings.settleDelayMs, description.visibleWithinMs)
  return { kind: 'unknown', fault, reconcileAt: now + delayMs }
}

/** A thread that is out in part stays so: it ends as a success, and says that it is partial. */
function stopped(fault: Fault, landed: readonly Landed[]): Settlement {
  if (landed.length === 0) return { kind: 'failed', fault }
  return { kind: 'partial', fault, outcome: toOutcome(landed, true) }
}
