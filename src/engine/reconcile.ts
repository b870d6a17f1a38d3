/**
 * Finds out what became of an action that may have landed, by reading the platform. Found is a
 * success. Not found is only believed where it proves something; else a person is asked.
 */

import type { ActionId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Policy } from '../core/policy.ts'
import { decideRetry } from '../core/retry.ts'
import type { AccountRow, ActionRow, AttemptRow } from '../ledger/rows.ts'
import type { Finding } from '../ledger/steps/reconcile.ts'
import type { Description, Location } from '../platform/platform.ts'
import { tryRead } from './faults.ts'
import { postContentOf, toOutcome } from './outcome.ts'
import type { Parts } from './parts.ts'
import { findUnknown, landedSegments, toLanded, unitsOf } from './sent.ts'
import { writeClassNow } from './write-class.ts'

/** An unknown action with all that is known of it. */
interface Search {
  readonly parts: Parts
  readonly account: AccountRow
  readonly policy: Policy
  readonly description: Description
  readonly action: ActionRow
  readonly attempts: readonly AttemptRow[]
  readonly now: Instant
}

export async function reconcile(parts: Parts, id: ActionId): Promise<void> {
  const { ledger } = parts
  const action = await ledger.getAction(id)
  const account = action === null ? null : await ledger.getAccount(action.accountId)
  if (action === null || account === null || action.state !== 'unknown') return
  const policy = await parts.policyOf(account)
  const description = parts.platformOf(account).describe(parts.connect(account))
  const attempts = await ledger.listAttempts(id)
  const now = await ledger.now()
  const search = { parts, account, policy, description, action, attempts, now }
  const finding = await find(search)
  await ledger.reconcile({ actionId: id, version: action.version, finding })
}

async function find(search: Search): Promise<Finding> {
  const { parts, action, attempts, now } = search
  const last = findUnknown(attempts)
  if (last === undefined) return afterEvidence(search)
  // What was taken away leaves nothing behind to find.
  if (action.undoes !== null) return attention('undo_unknown')
  const location = await locate(search, last)
  const isOverdue = now - last.deadlineAt > parts.settings.notFoundProvesMs
  const again: Finding = { kind: 'cannot_tell_yet', lookAgainAt: lookAgainAt(parts, last, now) }
  if (location === null) return isOverdue ? attention('cannot_read') : again
  switch (location.kind) {
    case 'found':
      return found(search, location)
    case 'cannot_tell':
      return isOverdue || classOf(search) === 'C' ? attention('cannot_tell') : again
    case 'not_found':
      return isOverdue ? attention('not_found_too_late') : notFound(search, last)
  }
}

/** A late answer has said what became of the last send; nothing is open any more. */
function afterEvidence(search: Search): Finding {
  const { parts, description, policy, action, attempts, now } = search
  const last = attempts.at(-1)
  if (last === undefined) return attention('nothing_known')
  const landed = landedSegments(attempts).map(toLanded)
  const remoteId = landed.at(-1)?.remoteId ?? null
  if (landed.length >= unitsOf(action, description).length) {
    const outcome = toOutcome(action.undoes === null ? landed : [], false)
    return { kind: 'landed', remoteId, outcome }
  }
  if (last.fault === null) return { kind: 'not_landed_retry', retryAt: now }
  const decision = decideRetry({
    fault: last.fault,
    attempts: countAttempts(attempts, last),
    firstAttemptAt: action.firstClaimedAt ?? now,
    writeClass: classOf(search),
    policy,
    now,
    jitter: parts.random.fraction(),
  })
  if (decision.kind === 'retry') return { kind: 'not_landed_retry', retryAt: decision.at }
  if (landed.length === 0) return { kind: 'not_landed_stop' }
  return { kind: 'landed', remoteId, outcome: toOutcome(landed, true) }
}

async function locate(
  { parts, account, action }: Search,
  { prepared: token }: AttemptRow,
): Promise<Location | null> {
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  return tryRead(parts, account, (signal) =>
    platform.locate({ connection, signal, key: action.key, token }),
  )
}

function found(
  { action, attempts, description, now }: Search,
  { landed }: Location & { kind: 'found' },
): Finding {
  const all = [...landedSegments(attempts).map(toLanded), landed]
  const { remoteId } = landed
  if (all.length < unitsOf(action, description).length) {
    return { kind: 'segment_landed', remoteId, resumeAt: now }
  }
  const outcome = toOutcome(all, false)
  if (action.action !== 'edit') return { kind: 'landed', remoteId, outcome }
  return { kind: 'landed', remoteId, outcome, postContent: postContentOf(landed, action.text) }
}

/**
 * Class A: sending the same bytes again is harmless and settles it, but not for ever. Class B: it
 * is not there, but it may yet appear, or have been deleted; sending again is the owner's choice.
 * Class C cannot get here with a proof at all.
 */
function notFound(search: Search, last: AttemptRow): Finding {
  const { description, policy, action, attempts, now } = search
  const visibleAt = last.deadlineAt + description.visibleWithinMs
  if (now < visibleAt) return { kind: 'cannot_tell_yet', lookAgainAt: visibleAt }
  const most = policy.retry.maximumAttempts ?? Infinity
  const isUsedUp = countAttempts(attempts, last) >= most
  const mayGoOut = action.fault?.code !== 'changed'
  if (classOf(search) !== 'A' || isUsedUp || !mayGoOut) return attention('not_found')
  return { kind: 'resend', retryAt: now }
}

function classOf({ description, action, now }: Search) {
  return writeClassNow(description, action.action, action.firstClaimedAt ?? now, now)
}

/** How often the same was sent. */
function countAttempts(attempts: readonly AttemptRow[], { segment }: AttemptRow): number {
  return attempts.filter((attempt) => attempt.segment === segment).length
}

/** Waits about as long again as it has waited already. */
function lookAgainAt({ settings }: Parts, last: AttemptRow, now: Instant): Instant {
  return now + Math.max(settings.settleDelayMs, now - last.deadlineAt)
}

function attention(reason: string): Finding {
  return { kind: 'needs_attention', reason }
}
