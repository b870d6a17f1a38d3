/**
 * Carries out one action: claim → prepare → attempt → commit → settle, segment by segment. Whatever
 * happens between two of these, the ledger knows enough to go on: a crash after segment k resumes
 * at k + 1, and a send whose answer was lost is unknown until the platform was read.
 */

import type { Fault } from '../core/fault.ts'
import type { ActionId } from '../core/ids.ts'
import type { Json } from '../core/json.ts'
import type { AttemptRow } from '../ledger/rows.ts'
import type { Landed } from '../platform/platform.ts'
import { withDeadline } from './deadline.ts'
import { classify, faultOf, tryRead } from './faults.ts'
import type { Parts } from './parts.ts'
import { begin, mayResend, sendSegment } from './send.ts'
import { findUnknown, landedSegments, toLanded, unitsOf } from './sent.ts'
import type { Work } from './work.ts'
import { partial, settle, settleFault, stillUnknown, success } from './settlement.ts'

export async function act(parts: Parts, id: ActionId): Promise<void> {
  const { ledger, settings } = parts
  const found = await ledger.getAction(id)
  const account = found === null ? null : await ledger.getAccount(found.accountId)
  const post = found === null ? null : await ledger.getPost(found.postId)
  if (found === null || account === null || post === null) return
  const policy = await parts.policyOf(account)
  const platform = parts.platformOf(account)
  const connection = parts.connect(account)
  const description = platform.describe(connection)
  const token = parts.random.id()
  const { leaseMs, askAgainMs } = settings
  const claim = await ledger.claim({
    actionId: id,
    token,
    leaseMs,
    askAgainMs,
    policy,
    capabilities: description,
    baseline: await parts.baselineOf(account),
  })
  if (claim.kind !== 'claimed' && claim.kind !== 'spent') return
  const { action, attempts } = claim
  const work = { parts, account, post, policy, platform, connection, description, action, token }
  if (claim.kind === 'spent') return wrapUp(work, attempts, claim.reason)
  await (action.undoes === null ? sendAll(work, attempts) : sendUndo(work, attempts))
}

/** Nothing more of it may be sent: it ends by what is out, after a look if need be. */
async function wrapUp(work: Work, attempts: readonly AttemptRow[], reason: string): Promise<void> {
  const lost: Fault = { ...faultOf('changed', reason), landed: 'unknown' }
  if (findUnknown(attempts) !== undefined) {
    return settle(work, null, await stillUnknown(work, lost))
  }
  const landed = landedSegments(attempts).map(toLanded)
  const isWhole = landed.length >= unitsOf(work.action, work.description).length
  const fault = work.action.fault ?? faultOf('other', reason)
  await settle(work, null, isWhole ? success(work, landed) : partial(fault, landed))
}

async function sendAll(work: Work, before: readonly AttemptRow[]): Promise<void> {
  const { parts, action, token } = work
  const units = unitsOf(action, work.description)
  const landed = landedSegments(before).map(toLanded)
  // All of it is out although nobody could say so at the time.
  if (landed.length >= units.length) return settle(work, null, success(work, landed))
  const open = findUnknown(before)
  if (open !== undefined && !(await mayResend(work))) {
    return settle(work, null, await stillUnknown(work, open.fault))
  }
  for (let segment = landed.length; segment < units.length; segment += 1) {
    const { leaseMs } = parts.settings
    if (segment > 0 && !(await parts.ledger.renew({ actionId: action.id, token, leaseMs }))) return
    const texts = units[segment] ?? []
    const sent = await sendSegment(work, { number: segment, texts, before, landed })
    if (sent === null) return
    landed.push(sent.landed)
    const isLast = segment === units.length - 1
    const { remoteId } = sent.landed
    const settlement = isLast
      ? success(work, landed)
      : ({ kind: 'segment_landed', remoteId } as const)
    await settle(work, sent.attemptId, settlement)
  }
}

/** Takes back what an earlier action did. Sent like any other write, and settled like one. */
async function sendUndo(work: Work, before: readonly AttemptRow[]): Promise<void> {
  const { parts, action, platform, connection } = work
  if (action.undoes === null) throw new Error(`Action ${action.id} takes nothing back`)
  // It was done although nobody could say so at the time.
  if (landedSegments(before).length > 0) return settle(work, null, success(work, []))
  const retry = { before, landed: [], number: 0 }
  const target = await findLanded(work, action.undoes)
  if ('fault' in target) return settleFault(work, null, target.fault, retry)
  const attempt = await begin(work, 0, { undoes: action.undoes })
  if (attempt === null) return
  try {
    for (const { token, landed } of target.made.toReversed()) {
      await withDeadline(parts.clock, parts.settings.sendDeadlineMs, (signal) =>
        platform.undo({ connection, signal, token, landed }),
      )
    }
  } catch (error) {
    const fault = await classify(parts, work.account, error, 'write')
    return settleFault(work, attempt.id, fault, retry)
  }
  await settle(work, attempt.id, success(work, []))
}

interface Made {
  readonly token: Json
  readonly landed: Landed
}

/**
 * What an action made, as its connector needs it to take it back. An attempt names one post; where
 * one call made several, or only a person saw that something is there, it is looked for first.
 */
async function findLanded(
  work: Work,
  id: ActionId,
): Promise<{ readonly made: readonly Made[] } | { readonly fault: Fault }> {
  const { parts, description, account, platform, connection } = work
  const row = await parts.ledger.getAction(id)
  const attempts = await parts.ledger.listAttempts(id)
  const isOneCall = row?.action === 'thread' && description.threadIsAtomic
  const made: Made[] = []
  for (const attempt of [...landedSegments(attempts), findUnknown(attempts)]) {
    if (row === null || attempt === undefined) continue
    const { prepared: token, result } = attempt
    const known = result === 'landed' ? toLanded(attempt) : null
    if (known !== null && !isOneCall) {
      made.push({ token, landed: known })
      continue
    }
    const location = await tryRead(parts, account, (signal) =>
      platform.locate({ connection, signal, key: row.key, token }),
    )
    if (location === null) return { fault: faultOf('network_error', 'it could not be looked for') }
    const landed = location.kind === 'found' ? location.landed : known
    if (landed !== null) made.push({ token, landed })
  }
  // What cannot be found cannot be taken back.
  return made.length === 0 ? { fault: faultOf('not_found', 'nothing of it was found') } : { made }
}
