/** Decides on one post and, where the verdict is a plan, writes its text and plans it. */

import { toActionId } from '../core/ids.ts'
import { decide } from '../core/decide.ts'
import { drawArm } from '../core/lift/arm.ts'
import type { Policy } from '../core/policy.ts'
import type { Verdict } from '../core/verdict.ts'
import type { ContentResult } from '../content/content.ts'
import type { AccountRow, PostRow } from '../ledger/rows.ts'
import type { Description } from '../platform/platform.ts'
import type { Parts } from './parts.ts'
import { nextCheckAt } from './schedule.ts'

/** How far back a text is compared with what was said before. */
const recentTextCount = 20

export async function evaluate(parts: Parts, account: AccountRow, post: PostRow): Promise<void> {
  const { ledger } = parts
  const policy = await parts.policyOf(account)
  const description = parts.platformOf(account).describe(parts.connect(account))
  const input = await ledger.decisionInput(post.id, policy, description)
  if (input === null) return
  const verdict = decide(input)
  const next = nextCheckAt(post.publishedAt, input.now, policy)
  await ledger.recordVerdict(post.id, policy, { verdict, nextCheckAt: next })
  // Its watch is over. One that has an arm stays until its last measurement.
  if (next === null && post.arm === null) await ledger.closePost(post.id, 'closed')
  if (verdict.kind === 'plan' && account.mode !== 'watch') {
    await plan(parts, account, post, policy, description, verdict)
  }
}

async function plan(
  parts: Parts,
  account: AccountRow,
  post: PostRow,
  policy: Policy,
  description: Description,
  verdict: Verdict & { kind: 'plan' },
): Promise<void> {
  const { ledger, settings } = parts
  const written = await writeText(parts, account, post, description, verdict)
  if (written.kind === 'nothing') return
  const salt = await ledger.settleSetting('holdout_salt', parts.random.id())
  await ledger.plan({
    actionId: toActionId(parts.random.id()),
    postId: post.id,
    policy,
    capabilities: description,
    planned: verdict,
    text: written.text,
    expiresAfterMs: settings.planExpiresMs,
    noticeBeforeMs: settings.noticeBeforeMs,
    draw: drawArm({
      salt,
      postId: post.id,
      policy: verdict.trace.policy,
      holdoutShare: account.holdoutShare,
    }),
  })
}

async function writeText(
  parts: Parts,
  account: AccountRow,
  post: PostRow,
  description: Description,
  verdict: Verdict & { kind: 'plan' },
): Promise<ContentResult> {
  const { now } = verdict.trace
  const samples = await parts.ledger.listSamples(post.id)
  const newest = samples.at(-1)
  return parts.content.write({
    action: verdict.action,
    tier: verdict.tier,
    platform: account.platform,
    handle: account.handle,
    post: {
      text: post.text ?? '',
      url: post.url,
      publishedAt: post.publishedAt,
      ageMs: now - post.publishedAt,
    },
    numbers: {
      impressions: newest?.impressions ?? null,
      engagements: newest?.engagements ?? 0,
      score: verdict.score,
    },
    limits: {
      maximumLength: description.length.maximum,
      measure: description.length.measure,
      threadMaximum: description.threadMaximum,
    },
    recentTexts: await parts.ledger.listRecentTexts(account.id, recentTextCount),
  })
}
