/** Owns what is written after a send: what it came to, and what follows from it. */

import type { Fault } from '../core/fault.ts'
import type { Instant } from '../core/instant.ts'
import { decideRetry } from '../core/retry.ts'
import type { Settlement } from '../ledger/steps/settle.ts'
import type { Landed } from '../platform/platform.ts'
import { react } from './faults.ts'
import { postContentOf, toOutcome } from './outcome.ts'
import { findUnknown } from './sent.ts'
import type { Segment, Work } from './work.ts'
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
  if (action.undoes !== null) return undone
  const last = landed.at(-1)
  const remoteId = last?.remoteId ?? null
  const outcome = toOutcome(landed, false)
  if (action.action !== 'edit' || last === undefined) return { kind: 'success', remoteId, outcome }
  return { kind: 'success', remoteId, outcome, postContent: postContentOf(last, action.text) }
}

/** What was taken back leaves nothing behind. */
const undone: Settlement & { kind: 'success' } = {
  kind: 'success',
  remoteId: null,
  outcome: { remoteIds: [], url: null, partial: false },
}

/** Settles a send that did not succeed, as the core decides; the account rests if it must. */
export async function settleFault(
  work: Work,
  attemptId: string | null,
  fault: Fault,
  { before, landed, number }: Pick<Segment, 'before' | 'landed' | 'number'>,
): Promise<void> {
  const { parts, action, account, description, policy } = work
  const now = await parts.ledger.now()
  const firstSentAt = action.firstClaimedAt ?? now
  const ofSegment = before.filter(({ segment }) => segment === number)
  const decision = decideRetry({
    fault,
    // Each segment has its own count: a long thread is not many failures.
    attempts: ofSegment.length + 1,
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
      if (findUnknown(ofSegment) !== undefined) {
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

/** Nothing was sent this time, and nobody knows about the last one: the platform has to be read. */
export async function stillUnknown(work: Work, fault: Fault | null): Promise<Settlement> {
  const detail = 'nobody settled it'
  const lost: Fault = { landed: 'unknown', code: 'other', scope: 'request', retryAt: null, detail }
  return unknown(work, fault ?? lost, await work.parts.ledger.now())
}

function stopped(fault: Fault, landed: readonly Landed[]): Settlement {
  return landed.length === 0 ? { kind: 'failed', fault } : partial(fault, landed)
}

/** A thread that is out in part stays so: it ends as a success, and says that it is partial. */
export function partial(fault: Fault, landed: readonly Landed[]): Settlement {
  return { kind: 'partial', fault, outcome: toOutcome(landed, true) }
}
