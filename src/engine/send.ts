/** Sends one segment: fixes its bytes, writes the attempt, makes the one irreversible call. */

import type { Json } from '../core/json.ts'
import type { ActionRow, AttemptRow } from '../ledger/rows.ts'
import type { Landed } from '../platform/platform.ts'
import { withDeadline } from './deadline.ts'
import { classify } from './faults.ts'
import { settle, settleFault } from './settlement.ts'
import type { Segment, Work } from './work.ts'
import { writeClassNow } from './write-class.ts'

/** Whether the network would still recognise what may have landed, if it were sent again (I6). */
export async function mayResend({ parts, description, action, policy }: Work): Promise<boolean> {
  if (policy.retry.whenUnknown === 'resend') return true
  const now = await parts.ledger.now()
  return writeClassNow(description, action.action, action.firstClaimedAt ?? now, now) === 'A'
}

/** Null where it did not land for certain; then it has been settled already. */
export async function sendSegment(
  work: Work,
  segment: Segment,
): Promise<{ readonly attemptId: string; readonly landed: Landed } | null> {
  const { parts, action, platform, connection } = work
  const token = repeatable(action, segment) ?? (await prepare(work, segment))
  if (token === null) return null
  const attempt = await begin(work, segment.number, token)
  if (attempt === null) return null
  try {
    const landed = await withDeadline(parts.clock, parts.settings.sendDeadlineMs, (signal) =>
      platform.commit({ connection, signal, key: action.key, token }),
    )
    return { attemptId: attempt.id, landed }
  } catch (error) {
    const fault = await classify(parts, work.account, error, 'write')
    await settleFault(work, attempt.id, fault, segment)
    return null
  }
}

/**
 * What was prepared once is sent again byte for byte, so that the network can recognise it. An
 * edit that provably did not land is prepared anew: the owner may have changed the post since.
 */
function repeatable(action: ActionRow, { before, number }: Segment): Json {
  const earlier = before.findLast((attempt) => attempt.segment === number)
  if (earlier === undefined) return null
  return action.action === 'edit' && earlier.result === 'not_landed' ? null : earlier.prepared
}

async function prepare(work: Work, segment: Segment): Promise<Json> {
  const { parts, action, post, platform, connection } = work
  const { remoteId, text, contentVersion } = post
  const preparedAt = await parts.ledger.now()
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
    if (prepared.kind === 'ready') return prepared.token
    const fault =
      prepared.kind === 'refused'
        ? prepared.fault
        : ({
            landed: 'no',
            code: 'changed',
            scope: 'post',
            retryAt: null,
            detail: prepared.why,
          } as const)
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
  const begun = await parts.ledger.beginAttempt({
    actionId: action.id,
    token,
    attemptId: parts.random.id(),
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
