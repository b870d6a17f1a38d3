/** Decides on posts of one account and, where a verdict is a plan, writes its text and plans it. */

import type { DecisionInput } from '../core/decision-input.ts'
import { toActionId } from '../core/ids.ts'
import type { PostId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
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
import { inParallel } from './in-parallel.ts'
import { keepChoice } from './learning/choices.ts'
import { explore, explorerFor } from './learning/exploring.ts'
import type { Parts } from './parts.ts'
import { RecentTexts } from './recent-texts.ts'
import { nextCheckAt } from './schedule.ts'

/** How far back a text is compared with what was said before. */
const recentTextCount = 20

/** Runs what one post needs. False where it failed, which is the caller's to tell of. */
export type TryPost = (post: PostRow, run: () => Promise<void>) => Promise<boolean>

/** Decides on posts of one account. Returns those of which it is known when to look again. */
export async function evaluate(
  parts: Parts,
  account: AccountRow,
  posts: readonly PostRow[],
  tryPost: TryPost,
): Promise<ReadonlySet<PostId>> {
  const { ledger, settings } = parts
  const decided = new Set<PostId>()
  if (posts.length === 0) return decided
  const policy = await parts.policyOf(account)
  const description = parts.platformOf(account).describe(parts.connect(account))
  const baseline = await parts.baselineOf(account)
  const recentTexts = new RecentTexts(() => ledger.listRecentTexts(account.id, recentTextCount))
  const ground = { parts, account, policy, description, baseline, recentTexts }
  const ids = posts.map(({ id }) => id)
  const inputs = await ledger.decisionInputs(ids, policy, description, baseline)
  const looks: Look[] = []
  await inParallel([...posts.entries()], settings.looksAtOnce, async ([index, post]) => {
    const input = inputs[index]
    if (input === null || input === undefined) return
    await tryPost(post, async () => {
      looks.push(await look(ground, post, input))
    })
  })
  await ledger.recordVerdicts(
    looks.map(({ post, verdict, nextCheckAt: at }) => ({
      postId: post.id,
      verdict,
      nextCheckAt: at,
    })),
  )
  for (const { post } of looks.filter(isSettled)) decided.add(post.id)
  const unsettled = looks.filter((each) => !isSettled(each))
  await inParallel(unsettled, settings.looksAtOnce, async (each) => {
    const { post } = each
    if (await tryPost(post, () => follow(ground, each))) decided.add(post.id)
  })
  return decided
}

/** What decisions on posts of one account rest on. */
interface Ground {
  readonly parts: Parts
  readonly account: AccountRow
  readonly policy: Policy
  readonly description: Description
  readonly baseline: AccountBaseline | null
  readonly recentTexts: RecentTexts
}

/** What looking at one post came to. */
interface Look {
  readonly post: PostRow
  readonly verdict: Verdict
  readonly nextCheckAt: Instant | null
  /** Written where the verdict is a plan and the account acts. */
  readonly text: string | null
}

async function look(ground: Ground, post: PostRow, input: DecisionInput): Promise<Look> {
  const { parts, account, policy } = ground
  await storeCurve(parts.ledger, post, input)
  const explorer = explorerFor(parts, account, input)
  const decided = explorer === null ? decide(input) : decideExploring(input, explorer.settings)
  const isPlan = decided.kind === 'plan' && account.mode !== 'watch'
  const chosen = isPlan
    ? await explore(explorer, decided, (each) => writeText(ground, post, input, each))
    : null
  const written = chosen?.written
  const verdict = written?.kind === 'nothing' ? withoutWords(decided) : (chosen?.verdict ?? decided)
  const text = written?.kind === 'text' ? written.text : null
  return { post, verdict, text, nextCheckAt: nextCheckAt(post.publishedAt, input.now, policy) }
}

/** Most are over with their verdict. */
function isSettled({ verdict, nextCheckAt: at }: Look): boolean {
  return at !== null && verdict.kind !== 'plan'
}

/** What a verdict asks for, once it is stored. */
async function follow(
  ground: Ground,
  { post, verdict, text, nextCheckAt: at }: Look,
): Promise<void> {
  // Its watch is over. One that has an arm stays until its last measurement.
  if (at === null && post.arm === null) await ground.parts.ledger.closePost(post.id, 'closed')
  if (verdict.kind === 'plan' && text !== null) await plan(ground, post, verdict, text)
}

/** Without words there is no plan; the verdict says so, and the next look tries again. */
function withoutWords(verdict: Verdict): Verdict {
  if (verdict.kind !== 'plan') return verdict
  const { score, tier, trace } = verdict
  const until = untilEvent('next_look')
  return { kind: 'hold', reason: 'nothing_to_say', until, score, tier, trace }
}

async function plan(
  { parts, account, policy, description, baseline }: Ground,
  post: PostRow,
  verdict: Verdict & { kind: 'plan' },
  text: string,
): Promise<void> {
  const { ledger, settings, random } = parts
  if (policy.explore?.kind === 'thompson' && post.arm === null) {
    await keepChoice(ledger, post.id, verdict.trace.explored ?? null)
  }
  const salt = await parts.holdoutSalt()
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

function writeText(
  { parts, account, description, recentTexts }: Ground,
  post: PostRow,
  { samples }: DecisionInput,
  verdict: Verdict & { kind: 'plan' },
): Promise<ContentResult> {
  const { now } = verdict.trace
  const newest = samples.at(-1)
  const request = {
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
  }
  return recentTexts.add((texts) => parts.content.write({ ...request, recentTexts: texts }))
}
