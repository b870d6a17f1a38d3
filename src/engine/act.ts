/**
 * Carries out one action: claim → prepare → attempt → commit → settle, segment by segment. Whatever
 * happens between two of these, the ledger knows enough to go on: a crash after segment k resumes
 * at k + 1, and a send whose answer was lost is unknown until the platform was read.
 */

import type { Fault } from '../core/fault.ts'
import type { AccountId, ActionId } from '../core/ids.ts'
import type { AttemptRow } from '../ledger/rows.ts'
import { faultOf } from './faults.ts'
import type { Parts } from './parts.ts'
import { mayResend, sendSegment } from './send.ts'
import { findUnknown, firstUnknown, landedSegments, toLanded, unitsOf } from './sent.ts'
import { partial, settle, stillUnknown, success } from './settlement.ts'
import { sendUndo } from './undo.ts'
import type { Work } from './work.ts'

export async function act(parts: Parts, id: ActionId, accountId: AccountId): Promise<void> {
  const { ledger, settings } = parts
  const account = await ledger.getAccount(accountId)
  if (account === null) return
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
  const { action, post, attempts, at: claimedAt } = claim
  const ground = { parts, account, post, policy, platform, connection, description }
  const work: Work = { ...ground, action, token, claimedAt }
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
  const open = firstUnknown(before, landed.length)
  if (open !== undefined && !mayResend(work, open, await parts.ledger.now())) {
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
