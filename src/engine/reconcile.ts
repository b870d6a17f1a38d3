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
import { attemptsOf, findUnknown, firstUnknown, landedSegments, toLanded, unitsOf } from './sent.ts'
import { findRemains } from './undo.ts'
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
  const result = await ledger.reconcile({ actionId: id, version: action.version, finding })
  if (result.kind === 'stale') await keepEvidence(search, finding)
}

/**
 * The row moved on while the platform was read. What was seen there is still true, and is kept like
 * an answer that came late: on a row that has ended it opens an incident (I7).
 */
async function keepEvidence({ parts, action, attempts }: Search, finding: Finding): Promise<void> {
  const open = findUnknown(attempts)
  if (open === undefined) return
  if (finding.kind !== 'landed' && finding.kind !== 'segment_landed') return
  const { id: attemptId, token } = open
  const settlement = { kind: 'segment_landed', remoteId: finding.remoteId } as const
  await parts.ledger.settle({ actionId: action.id, token, attemptId, settlement })
}

async function find(search: Search): Promise<Finding> {
  const { parts, action, attempts, now } = search
  const last = findUnknown(attempts)
  if (last === undefined) return afterEvidence(search)
  if (action.undoes !== null) return findUndone(search, last, action.undoes)
  const location = await locate(search, last)
  const isOverdue = now - last.deadlineAt > parts.settings.notFoundProvesMs
  if (location === null) return isOverdue ? attention('cannot_read') : lookAgain(search, last)
  switch (location.kind) {
    case 'found':
      return found(search, location)
    case 'cannot_tell': {
      const isHopeless = isOverdue || classOf(search, last) === 'C'
      return isHopeless ? attention('cannot_tell') : lookAgain(search, last)
    }
    case 'not_found':
      return isOverdue ? attention('not_found_too_late') : notFound(search, last)
  }
}

/** What was to be taken back is either gone or not; what is left of it is taken back again. */
async function findUndone(search: Search, last: AttemptRow, undoes: ActionId): Promise<Finding> {
  const { parts, action, now } = search
  // It was never sent, because nobody knows where the thing is.
  if (action.fault?.code === 'not_found' && action.fault.landed === 'unknown') {
    return attention('undo_target_unknown')
  }
  const remains = await findRemains(search, undoes)
  const isOverdue = now - last.deadlineAt > parts.settings.notFoundProvesMs
  switch (remains) {
    case 'nothing':
      return { kind: 'landed', remoteId: null, outcome: toOutcome([], false) }
    case 'something':
      if (isOverdue) return attention('undo_unknown')
      return whenVisible(search, last) ?? sendAgain(search, last)
    case 'cannot_read':
      return isOverdue ? attention('cannot_read') : lookAgain(search, last)
    case 'cannot_tell':
    case 'never_known':
      return attention('undo_unknown')
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
    attempts: attemptsOf(attempts, last.segment).length,
    firstAttemptAt: action.firstClaimedAt ?? now,
    writeClass: classOf(search, last),
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
  const mayGoOut = search.action.fault?.code !== 'changed'
  const early = whenVisible(search, last)
  if (early !== null) return early
  if (classOf(search, last) !== 'A' || !mayGoOut) return attention('not_found')
  return sendAgain(search, last)
}

/** Before the network's longest delay is over, what it shows proves nothing. */
function whenVisible({ description, now }: Search, { deadlineAt }: AttemptRow): Finding | null {
  const visibleAt = deadlineAt + description.visibleWithinMs
  return now < visibleAt ? { kind: 'cannot_tell_yet', lookAgainAt: visibleAt } : null
}

/** The same is sent so often and no more (I6). */
function sendAgain({ policy, attempts, now }: Search, { segment }: AttemptRow): Finding {
  const most = policy.retry.maximumAttempts ?? Infinity
  const isSpent = attemptsOf(attempts, segment).length >= most
  return isSpent ? attention('spent') : { kind: 'resend', retryAt: now }
}

function classOf({ parts, description, action, attempts, now }: Search, { segment }: AttemptRow) {
  const open = firstUnknown(attempts, segment)
  const sentAgoMs = open === undefined ? 0 : parts.sendTimes.sinceMs(open, now)
  return writeClassNow(description, action.action, sentAgoMs)
}

/** Waits about as long again as it has waited already. */
function lookAgain({ parts, now }: Search, { deadlineAt }: AttemptRow): Finding {
  const waitMs = Math.max(parts.settings.settleDelayMs, now - deadlineAt)
  return { kind: 'cannot_tell_yet', lookAgainAt: now + waitMs }
}

function attention(reason: string): Finding {
  return { kind: 'needs_attention', reason }
}
