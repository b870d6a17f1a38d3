/**
 * Matches an account with its timeline after a restore. The ledger does not know what was sent
 * after the backup was made, so nothing may be sent before this was done (I1, I11). What stands on
 * the network counts; what cannot be told is left to a person, and the pause stays.
 */

import { minuteMs } from '../core/duration.ts'
import type { PostId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import { isOpen, states } from '../core/states.ts'
import { discover } from '../engine/discover.ts'
import { observe } from '../engine/observe.ts'
import { assemble } from '../engine/parts.ts'
import type { Parts } from '../engine/parts.ts'
import type { AccountRow, ActionRow, OwnReplyRow, PostRow } from '../ledger/rows.ts'
import type { Services } from './context.ts'

/** A network's clock is not ours: what it dates a little earlier may be from after the backup. */
const clockToleranceMs = 5 * minuteMs
const pageSize = 200

export interface Matched {
  readonly posts: number
  readonly unread: readonly PostId[]
  readonly replies: readonly OwnReplyRow[]
  readonly cancelled: readonly ActionRow[]
  readonly doubtful: readonly ActionRow[]
  readonly open: readonly ActionRow[]
}

/** Reads everything that may have been acted on. Whoever calls has made sure that it can. */
export async function matchAccount(
  services: Services,
  account: AccountRow,
  { backupAt, by }: { readonly backupAt: Instant; readonly by: string },
): Promise<Matched> {
  const { ledger } = services
  const found = new Map<string, OwnReplyRow>()
  const parts = readingParts(services, (row) => found.set(row.remoteId, row))
  await discover(parts, account.id)
  const posts = await watchedPosts(services, account)
  const live = await observe(parts, account, posts)
  const unread = await stillWatched(services, posts, live)
  const replies = [...found.values()].filter(({ at }) => at >= backupAt - clockToleranceMs)
  await freeClaims(parts)
  const filter = { accountId: account.id, states: states.filter(isOpen) }
  const rows = await everything((page) => ledger.listActions(filter, page))
  const cancelled: ActionRow[] = []
  const doubtful: ActionRow[] = []
  const open: ActionRow[] = []
  for (const row of rows) {
    const sent = replies.some((reply) => mayBeOf(row, reply))
    const ended = sent ? await cancel(services, row, by) : null
    if (ended !== null) cancelled.push(ended)
    else if (await isHalfSent(services, account, row)) doubtful.push(row)
    else open.push(row)
  }
  return { posts: posts.length - unread.length, unread, replies, cancelled, doubtful, open }
}

/** What the engine reads and stores with, but for the words, which nobody writes here. */
function readingParts(services: Services, note: (reply: OwnReplyRow) => void): Parts {
  const { ledger, platforms, clock, random, networks } = services
  const content = { write: () => Promise.reject(new Error('Nothing is written while reading')) }
  const noting = {
    ...ledger,
    recordOwnReplies: async (replies: readonly OwnReplyRow[]) => {
      await ledger.recordOwnReplies(replies)
      for (const reply of replies) note(reply)
    },
  }
  const parts = assemble({ ledger: noting, platforms, clock, random, content })
  return { ...parts, connect: (account) => networks.connect(account) }
}

/** Posts of an imported history have no next check, and no id that the network knows. */
async function watchedPosts({ ledger }: Services, { id }: AccountRow): Promise<readonly PostRow[]> {
  const filter = { accountId: id, status: 'watched' } as const
  const posts = await everything((page) => ledger.listPosts(filter, page))
  return posts.filter(({ nextCheckAt }) => nextCheckAt !== null)
}

/** Those that were neither read nor found to be gone. */
async function stillWatched(
  { ledger }: Services,
  posts: readonly PostRow[],
  live: readonly PostRow[],
): Promise<readonly PostId[]> {
  const read = new Set(live.map(({ id }) => id))
  const left: PostId[] = []
  for (const { id } of posts) {
    if (!read.has(id) && (await ledger.getPost(id))?.status === 'watched') left.push(id)
  }
  return left
}

/** The process that held them is gone with the ledger that was replaced. */
async function freeClaims({ ledger, settings }: Parts): Promise<void> {
  let freed: readonly ActionRow[]
  do freed = await ledger.expire(pageSize, settings.settleDelayMs)
  while (freed.length === pageSize)
}

function mayBeOf({ action, undoes, postId, plannedAt }: ActionRow, reply: OwnReplyRow): boolean {
  if (action === 'edit' || undoes !== null || reply.postId !== postId) return false
  return reply.at >= plannedAt - clockToleranceMs
}

/** Null where it is too late to cancel: then reading the network settles it. */
async function cancel(
  { ledger }: Services,
  { id: actionId }: ActionRow,
  by: string,
): Promise<ActionRow | null> {
  const reason = 'it may have been sent after the backup was made'
  const result = await ledger.decide({ actionId, by, decision: { kind: 'cancel', reason } })
  return result.kind === 'done' ? result.action : null
}

/**
 * A thread that goes out post by post would go on where the backup ends, and perhaps repeat what
 * was sent since: only replies to the post itself are seen, and not those further down.
 */
async function isHalfSent(
  { ledger, networks }: Services,
  account: AccountRow,
  { id, action, undoes, state }: ActionRow,
): Promise<boolean> {
  const isAtomic = networks.describe(account)?.threadIsAtomic ?? true
  if (action !== 'thread' || undoes !== null || isAtomic) return false
  if (state === 'running' || state === 'unknown') return true
  if (state !== 'waiting') return false
  return (await ledger.listAttempts(id)).some(({ result }) => result === 'landed')
}

interface Page {
  readonly after: string | null
  readonly limit: number
}

async function everything<Row extends { readonly id: string }>(
  read: (page: Page) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? null, limit: pageSize })
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}
