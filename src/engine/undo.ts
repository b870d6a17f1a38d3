/**
 * Takes back what an earlier action did, and finds out whether that was done. Removing what is gone
 * already changes nothing on any network, so an undo that may have landed can be sent again.
 */

import type { ActionId } from '../core/ids.ts'
import type { Json } from '../core/json.ts'
import type { AccountRow, ActionRow, AttemptRow } from '../ledger/rows.ts'
import type { Description, Landed, Location } from '../platform/platform.ts'
import { withDeadline } from './deadline.ts'
import { classify, faultOf, tryRead } from './faults.ts'
import type { Parts } from './parts.ts'
import { begin } from './send.ts'
import { findUnknown, landedSegments, toLanded } from './sent.ts'
import { settle, settleFault, success } from './settlement.ts'
import type { Work } from './work.ts'

/** Sent like any other write, and settled like one. */
export async function sendUndo(work: Work, before: readonly AttemptRow[]): Promise<void> {
  const { parts, action, platform, connection } = work
  if (action.undoes === null) throw new Error(`Action ${action.id} takes nothing back`)
  // It was done although nobody could say so at the time.
  if (landedSegments(before).length > 0) return settle(work, null, success(work, []))
  const retry = { before, landed: [], number: 0 }
  const made = await findMade(work, action.undoes)
  if (made === null) {
    const fault = faultOf('network_error', 'what it takes back could not be looked for')
    return settleFault(work, null, fault, retry)
  }
  const attempt = await begin(work, 0, { undoes: action.undoes })
  if (attempt === null) return
  if (made.length === 0) return askWhereItIs(work, attempt)
  try {
    for (const { token, landed } of made.toReversed()) {
      await withDeadline(parts.clock, parts.settings.sendDeadlineMs, (signal) =>
        platform.undo({ connection, signal, token, landed }),
      )
    }
  } catch (error) {
    const fault = await classify(parts, work.account, error, 'write')
    return settleFault(work, attempt, fault, retry)
  }
  await settle(work, attempt.id, success(work, []))
}

/** Nobody knows the ids of what is to go. The way to a person leads over unknown. */
async function askWhereItIs(work: Work, attempt: AttemptRow): Promise<void> {
  const detail = 'nothing is known of what it made'
  await settle(work, attempt.id, {
    kind: 'unknown',
    fault: { ...faultOf('not_found', detail), landed: 'unknown' },
    reconcileAt: await work.parts.ledger.now(),
  })
}

interface Made {
  readonly token: Json
  readonly landed: Landed
}

interface Target {
  readonly parts: Parts
  readonly account: AccountRow
  readonly description: Description
}

/**
 * What an action made, as its connector needs it to take it back. An attempt names one post; where
 * one call made several, or nobody noted what it made, it is looked for first. Null where that
 * cannot be read now.
 */
async function findMade(target: Target, id: ActionId): Promise<readonly Made[] | null> {
  const row = await target.parts.ledger.getAction(id)
  if (row === null) return []
  const isOneCall = row.action === 'thread' && target.description.threadIsAtomic
  const made: Made[] = []
  for (const attempt of await listWrites(target.parts, id)) {
    const { prepared: token, remoteId } = attempt
    const known = attempt.result === 'landed' && remoteId !== null ? toLanded(attempt) : null
    if (known !== null && !isOneCall) {
      made.push({ token, landed: known })
      continue
    }
    const location = await locate(target, row, token)
    if (location === null) return null
    const landed = location.kind === 'found' ? location.landed : known
    if (landed !== null) made.push({ token, landed })
  }
  return made
}

/** The sends of an action that made something, or may have. */
async function listWrites(parts: Parts, id: ActionId): Promise<readonly AttemptRow[]> {
  const attempts = await parts.ledger.listAttempts(id)
  const open = findUnknown(attempts)
  return [...landedSegments(attempts), ...(open === undefined ? [] : [open])]
}

function locate(
  { parts, account }: Target,
  { key }: ActionRow,
  token: Json,
): Promise<Location | null> {
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  return tryRead(parts, account, (signal) => platform.locate({ connection, signal, key, token }))
}

/** What is left on the network of what an undo was to take back. */
export type Remains = 'nothing' | 'something' | 'cannot_tell' | 'cannot_read' | 'never_known'

export async function findRemains(target: Target, id: ActionId): Promise<Remains> {
  const row = await target.parts.ledger.getAction(id)
  const writes = await listWrites(target.parts, id)
  if (row === null || writes.length === 0) return 'never_known'
  // From the end, as it is taken back: what comes first is the last to go.
  for (const { prepared } of writes.toReversed()) {
    const location = await locate(target, row, prepared)
    if (location === null) return 'cannot_read'
    if (location.kind === 'cannot_tell') return 'cannot_tell'
    if (location.kind === 'found') return 'something'
  }
  return 'nothing'
}
