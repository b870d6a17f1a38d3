/** Reads from the memory store what a step is shown. */

import { actions } from '../../core/action.ts'
import type { Action } from '../../core/action.ts'
import type { TallyEntry } from '../../core/history.ts'
import type { ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Look } from '../../core/look.ts'
import type { AccountRow, ActionRow, PauseRow, VerdictRow } from '../rows.ts'
import { reservedLimit } from '../reach.ts'
import { concerns, isInForce } from '../steps/pause.ts'
import type { Reach } from '../store.ts'
import type { ActionView, LookView, PostView } from '../views.ts'
import type { MemoryTables } from './tables.ts'

export function readPostView(
  tables: MemoryTables,
  postId: PostId,
  reach: Reach,
  now: Instant,
): PostView | null {
  const post = tables.posts.get(postId)
  const account = post === undefined ? undefined : tables.accounts.get(post.accountId)
  if (post === undefined || account === undefined) return null
  const rows = tables.actionsByPost.get(postId).map((id) => tables.actions.get(id) as ActionRow)
  const verdicts = tables.verdicts.get(postId)
  return {
    now,
    account,
    post,
    actions: rows,
    incidents: rows.flatMap(({ id }) => tables.incidents.get(id) ?? []),
    ownReplies: tables.ownReplies.get(postId).map(({ at }) => at),
    samples: since(tables.samples.get(postId) ?? [], now - reach.samplesMs, timeOf),
    looks: readLooks(verdicts, now - reach.looksMs),
    accountTally: readAccountTally(tables, account, reach, now),
    accountReserved: readReserved(tables, account, reach),
    platformTally: readPlatformTally(tables, account.platform, reach.platformMs, now),
    withoutLift: readWithoutLift(tables, account),
    pauses: pausesOf(tables.pauses, account, now),
  }
}

export function readLookView(tables: MemoryTables, id: PostId, now: Instant): LookView | null {
  const post = tables.posts.get(id)
  return post === undefined
    ? null
    : { now, post, latestVerdict: tables.verdicts.get(id)[0] ?? null }
}

/** The end of a list in ascending time, from a moment on. */
function since<Entry>(
  entries: readonly Entry[],
  from: Instant,
  at: (entry: Entry) => Instant,
): readonly Entry[] {
  let start = entries.length
  while (start > 0 && at(entries[start - 1] as Entry) >= from) start -= 1
  return entries.slice(start)
}

function timeOf({ at }: { readonly at: Instant }): Instant {
  return at
}

/** A verdict that could not tell is no look. */
function readLooks(newestFirst: readonly VerdictRow[], from: Instant): readonly Look[] {
  const looks: Look[] = []
  for (const { at, policy, score, stalled } of newestFirst) {
    if (at < from) break
    if (score !== null) looks.push({ at, policy, score, stalled })
  }
  return looks
}

function readAccountTally(tables: MemoryTables, account: AccountRow, reach: Reach, now: Instant) {
  if (reach.accountLimit === 0) return []
  return since(tables.claims.get(account.id), now - reach.accountMs, timeOf)
    .slice(-reach.accountLimit)
    .reverse()
    .map(({ at, actionId }) => ({ at, count: 1, actionId }))
}

function readReserved(tables: MemoryTables, { id }: AccountRow, reach: Reach) {
  const times = [...(tables.reserved.get(id)?.values() ?? [])]
  return times.sort((a, b) => a - b).slice(0, reservedLimit(reach))
}

/** A length of 0 asks for none. */
export function readPlatformTally(
  tables: MemoryTables,
  platform: string,
  platformMs: number,
  now: Instant,
): readonly TallyEntry[] {
  if (platformMs === 0) return []
  const times = since(tables.platformAttempts.get(platform), now - platformMs, (at) => at)
  return times.map((at) => ({ at, count: 1 }))
}

function readWithoutLift(
  tables: MemoryTables,
  account: AccountRow,
): Partial<Record<Action, number>> {
  const counts: Partial<Record<Action, number>> = {}
  for (const action of actions) {
    const count = tables.withoutLift.get(`${action} ${account.id}`)
    if (count !== undefined) counts[action] = count
  }
  return counts
}

export function readActionView(
  tables: MemoryTables,
  id: ActionId,
  now: Instant,
): ActionView | null {
  const action = tables.actions.get(id)
  if (action === undefined) return null
  const post = tables.posts.get(action.postId)
  const account = tables.accounts.get(action.accountId)
  if (post === undefined || account === undefined) return null
  const attempts = [...tables.attempts.get(id)]
  const approvals = [...tables.approvals.get(id)]
  const pauses = pausesOf(tables.pauses, account, now)
  return { now, account, post, action, attempts, approvals, pauses }
}

function pausesOf(
  pauses: readonly PauseRow[],
  account: AccountRow,
  now: Instant,
): readonly PauseRow[] {
  return pauses.filter((row) => isInForce(row, now) && concerns(row, account.id, account.platform))
}
