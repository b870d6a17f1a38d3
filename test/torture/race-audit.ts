/**
 * Owns the judgement of a race. It counts from what the ledger holds afterwards, by arithmetic of
 * its own: it shares no code with the guards that it judges.
 */

import type { Action } from '../../src/core/action.ts'
import type { LedgerEvent } from '../../src/core/events.ts'
import type { ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { ActionRow, AttemptRow, OwnReplyRow } from '../../src/ledger/rows.ts'
import { Findings } from './findings.ts'
import { limits } from './race-world.ts'

export interface RaceFacts {
  readonly actions: readonly ActionRow[]
  readonly attempts: readonly AttemptRow[]
  readonly ownReplies: readonly OwnReplyRow[]
  readonly events: readonly LedgerEvent[]
  /** What the workers say they were given. */
  readonly claims: readonly { readonly actionId: ActionId; readonly token: string }[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What went wrong, in words; nothing where all held. */
export function findViolations(facts: RaceFacts): readonly string[] {
  const findings = new Findings()
  for (const action of facts.actions) auditAction(findings, action, facts)
  for (const [key, rows] of Map.groupBy(facts.actions, (row) => row.key)) {
    findings.require(rows.length === 1, `key ${key} has ${rows.length} rows`)
  }
  for (const [id, rows] of Map.groupBy(facts.actions, ({ accountId }) => accountId)) {
    auditAccount(findings, id, rows)
  }
  for (const [platform, sent] of Map.groupBy(facts.attempts, (attempt) => attempt.platform)) {
    const starts = sent.map(({ startedAt }) => startedAt)
    const most = mostWithin(starts, limits.platformWindowMs)
    findings.require(most <= limits.platformMaximum, `${platform} took ${most} in its window`)
  }
  for (const [postId, rows] of Map.groupBy(facts.actions, (row) => row.postId)) {
    auditPost(findings, postId, rows, facts)
  }
  return findings.list
}

/** It was begun once, and each claim was given to one worker. */
function auditAction(findings: Findings, action: ActionRow, facts: RaceFacts): void {
  const { id, state } = action
  const moves = facts.events.flatMap((event) =>
    event.type === 'action_changed' && event.actionId === id ? [event.data] : [],
  )
  const isFirst = ({ from, to }: (typeof moves)[number]) =>
    (from === 'planned' || from === 'approved') && to === 'running'
  const first = moves.filter(isFirst).length
  const runs = moves.filter(({ to }) => to === 'running').length
  const given = facts.claims.filter(({ actionId }) => actionId === id)
  const sends = facts.attempts.filter(({ actionId }) => actionId === id).length
  const isClaimed = action.firstClaimedAt !== null
  const isGiven = given.some(({ token }) => token === action.token)
  findings.require(first === (isClaimed ? 1 : 0), `${id} was claimed first ${first} times`)
  findings.require(given.length === runs, `${id} ran ${runs}, was given ${given.length} times`)
  findings.require(isClaimed === isGiven, `${id} runs under a token that nobody was given`)
  findings.require(sends <= 1, `${id} was sent ${sends} times`)
  findings.require(state !== 'success' || sends > 0, `${id} is done but not sent`)
}

function auditAccount(findings: Findings, id: string, rows: readonly ActionRow[]): void {
  const claims = rows.flatMap(({ firstClaimedAt: at }) => (at === null ? [] : [at]))
  const [inHour, inDay] = [mostWithin(claims, hourMs), mostWithin(claims, dayMs)]
  findings.require(inHour <= limits.perHour, `${id} began ${inHour} in an hour`)
  findings.require(inDay <= limits.perDay, `${id} began ${inDay} in a day`)
}

/** What the network shows on a post, and when. */
interface Landing {
  readonly action: Action
  readonly at: Instant
}

/** Goes through the rows of a post in the order in which they were planned. */
function auditPost(
  findings: Findings,
  postId: string,
  rows: readonly ActionRow[],
  facts: RaceFacts,
): void {
  const ordered = rows.toSorted((a, b) => placeOf(a, facts) - placeOf(b, facts))
  const landings: Landing[] = facts.ownReplies
    .filter((reply) => reply.postId === postId)
    .map(({ at }) => ({ action: 'comment', at }))
  let freeFrom = 0
  for (const row of ordered) {
    const isFree = row.plannedAt >= freeFrom
    findings.require(isFree, `${row.id} was planned beside another on ${postId}`)
    auditBeginning(findings, row, landings)
    landings.push(...landingsOf(row, facts.attempts))
    freeFrom = row.endedAt ?? Infinity
  }
}

function placeOf({ id }: ActionRow, { events }: RaceFacts): number {
  return events.findIndex(({ type, actionId }) => type === 'action_planned' && actionId === id)
}

function landingsOf({ id, action }: ActionRow, attempts: readonly AttemptRow[]): Landing[] {
  return attempts
    .filter(({ actionId, result }) => actionId === id && result === 'landed')
    .map(({ endedAt }) => ({ action, at: endedAt ?? Infinity }))
}

/** When an action began, the window had room and its kind had rested. */
function auditBeginning(findings: Findings, row: ActionRow, earlier: readonly Landing[]): void {
  const { id, action, firstClaimedAt: now } = row
  if (now === null) return
  const inWindow = earlier.filter(({ at }) => at >= now - limits.windowMs).length
  const rests = earlier.filter((landing) => landing.action === action).map(({ at }) => now - at)
  const restedMs = Math.min(...rests)
  const hasRested = restedMs >= limits.cooldownMs[action]
  findings.require(inWindow < limits.windowMaximum, `${id} began with ${inWindow} in the window`)
  findings.require(hasRested, `${id} began after ${restedMs} ms of rest`)
}

/** The most instants that lie in any span of this length, both its ends included. */
export function mostWithin(instants: readonly Instant[], lengthMs: number): number {
  const sorted = instants.toSorted((a, b) => a - b)
  let [from, most] = [0, 0]
  for (const [index, at] of sorted.entries()) {
    while ((sorted[from] ?? at) < at - lengthMs) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}
