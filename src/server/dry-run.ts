/**
 * Replays a policy over the posts of the last days. Every reading is in the ledger already, so it
 * asks no network; it is bounded, because others wait for the same process.
 */

import type { z } from 'zod'
import { dayMs } from '../core/duration.ts'
import { toAccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Policy } from '../core/policy.ts'
import { mayHaveLanded } from '../core/states.ts'
import { backtest } from '../engine/backtest.ts'
import { recordedFrom } from '../engine/backtest/recorded-post.ts'
import type { RecordedPost } from '../engine/backtest/recorded-post.ts'
import type { BacktestReport } from '../engine/backtest/report.ts'
import type { PostSummary } from '../ledger/pages.ts'
import type { AccountRow } from '../ledger/rows.ts'
import { accountFilter } from './auth/actor.ts'
import type { Actor } from './auth/actor.ts'
import type { Services } from './context.ts'
import { policyFrom, policyOf } from './deciding.ts'
import { notFound } from './problem.ts'
import { mostDryRunPosts } from './schema/policy.ts'
import type { dryRunBody, DryRunView } from './schema/policy.ts'
import { iso } from './views/time.ts'

const pageSize = 200

export async function dryRun(
  services: Services,
  actor: Actor,
  body: z.output<typeof dryRunBody>,
): Promise<DryRunView> {
  const { ledger } = services
  const policy = await policyFrom(services, body.policy)
  const filter = accountFilter(actor, body.accountId)
  const account =
    body.accountId === undefined ? null : await ledger.getAccount(toAccountId(body.accountId))
  if (body.accountId !== undefined && account === null) throw notFound('account')
  const from = (await ledger.now()) - body.days * dayMs
  const { posts, more } = await readPosts(services, filter, from)
  const recorded = await Promise.all(posts.map((post) => recordPost(services, post)))
  const known = recorded.filter(({ agesMs }) => agesMs.length > 0)
  const report = replay(services, known, policy, account, from)
  const before = account === null ? null : await policyOf(services, account)
  return {
    from: iso(from),
    more,
    report: toReport(report),
    inForce: before === null ? null : toReport(replay(services, known, before, account, from)),
    outcomes: toOutcomes(report, posts),
  }
}

/** Older posts are not replayed, but what was usual is known from them. */
async function readPosts(
  { ledger }: Services,
  filter: ReturnType<typeof accountFilter>,
  from: number,
): Promise<{ readonly posts: readonly PostSummary[]; readonly more: boolean }> {
  const posts: PostSummary[] = []
  let before: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof ledger.pagePosts>> = await ledger.pagePosts(filter, {
      before,
      limit: pageSize,
    })
    posts.push(...page.items)
    if (posts.length > mostDryRunPosts) {
      const more = (posts[mostDryRunPosts]?.publishedAt ?? 0) >= from
      return { posts: posts.slice(0, mostDryRunPosts), more }
    }
    if (page.next === null) return { posts, more: false }
    before = page.next
  }
}

async function recordPost({ ledger }: Services, post: PostSummary): Promise<RecordedPost> {
  const isHeldOut = post.arm === 'holdout' && post.propensity !== null && post.propensity < 1
  const head = {
    id: post.id,
    account: post.accountId,
    platform: post.platform,
    publishedAt: post.publishedAt,
    weight: isHeldOut ? 1 / (1 - (post.propensity ?? 0)) : 1,
    actedOn: post.action !== null && mayHaveLanded(post.action.state),
  }
  return recordedFrom(head, await ledger.listSamples(post.id))
}

function replay(
  { networks }: Services,
  posts: readonly RecordedPost[],
  policy: Policy,
  account: AccountRow | null,
  since: Instant,
): BacktestReport {
  if (account === null) return backtest(posts, policy, { since })
  const capabilities = networks.describe(account)
  const { timeZone } = account
  const known = capabilities === null ? {} : { capabilities }
  return backtest(posts, policy, { timeZone, since, ...known })
}

function toReport(report: BacktestReport): DryRunView['report'] {
  return {
    policy: report.policy,
    posts: report.posts,
    looks: report.looks,
    neverScored: report.neverScored,
    actions: report.actions,
    byAction: { ...report.byAction },
    byTier: { ...report.byTier },
    actedOn: { ...report.actedOn },
    medianFirstAgeMs: report.medianFirstAgeMs,
    precision: { ...report.precision },
    healthyBothered: { ...report.healthyBothered },
    stagnantReached: { ...report.stagnantReached },
    reasons: { ...report.reasons },
  }
}

function toOutcomes(
  { outcomes }: BacktestReport,
  posts: readonly PostSummary[],
): DryRunView['outcomes'] {
  const byId = new Map(posts.map((post) => [post.id as string, post]))
  return outcomes.flatMap(({ id, actions }) => {
    const post = byId.get(id)
    if (post === undefined) return []
    return [
      {
        postId: id,
        publishedAt: iso(post.publishedAt),
        text: post.text,
        actions: actions.map(({ at, ageMs, action, tier, score }) => ({
          at: iso(at),
          ageMs,
          action,
          tier,
          score,
        })),
      },
    ]
  })
}
