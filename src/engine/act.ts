/**
 * Carries out one action: claim → prepare → attempt → commit → settle, segment by segment. Whatever
 * happens between two of these, the ledger knows enough to go on: a crash after segment k resumes
 * at k + 1, and a send whose answer was lost is unknown until the platform was read.
 */

import type { ActionId } from '../core/ids.ts'
import type { AttemptRow } from '../ledger/rows.ts'
import { withDeadline } from './deadline.ts'
import { classify } from './faults.ts'
import type { Parts } from './parts.ts'
import { begin, isLanded, sendSegment, toLanded, unitsOf } from './send.ts'
import type { Work } from './send.ts'
import { settle, settleFault, success } from './settlement.ts'

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
  if (claim.kind !== 'claimed') return
  const { action, attempts } = claim
  const work = { parts, account, post, policy, platform, connection, description, action, token }
  await (action.undoes === null ? sendAll(work, attempts) : sendUndo(work, attempts))
}

async function sendAll(work: Work, before: readonly AttemptRow[]): Promise<void> {
  const { parts, action, token } = work
  const units = unitsOf(action, work.description)
  const landed = before.filter(isLanded).map(toLanded)
  // All of it is out although nobody could say so at the time.
  if (landed.length >= units.length) return settle(work, null, success(work, landed))
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
  const target = (await parts.ledger.listAttempts(action.undoes)).filter(isLanded)
  const attempt = await begin(work, before.length, { undoes: action.undoes })
  if (attempt === null) return
  try {
    for (const { prepared: token, ...landed } of target.toReversed()) {
      await withDeadline(parts.clock, parts.settings.sendDeadlineMs, (signal) =>
        platform.undo({ connection, signal, token, landed: toLanded(landed) }),
      )
    }
  } catch (error) {
    const fault = await classify(parts, work.account, error, 'write')
    return settleFault(work, attempt.id, fault, { before, landed: [] })
  }
  const outcome = { remoteIds: [], url: null, partial: false }
  await settle(work, attempt.id, { kind: 'success', remoteId: null, outcome })
}
