/** Decides on one post and, where the verdict is a plan, writes its text and plans it. */

import { toActionId } from '../core/ids.ts'
import { decide } from '../core/decide.ts'
import { drawArm } from '../core/lift/arm.ts'
import { decideExploring } from '../core/lift/explore.ts'
import type { Policy } from '../core/policy.ts'
import type { AccountBaseline } from '../core/signal.ts'
import { untilEvent } from '../core/until.ts'
import type { Verdict } from '../core/verdict.ts'
import type { ContentResult } from '../content/content.ts'
import type { AccountRow, PostRow } from '../ledger/rows.ts'
import type { Description } from '../platform/platform.ts'
import { storeCurve } from './baselines.ts'
import { keepChoice } from './learning/choices.ts'
import { explore, explorerFor } from './learning/exploring.ts'
import type { Parts } from './parts.ts'
import { nextCheckAt } from './schedule.ts'

/** How far back a text is compared with what was said before. */
const recentTextCount = 20

export async function evaluate(parts: Parts, account: AccountRow, post: PostRow): Promise<void> {
  const { ledger } = parts
  const policy = await parts.policyOf(account)
  const description = parts.platformOf(account).describe(parts.connect(account))
  const baseline = await parts.baselineOf(account)
  const input = await ledger.decisionInput(post.id, policy, description, baseline)
  if (input === null) return
  await storeCurve(ledger, post, input)
  const explorer = explorerFor(parts, account, input)
  const decided = explorer === null ? decide(input) : decideExploring(input, explorer.settings)
  const isPlan = decided.kind === 'plan' && account.mode !== 'watch'
  const chosen = isPlan
    ? await explore(explorer, decided, (each) => writeText(parts, account, post, description, each))
    : null
  const written = chosen?.written
  const verdict = written?.kind === 'nothing' ? withoutWords(decided) : (chosen?.verdict ?? decided)
  const next = nextCheckAt(post.publishedAt, input.now, policy)
  await ledger.recordVerdict(post.id, policy, { verdict, nextCheckAt: next })
  // Its watch is over. One that has an arm stays until its last measurement.
  if (next === null && post.arm === null) await ledger.closePost(post.id, 'closed')
  if (verdict.kind !== 'plan' || written?.kind !== 'text') return
  await plan(parts, account, post, { policy, description, baseline, verdict, text: written.text })
}

/** Without words there is no plan; the verdict says so, and the next look tries again. */
function withoutWords(verdict: Verdict): Verdict {
  if (verdict.kind !== 'plan') return verdict
  const { score, tier, trace } = verdict
  const until = untilEvent('next_look')
  return { kind: 'hold', reason: 'nothing_to_say', until, score, tier, trace }
}

interface Intention {
  readonly policy: Policy
  readonly description: Description
  readonly baseline: AccountBaseline | null
  readonly verdict: Verdict & { kind: 'plan' }
  readonly text: string
}

async function plan(
  parts: Parts,
  account: AccountRow,
  post: PostRow,
  { policy, description, baseline, verdict, text }: Intention,
): Promise<void> {
  const { ledger, settings, random } = parts
  if (policy.explore?.kind === 'thompson' && post.arm === null) {
    await keepChoice(ledger, post.id, verdict.trace.explored ?? null)
  }
  const salt = await ledger.settleSetting('holdout_salt', random.id())
  await ledger.plan({
    actionId: toActionId(random.id()),
    postId: post.id,
    policy,
    capabilities: description,
    baseline,
    planned: verdict,
    text,
    writtenFor: post,
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
    generation: verdict.generation,
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
