/**
 * Reads from the file what a step is shown. Each question is a lookup in an index and returns a
 * bounded number of rows, however long the history is. What a step does not look at is not read: a
 * settlement needs no post.
 */

import type { TallyEntry } from '../../core/history.ts'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Look } from '../../core/look.ts'
import { once } from '../../core/once.ts'
import type { Interactions, Sample } from '../../core/sample.ts'
import type { AccountRow, ActionRow, ApprovalRow, AttemptRow, PauseRow, PostRow } from '../rows.ts'
import { reservedLimit } from '../reach.ts'
import type { Reach } from '../store.ts'
import type { ActionView, ClaimView, DecisionView, LookView, PostView } from '../views.ts'
import type { Values } from './columns.ts'
import type { Connection } from './connection.ts'
import { ledgerError } from './errors.ts'
import { isReserved } from './migrations/007-reserved.ts'
import { accounts, actions, approvals, attempts, pauses, posts, samples } from './tables.ts'

export const viewQueries = {
  post: `SELECT ${posts.list}, number FROM posts WHERE id = ?`,
  account: `SELECT ${accounts.list} FROM accounts WHERE id = ?`,
  action: `SELECT ${actions.list} FROM actions WHERE id = ?`,
  postWithAccount: withAccount('?'),
  postOfAction: withAccount('(SELECT post_id FROM actions WHERE id = ?)'),
  actions: `SELECT ${actions.list},
      (SELECT at FROM incidents WHERE action_id = actions.id)
    FROM actions WHERE post_id = ? ORDER BY number`,
  attempts: `SELECT ${attempts.list} FROM attempts WHERE action_id = ? ORDER BY number`,
  approvals: `SELECT ${approvals.list} FROM approvals WHERE action_id = ? ORDER BY number`,
  ownReplies: 'SELECT at FROM own_replies WHERE post_id = ? ORDER BY number',
  samples: `SELECT ${samples.list} FROM samples WHERE post = ? AND at >= ? ORDER BY at`,
  looks: `SELECT at, policy, score, stalled FROM verdicts
    WHERE post_id = ? AND at >= ? AND score IS NOT NULL ORDER BY at DESC, number`,
  // With a LIMIT, SQLite would make a table to sort the few of the last instant in.
  latestVerdict: `SELECT kind, reason FROM verdicts WHERE post_id = ?1
    AND at = (SELECT at FROM verdicts WHERE post_id = ?1 ORDER BY at DESC LIMIT 1)
    ORDER BY number`,
  accountTally: `SELECT first_claimed_at, id FROM actions
    WHERE account_id = ? AND first_claimed_at >= ? AND undoes IS NULL
    ORDER BY first_claimed_at DESC, id LIMIT ? + 0`,
  accountReserved: `SELECT due_at FROM actions
    WHERE account_id = ? AND ${isReserved} ORDER BY due_at LIMIT ? + 0`,
  platformTally: `SELECT started_at FROM attempts
    WHERE platform = ? AND started_at >= ? ORDER BY started_at`,
  pauses: `SELECT ${pauses.list} FROM pauses
    WHERE (scope = 'everything' OR (scope = 'account' AND target = ?)
      OR (scope = 'platform' AND target = ?)) AND (until IS NULL OR until > ?)
    ORDER BY number`,
} as const

/**
 * A post, its number and its account, with what most posts have none of: whether there are replies
 * and pauses at all, which are only then asked for, and the account's actions without lift.
 */
function withAccount(postId: string): string {
  return `SELECT ${posts.qualified}, posts.number, ${accounts.qualified},
      EXISTS (SELECT 1 FROM own_replies WHERE post_id = posts.id),
      (SELECT max(number) FROM pauses),
      (SELECT json_group_object(action, count) FROM without_lift WHERE account_id = accounts.id)
    FROM posts CROSS JOIN accounts ON accounts.id = posts.account_id WHERE posts.id = ${postId}`
}

/** Where each part of it begins. */
const accountFrom = posts.columns.length + 1
const restFrom = accountFrom + accounts.columns.length

/** What a decision needs, read whole. */
export function readDecisionView(
  connection: Connection,
  postId: PostId,
  reach: Reach,
  now: Instant,
): DecisionView | null {
  const found = connection.get(viewQueries.postWithAccount, postId)
  return found === null ? null : readPostRows(connection, found, reach, now)
}

export function readPostView(
  connection: Connection,
  postId: PostId,
  reach: Reach,
  now: Instant,
): PostView | null {
  const found = connection.get(viewQueries.postWithAccount, postId)
  if (found === null) return null
  const rows = readPostRows(connection, found, reach, now)
  const accountReserved = once(() => readReserved(connection, rows.account, reach))
  return {
    ...rows,
    get accountReserved() {
      return accountReserved()
    },
  }
}

export function readLookView(
  connection: Connection,
  postId: PostId,
  now: Instant,
): LookView | null {
  const post = readPost(connection, postId)
  if (post === null) return null
  const [kind, reason] = connection.get(viewQueries.latestVerdict, postId) ?? []
  const latestVerdict = { kind, reason } as LookView['latestVerdict']
  return { now, post, latestVerdict: kind === undefined ? null : latestVerdict }
}

export function readClaimView(
  connection: Connection,
  id: ActionId,
  reach: Reach,
  now: Instant,
): ClaimView | null {
  const found = connection.get(viewQueries.postOfAction, id)
  if (found === null) return null
  const rows = readPostRows(connection, found, reach, now)
  const action = required(connection, rows.actions.find((row) => row.id === id) ?? null)
  const decided = once(() => readApprovals(connection, id))
  return {
    ...rows,
    action,
    attempts: readAttemptsOf(connection, action),
    get approvals() {
      return decided()
    },
  }
}

/** What nearly every step on a post looks at; `found` is the post with its account. */
function readPostRows(
  connection: Connection,
  found: Values,
  reach: Reach,
  now: Instant,
): DecisionView {
  const post = connection.read(posts, found)
  const number = Number(found[posts.columns.length])
  const account = connection.read(accounts, found, accountFrom)
  const [hasReplies, newestPause, withoutLift] = found.slice(restFrom)
  return {
    now,
    account,
    post,
    ...readActions(connection, post.id),
    ownReplies: hasReplies === 1 ? readOwnReplies(connection, post.id) : [],
    samples: connection.rows(sampleReader, viewQueries.samples, number, now - reach.samplesMs),
    looks: readLooks(connection, post.id, now - reach.looksMs),
    accountTally: readAccountTally(connection, account, reach, now),
    platformTally: readPlatformTally(connection, account.platform, reach.platformMs, now),
    withoutLift: JSON.parse(String(withoutLift)) as PostView['withoutLift'],
    pauses: newestPause === null ? [] : readPauses(connection, account, now),
  }
}

function readOwnReplies(connection: Connection, postId: PostId): readonly Instant[] {
  return connection.all(viewQueries.ownReplies, postId).map(([at]) => Number(at))
}

export function readActionView(
  connection: Connection,
  id: ActionId,
  now: Instant,
): ActionView | null {
  const action = readAction(connection, id)
  if (action === null) return null
  const post = once(() => required(connection, readPost(connection, action.postId)))
  const account = once(() => required(connection, readAccount(connection, action.accountId)))
  const attemptRows = once(() => readAttemptsOf(connection, action))
  const pausesInForce = once(() => readPauses(connection, account(), now))
  const decided = once(() => readApprovals(connection, id))
  return {
    now,
    action,
    get post() {
      return post()
    },
    get account() {
      return account()
    },
    get attempts() {
      return attemptRows()
    },
    get pauses() {
      return pausesInForce()
    },
    get approvals() {
      return decided()
    },
  }
}

/** The database itself sees to it that an action has a post and an account. */
function required<Row>(connection: Connection, row: Row | null): Row {
  if (row !== null) return row
  throw ledgerError('damaged', connection.path, 'An action has lost its post or its account')
}

export function readPost(connection: Connection, id: PostId): PostRow | null {
  return connection.row(posts, viewQueries.post, id)
}

export function readAccount(connection: Connection, id: AccountId): AccountRow | null {
  return connection.row(accounts, viewQueries.account, id)
}

export function readAction(connection: Connection, id: ActionId): ActionRow | null {
  return connection.row(actions, viewQueries.action, id)
}

export function readAttempts(connection: Connection, id: ActionId): readonly AttemptRow[] {
  return connection.rows(attempts, viewQueries.attempts, id)
}

export function readApprovals(connection: Connection, id: ActionId): readonly ApprovalRow[] {
  return connection.rows(approvals, viewQueries.approvals, id)
}

/** Most actions have none yet, and then there is nothing to look for. */
function readAttemptsOf(connection: Connection, action: ActionRow): readonly AttemptRow[] {
  return action.attempts === 0 ? [] : readAttempts(connection, action.id)
}

/** Reads samples, of which there are many. A counter that the network did not name is absent. */
export const sampleReader = {
  read([at, impressions, engagements, interactions]: Values): Sample {
    const counters = {
      at: at as Instant,
      impressions: impressions as number | null,
      engagements: engagements as number,
    }
    if (interactions === null) return counters
    return { ...counters, interactions: JSON.parse(interactions as string) as Interactions }
  },
}

function readActions(connection: Connection, postId: PostId) {
  const found = connection.all(viewQueries.actions, postId)
  const rows = found.map((values) => connection.read(actions, values))
  const incidents = rows.flatMap(({ id: actionId }, index) => {
    const at = found[index]?.[actions.columns.length] ?? null
    return at === null ? [] : { actionId, at: Number(at) }
  })
  return { actions: rows, incidents }
}

function readLooks(connection: Connection, postId: PostId, from: Instant): readonly Look[] {
  return connection.all(viewQueries.looks, postId, from).map(([at, policy, score, stalled]) => ({
    at: Number(at),
    policy: String(policy),
    score: Number(score),
    stalled: stalled === 1,
  }))
}

function readAccountTally(
  connection: Connection,
  { id }: AccountRow,
  { accountMs, accountLimit }: Reach,
  now: Instant,
) {
  if (accountLimit === 0) return []
  return connection
    .all(viewQueries.accountTally, id, now - accountMs, accountLimit)
    .map(([at, actionId]) => ({ at: Number(at), count: 1, actionId: actionId as ActionId }))
}

function readReserved(connection: Connection, { id }: AccountRow, reach: Reach) {
  const limit = reservedLimit(reach)
  if (limit === 0) return []
  return connection.all(viewQueries.accountReserved, id, limit).map(([at]) => Number(at))
}

/** None where the policy has no such budget. */
export function readPlatformTally(
  connection: Connection,
  platform: string,
  platformMs: number,
  now: Instant,
): readonly TallyEntry[] {
  if (platformMs <= 0) return []
  return connection
    .all(viewQueries.platformTally, platform, now - platformMs)
    .map(([at]) => ({ at: Number(at), count: 1 }))
}

function readPauses(
  connection: Connection,
  { id, platform }: AccountRow,
  now: Instant,
): readonly PauseRow[] {
  return connection.rows(pauses, viewQueries.pauses, id, platform, now)
}
