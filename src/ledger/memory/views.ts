/** Reads from the memory store what a step is shown. */

import { actions } from '../../core/action.ts'
import type { Action } from '../../core/action.ts'
import type { ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Look } from '../../core/look.ts'
import type { AccountRow, ActionRow, PauseRow, VerdictRow } from '../rows.ts'
import type { ActionView, PostView, Reach } from '../store.ts'
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
  const verdicts = tables.verdicts.get(postId).toSorted((a, b) => b.at - a.at)
  return {
    now,
    account,
    post,
    actions: rows,
    incidents: rows.map(({ id }) => id).filter((id) => tables.incidents.has(id)),
    ownReplies: tables.ownReplies.get(postId).map(({ at }) => at),
    samples: (tables.samples.get(postId) ?? []).filter(({ at }) => at >= now - reach.samplesMs),
    looks: verdicts.flatMap((row) => (row.at >= now - reach.looksMs ? toLook(row) : [])),
    latestVerdict: verdicts[0] ?? null,
    accountTally: readAccountTally(tables, account, reach, now),
    platformTally: tables.platformAttempts
      .get(account.platform)
      .filter((at) => reach.platformMs > 0 && at >= now - reach.platformMs)
      .map((at) => ({ at, count: 1 })),
    withoutLift: readWithoutLift(tables, account),
    pauses: pausesOf(tables.pauses, account, now),
  }
}

/** A verdict that could not tell is no look. */
function toLook({ at, policy, score, stalled }: VerdictRow): Look[] {
  return score === null ? [] : [{ at, policy, score, stalled }]
}

function readAccountTally(tables: MemoryTables, account: AccountRow, reach: Reach, now: Instant) {
  const from = now - reach.accountMs
  const entries = []
  for (const actionId of tables.actionsByAccount.get(account.id)) {
    const row = tables.actions.get(actionId)
    const at = row?.undoes === null ? row.firstClaimedAt : null
    if (at !== null && at >= from) entries.push({ at, count: 1, actionId })
  }
  return entries.sort((a, b) => b.at - a.at).slice(0, reach.accountLimit)
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
  return { now, account, post, action, attempts, pauses: pausesOf(tables.pauses, account, now) }
}

function pausesOf(
  pauses: readonly PauseRow[],
  account: AccountRow,
  now: Instant,
): readonly PauseRow[] {
  return pauses.filter(
    ({ scope, target, until }) =>
      (until === null || until > now) &&
      (scope === 'everything' ||
        (scope === 'account' ? target === account.id : target === account.platform)),
  )
}
