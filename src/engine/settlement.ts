/** Owns what is written after a send: what it came to, and what follows from it. */

import type { Fault } from '../core/fault.ts'
import type { Instant } from '../core/instant.ts'
import { decideRetry } from '../core/retry.ts'
import type { AttemptRow } from '../ledger/rows.ts'
import type { Settlement } from '../ledger/steps/settle.ts'
import type { Landed } from '../platform/platform.ts'
import { react } from './faults.ts'
import { postContentOf, toOutcome } from './outcome.ts'
import { attemptsOf, findUnknown, firstUnknown } from './sent.ts'
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
  attempt: AttemptRow | null,
  fault: Fault,
  segment: Pick<Segment, 'before' | 'landed' | 'number'>,
): Promise<void> {
  const { parts, action, account, description, policy } = work
  const { before, landed, number } = segment
  const now = await parts.ledger.now()
  const open = firstUnknown(before, number) ?? attempt
  const sentAgoMs = open === null ? 0 : parts.sendTimes.sinceMs(open, now)
  const decision = decideRetry({
    fault,
    attempts: attemptsOf(before, number).length + 1,
    firstAttemptAt: action.firstClaimedAt ?? now,
    writeClass: writeClassNow(description, action.action, sentAgoMs),
    policy,
    now,
    jitter: parts.random.fraction(),
  })
  const attemptId = attempt?.id ?? null
  switch (decision.kind) {
    case 'retry':
      await settle(work, attemptId, { kind: 'waiting', fault, retryAt: decision.at })
      break
    case 'reconcile':
      await settle(work, attemptId, unknown(work, fault, now))
      break
    case 'stop':
      await settleStopped(work, attemptId, fault, { before, landed, number })
  }
  await react(parts, account, fault)
}

/** It is not sent any more. What this send did not do, one before it may have done. */
export async function settleStopped(
  work: Work,
  attemptId: string | null,
  fault: Fault,
  { before, landed, number }: Pick<Segment, 'before' | 'landed' | 'number'>,
): Promise<void> {
  // Only the platform can tell.
  if (findUnknown(attemptsOf(before, number)) !== undefined) {
    return settle(work, attemptId, unknown(work, fault, await work.parts.ledger.now()))
  }
  const nothing = landed.length === 0
  await settle(work, attemptId, nothing ? { kind: 'failed', fault } : partial(fault, landed))
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

/** A thread that is out in part stays so: it ends as a success, and says that it is partial. */
export function partial(fault: Fault, landed: readonly Landed[]): Settlement {
  return { kind: 'partial', fault, outcome: toOutcome(landed, true) }
}
