/** Sends one segment: fixes its bytes, writes the attempt, makes the one irreversible call. */

import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { ActionRow, AttemptRow } from '../ledger/rows.ts'
import type { Landed } from '../platform/platform.ts'
import { withDeadline } from './deadline.ts'
import { classify, faultOf } from './faults.ts'
import { attemptsOf, firstUnknown } from './sent.ts'
import { settle, settleFault, settleStopped } from './settlement.ts'
import type { Segment, Work } from './work.ts'
import { writeClassNow } from './write-class.ts'

/** Whether the network still recognises what may have landed, if it is sent again now (I6). */
export function mayResend(
  { parts, description, action, policy }: Work,
  open: AttemptRow,
  now: Instant,
): boolean {
  if (policy.retry.whenUnknown === 'resend') return true
  const sentAgoMs = parts.sendTimes.sinceMs(open, now)
  return writeClassNow(description, action.action, sentAgoMs) === 'A'
}

/** Null where it did not land for certain; then it has been settled already. */
export async function sendSegment(
  work: Work,
  segment: Segment,
): Promise<{ readonly attemptId: string; readonly landed: Landed } | null> {
  const { parts, action, platform, connection, policy } = work
  const sends = attemptsOf(segment.before, segment.number).length
  // However it came to be due again: the same is sent so often and no more (I6).
  if (sends >= (policy.retry.maximumAttempts ?? Infinity)) {
    await settleStopped(work, null, faultOf('other', `it was sent ${sends} times`), segment)
    return null
  }
  const prepared = repeatable(action, segment) ?? (await prepare(work, segment))
  if (prepared === null) return null
  const { token } = prepared
  const attempt = await begin(work, segment.number, token)
  if (attempt === null) return null
  const tooLate = whyTooLate(work, segment, attempt)
  if (tooLate !== null) {
    await settleFault(work, attempt, faultOf('timeout', tooLate), segment)
    return null
  }
  try {
    const landed = await withDeadline(parts.clock, leftMs(work, attempt), (signal) =>
      platform.commit({ connection, signal, key: action.key, token }),
    )
    return { attemptId: attempt.id, landed }
  } catch (error) {
    const fault = await classify(parts, work.account, error, 'write')
    await settleFault(work, attempt, fault, segment)
    return null
  }
}

/** A ledger that was slow to answer may have used up the time in which it could be sent. */
function whyTooLate(work: Work, segment: Segment, attempt: AttemptRow): string | null {
  if (leftMs(work, attempt) <= 0) return 'it was begun so long ago that it may be looked for'
  const open = firstUnknown(segment.before, segment.number)
  if (open === undefined || mayResend(work, open, attempt.startedAt)) return null
  return 'the network may not recognise it any more'
}

/** How long it may still take: the deadline runs from when the attempt was written. */
function leftMs({ parts }: Work, attempt: AttemptRow): number {
  return parts.settings.sendDeadlineMs - parts.sendTimes.sinceMs(attempt, attempt.startedAt)
}

/**
 * What was prepared once is sent again byte for byte, so that the network can recognise it. An
 * edit that provably did not land is prepared anew: the owner may have changed the post since.
 */
function repeatable(action: ActionRow, { before, number }: Segment): Prepared | null {
  const earlier = attemptsOf(before, number).at(-1)
  if (earlier === undefined) return null
  const isOver = action.action === 'edit' && earlier.result === 'not_landed'
  return isOver ? null : { token: earlier.prepared }
}

/** In an object, as a connector's token may be null. */
interface Prepared {
  readonly token: Json
}

async function prepare(work: Work, segment: Segment): Promise<Prepared | null> {
  const { parts, action, post, platform, connection } = work
  const { remoteId, text, contentVersion } = post
  // The first is prepared right after the claim.
  const preparedAt = segment.number === 0 ? work.claimedAt : await parts.ledger.now()
  const { key } = action
  const target = { remoteId, text, contentVersion }
  const request = {
    key,
    action: action.action,
    target,
    texts: segment.texts,
    segment: segment.number,
    previous: segment.landed,
    preparedAt,
  }
  try {
    const prepared = await withDeadline(parts.clock, parts.settings.readDeadlineMs, (signal) =>
      platform.prepare({ connection, signal, request }),
    )
    if (prepared.kind === 'ready') return prepared
    const fault =
      prepared.kind === 'refused'
        ? prepared.fault
        : { ...faultOf('changed', prepared.why), scope: 'post' as const }
    await settleFault(work, null, fault, segment)
  } catch (error) {
    await settleFault(work, null, await classify(parts, work.account, error, 'read'), segment)
  }
  return null
}

/** Null where nothing may be sent: the claim was lost, or given back because of a hold. */
export async function begin(
  work: Work,
  segment: number,
  prepared: Json,
): Promise<AttemptRow | null> {
  const { parts, action, token, policy } = work
  const attemptId = parts.random.id()
  parts.sendTimes.note(attemptId)
  const begun = await parts.ledger.beginAttempt({
    actionId: action.id,
    token,
    attemptId,
    segment,
    prepared,
    deadlineMs: parts.settings.sendDeadlineMs,
    policy,
  })
  if (begun.kind === 'begun') return begun.attempt
  if (begun.kind === 'held') {
    const { reason, until } = begun
    const again = (await parts.ledger.now()) + parts.settings.askAgainMs
    const retryAt = until.kind === 'time' ? until.at : again
    await settle(work, null, { kind: 'released', reason, retryAt })
  }
  return null
}
