/**
 * Finds out what became of an action that may have landed, by reading the platform. Found is a
 * success. Not found is only believed where it proves something; else a person is asked.
 */

import type { ActionId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { AccountRow, ActionRow, AttemptRow } from '../ledger/rows.ts'
import type { Finding } from '../ledger/steps/reconcile.ts'
import type { Location } from '../platform/platform.ts'
import { withDeadline } from './deadline.ts'
import { noteReadFault } from './faults.ts'
import { toOutcome } from './outcome.ts'
import type { Parts } from './parts.ts'
import { isLanded, toLanded, unitsOf } from './send.ts'
import { writeClassNow } from './write-class.ts'

export async function reconcile(parts: Parts, id: ActionId): Promise<void> {
  const { ledger } = parts
  const action = await ledger.getAction(id)
  const account = action === null ? null : await ledger.getAccount(action.accountId)
  if (action === null || account === null || action.state !== 'unknown') return
  const attempts = await ledger.listAttempts(id)
  const finding = await find(parts, account, action, attempts)
  await ledger.reconcile({ actionId: id, version: action.version, finding })
}

async function find(
  parts: Parts,
  account: AccountRow,
  action: ActionRow,
  attempts: readonly AttemptRow[],
): Promise<Finding> {
  const last = attempts.findLast(({ result }) => result === 'unknown')
  const now = await parts.ledger.now()
  if (last === undefined) return afterEvidence(parts, account, action, attempts, now)
  const location = await locate(parts, account, action, last)
  const again: Finding = { kind: 'cannot_tell_yet', lookAgainAt: lookAgainAt(parts, last, now) }
  if (location === null) return isOverdue(parts, last, now) ? attention('cannot_read') : again
  switch (location.kind) {
    case 'found':
      return found(parts, account, action, attempts, location, now)
    case 'cannot_tell':
      return isOverdue(parts, last, now) ? attention('cannot_tell') : again
    case 'not_found':
      return notFound(parts, account, action, last, now)
  }
}

/** A late answer has said what became of the last send; nothing is open any more. */
function afterEvidence(
  parts: Parts,
  account: AccountRow,
  action: ActionRow,
  attempts: readonly AttemptRow[],
  now: Instant,
): Finding {
  if (attempts.length === 0) return attention('nothing_known')
  const description = parts.platformOf(account).describe(parts.connect(account))
  const landed = attempts.filter(isLanded).map(toLanded)
  if (landed.length < unitsOf(action, description).length) {
    return { kind: 'not_landed_retry', retryAt: now }
  }
  const remoteId = landed.at(-1)?.remoteId ?? null
  return { kind: 'landed', remoteId, outcome: toOutcome(landed, false) }
}

async function locate(
  parts: Parts,
  account: AccountRow,
  action: ActionRow,
  attempt: AttemptRow,
): Promise<Location | null> {
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  try {
    return await withDeadline(parts.clock, parts.settings.readDeadlineMs, (signal) =>
      platform.locate({ connection, signal, key: action.key, token: attempt.prepared }),
    )
  } catch (error) {
    await noteReadFault(parts, account, error)
    return null
  }
}

function found(
  parts: Parts,
  account: AccountRow,
  action: ActionRow,
  attempts: readonly AttemptRow[],
  { landed }: Location & { kind: 'found' },
  now: Instant,
): Finding {
  const description = parts.platformOf(account).describe(parts.connect(account))
  const all = [...attempts.filter(isLanded).map(toLanded), landed]
  const { remoteId } = landed
  if (action.undoes === null && all.length < unitsOf(action, description).length) {
    return { kind: 'segment_landed', remoteId, resumeAt: now }
  }
  return { kind: 'landed', remoteId, outcome: toOutcome(all, false) }
}

/**
 * Class A: sending the same bytes again is harmless and settles it. Class B: it is not there, but
 * it may yet appear, or have been deleted; sending again is the owner's choice. Class C cannot get
 * here with a proof at all.
 */
function notFound(
  parts: Parts,
  account: AccountRow,
  action: ActionRow,
  last: AttemptRow,
  now: Instant,
): Finding {
  const description = parts.platformOf(account).describe(parts.connect(account))
  const visibleAt = last.deadlineAt + description.visibleWithinMs
  if (now < visibleAt) return { kind: 'cannot_tell_yet', lookAgainAt: visibleAt }
  if (isOverdue(parts, last, now)) return attention('not_found_too_late')
  const firstSentAt = action.firstClaimedAt ?? last.startedAt
  const writeClass = writeClassNow(description, action.action, firstSentAt, now)
  return writeClass === 'A' ? { kind: 'resend', retryAt: now } : attention('not_found')
}

function isOverdue({ settings }: Parts, last: AttemptRow, now: Instant): boolean {
  return now - last.deadlineAt > settings.notFoundProvesMs
}

/** Waits about as long again as it has waited already. */
function lookAgainAt({ settings }: Parts, last: AttemptRow, now: Instant): Instant {
  return now + Math.max(settings.settleDelayMs, now - last.deadlineAt)
}

function attention(reason: string): Finding {
  return { kind: 'needs_attention', reason }
}
