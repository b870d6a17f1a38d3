/**
 * Owns the world of the race: accounts with more plans than their budgets allow at once, posts to
 * which their owners replied themselves, and a platform that takes few attempts at a time.
 */

import { dayMs, hourMs, minuteMs } from '../../src/core/duration.ts'
import type { GuardSettings } from '../../src/core/guards/guards.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { AccountRow, OwnReplyRow, PostRow } from '../../src/ledger/rows.ts'
import { newAccount, newPost, planOf, policyFor, stalledSamples } from './ledger-rows.ts'

/** What the race must never exceed. The auditor counts by these numbers and not by the guards. */
export const limits = {
  perHour: 4,
  perDay: 16,
  platformWindowMs: 5 * minuteMs,
  platformMaximum: 6,
  windowMs: 90 * minuteMs,
  windowMaximum: 2,
  cooldownMs: { comment: 30 * minuteMs, edit: 2 * hourMs, thread: 3 * hourMs },
} as const

const { perHour, perDay, windowMs, cooldownMs } = limits
const counts = 'may_have_landed'
const guards: readonly GuardSettings[] = [
  { guard: 'paused' },
  { guard: 'post_age', fromMs: 30 * minuteMs, toMs: 7 * dayMs },
  { guard: 'open_action' },
  { guard: 'duplicate' },
  { guard: 'window_frequency', windowMs, maximum: limits.windowMaximum, counts },
  { guard: 'action_cooldown', cooldownMs, counts, last: 'in_time' },
  { guard: 'lifetime_maximum', maximum: 3 },
  { guard: 'account_budget', perHour, perDay },
  { guard: 'platform_budget', windowMs: limits.platformWindowMs, maximum: limits.platformMaximum },
  { guard: 'failed_before', firstHoldMs: hourMs, maximum: 2 },
]

export const racePolicy: Policy = policyFor('race', guards)

const platforms = ['bluesky', 'mastodon'] as const
const postsPerAccount = 12
/** Each post gets a comment and then an edit. */
export const plansPerPost = 2

export interface RaceSetup {
  readonly posts: readonly PostRow[]
  readonly ownReplies: readonly OwnReplyRow[]
}

/**
 * Tracks the posts, plans a comment for each, and then lets some owners reply themselves. A person
 * approves the comments, so that all of them are due at once: plans by themselves are due apart.
 */
export async function setUpRace(ledger: Ledger, plans: number): Promise<RaceSetup> {
  await ledger.savePolicy(racePolicy)
  const now = await ledger.now()
  const posts: PostRow[] = []
  const accounts: AccountRow[] = []
  for (let number = 0; number < plans / plansPerPost; number += 1) {
    const owner = Math.floor(number / postsPerAccount)
    const platform = platforms[owner % platforms.length] ?? platforms[0]
    const account = newAccount(`account-${owner}`, platform, racePolicy)
    if (number % postsPerAccount === 0) accounts.push(account)
    posts.push(newPost(`post-${number}`, account, now))
  }
  for (const account of accounts) await ledger.saveAccount({ ...account, mode: 'approve' })
  await ledger.trackPosts(posts)
  await ledger.recordSamples(posts.flatMap((post) => stalledSamples(post, now)))
  await Promise.all(posts.map((post) => planApproved(ledger, post)))
  for (const account of accounts) await ledger.saveAccount(account)
  const ownReplies = posts.flatMap((post, number) => repliesTo(post, number, now))
  await ledger.recordOwnReplies(ownReplies)
  return { posts, ownReplies }
}

async function planApproved(ledger: Ledger, post: PostRow): Promise<void> {
  const planned = await ledger.plan(planOf(`${post.id}-comment`, post, racePolicy))
  if (planned.kind !== 'planned') throw new Error(`Not planned: ${JSON.stringify(planned)}`)
  const { id: actionId, textHash } = planned.action
  const decision = { kind: 'approve', textHash, graceMs: 0, expiresAfterMs: 7 * dayMs } as const
  const decided = await ledger.decide({ actionId, by: 'anna', decision })
  if (decided.kind !== 'done') throw new Error(`Not approved: ${JSON.stringify(decided)}`)
}

/** None, one that makes a comment wait, or two that fill the window. */
function repliesTo({ id: postId }: PostRow, number: number, at: Instant): readonly OwnReplyRow[] {
  return Array.from({ length: number % 3 }, (_, reply) => ({
    postId,
    remoteId: `own-${reply}`,
    at,
  }))
}
