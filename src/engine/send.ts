/** Sends one segment: fixes its bytes, writes the attempt, makes the one irreversible call. */

import type { Json } from '../core/json.ts'
import type { Policy } from '../core/policy.ts'
import { splitSegments } from '../core/segments.ts'
import type { AccountRow, ActionRow, AttemptRow, PostRow } from '../ledger/rows.ts'
import type { Connection, Description, Landed, Platform } from '../platform/platform.ts'
import { withDeadline } from './deadline.ts'
import { classify } from './faults.ts'
import type { Parts } from './parts.ts'
import { settle, settleFault } from './settlement.ts'

/** Everything that stays the same while one claim is held. */
export interface Work {
  readonly parts: Parts
  readonly account: AccountRow
  readonly post: PostRow
  readonly policy: Policy
  readonly platform: Platform
  readonly connection: Connection
  readonly description: Description
  readonly action: ActionRow
  readonly token: string
}

/** What each call to the network says: one text, or all of a thread that goes out at once. */
export function unitsOf(
  action: ActionRow,
  description: Description,
): readonly (readonly string[])[] {
  const text = action.text ?? ''
  if (action.action !== 'thread') return [[text]]
  const segments = splitSegments(text)
  return description.threadIsAtomic ? [segments] : segments.map((segment) => [segment])
}

export function isLanded({ result }: AttemptRow): boolean {
  return result === 'landed'
}

export function toLanded({ remoteId }: Pick<AttemptRow, 'remoteId'>): Landed {
  const id = remoteId ?? ''
  return { remoteId: id, url: null, remoteIds: [id], postRemoteId: null, contentVersion: null }
}

export interface Segment {
  readonly number: number
  readonly texts: readonly string[]
  /** What was sent of this action before. */
  readonly before: readonly AttemptRow[]
  /** What the segments before this one came to. */
  readonly landed: readonly Landed[]
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
