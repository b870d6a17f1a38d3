/**
 * Lets a policy that tries things out choose an action, and the words for it, by what they did for
 * other posts on the platform. It chooses only for a post that is acted on anyway, among what every
 * guard lets pass, and only where enough posts are held out to learn from. Whether a post is held
 * out is drawn apart from it, and later.
 */

import { dayMs } from '../../core/duration.ts'
import type { Tier } from '../../core/action.ts'
import type { DecisionInput } from '../../core/decision-input.ts'
import { drawFrom, smallestHoldout } from '../../core/lift/arm.ts'
import type { Observation } from '../../core/lift/belief.ts'
import { byMaturity, effectScores } from '../../core/lift/effect-scores.ts'
import { chooseFrom, exploreAction, withTemplate } from '../../core/lift/explore.ts'
import type { Exploring, PlanVerdict } from '../../core/lift/explore.ts'
import type { ThompsonSettings } from '../../core/lift/explore-settings.ts'
import type { Instant } from '../../core/instant.ts'
import type { ContentResult } from '../../content/content.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import type { Parts } from '../parts.ts'
import type { DrawnPost } from './drawn.ts'
import { readEntries } from './entries.ts'

/** What choices for one post are made with; null where the policy alone says what is done. */
export interface Explorer {
  readonly parts: Parts
  readonly account: AccountRow
  readonly input: DecisionInput
  readonly settings: ThompsonSettings
}

/** Without held-out posts nobody can tell what helped, so nothing is chosen by it. */
export function explorerFor(
  parts: Parts,
  account: AccountRow,
  input: DecisionInput,
): Explorer | null {
  const { explore: settings } = input.policy
  if (settings?.kind !== 'thompson' || account.mode === 'watch') return null
  if (account.holdoutShare < smallestHoldout) return null
  return { parts, account, input, settings }
}

/** A text, and the plan it is for, with what was chosen noted in its trace. */
export interface ChosenText {
  readonly written: ContentResult
  readonly verdict: PlanVerdict
}

/** Writes the text of a plan. In another generation the writer says other words. */
export type Writer = (plan: PlanVerdict) => Promise<ContentResult>

/** Chooses what is done and said; without an explorer the policy and the writer alone do. */
export async function explore(
  explorer: Explorer | null,
  planned: PlanVerdict,
  write: Writer,
): Promise<ChosenText> {
  if (explorer === null) return { written: await write(planned), verdict: planned }
  const chosen = await exploreTheAction(explorer, planned)
  const text = await exploreTheWords(explorer, chosen, write)
  if (text.written.kind === 'text' || chosen.action === planned.action) return text
  // Nothing can be said in the way that was drawn: then the policy's own way, and no choice.
  return exploreTheWords(explorer, planned, write)
}

async function exploreTheAction(explorer: Explorer, planned: PlanVerdict): Promise<PlanVerdict> {
  const shown = await whatPostsShowed(explorer)
  const observations = shown
    .filter(({ tier }) => tier === planned.tier)
    .map(({ action, score, maturedAt }) => ({ option: action, score, maturedAt }))
  const exploring = await exploringFor(explorer, planned, 'action', observations)
  return exploreAction(explorer.input, planned, exploring)
}

/** How many templates are held beside each other. */
const mostVariants = 8

/**
 * The words of the next generations are what could be said as well. Only words of templates are
 * tried out: a model never says the same thing twice, so there is nothing to learn about.
 */
async function exploreTheWords(
  explorer: Explorer,
  verdict: PlanVerdict,
  write: Writer,
): Promise<ChosenText> {
  const first = await write(verdict)
  if (!explorer.settings.over.includes('template')) return { written: first, verdict }
  const variants = await variantsFrom(first, verdict, write)
  const observations = (await whatPostsShowed(explorer)).flatMap(
    ({ action, template, score, maturedAt }) =>
      action === verdict.action && template !== null
        ? [{ option: template, score, maturedAt }]
        : [],
  )
  const exploring = await exploringFor(explorer, verdict, 'template', observations)
  const choice = chooseFrom([...variants.keys()], explorer.input.now, exploring)
  const written = choice === null ? undefined : variants.get(choice.chosen)
  if (choice === null || written === undefined) return { written: first, verdict }
  return { written, verdict: withTemplate(verdict, choice) }
}

/** What each template says, in turn, until one comes again or something else writes. */
async function variantsFrom(
  first: ContentResult,
  verdict: PlanVerdict,
  write: Writer,
): Promise<ReadonlyMap<string, ContentResult>> {
  const variants = new Map<string, ContentResult>()
  let next = first
  for (let count = 1; ; count += 1) {
    const name = templateOf(next)
    if (name === null || variants.has(name)) return variants
    variants.set(name, next)
    if (count === mostVariants) return variants
    next = await write({ ...verdict, generation: verdict.generation + count })
  }
}

/** The name of the template that wrote it alone; null where something else had a part in it. */
function templateOf(result: ContentResult): string | null {
  if (result.kind !== 'text') return null
  return /^template:([a-z0-9-]+)$/.exec(result.source)?.[1] ?? null
}

/**
 * Like the arm, a choice is drawn from the names of things: every process draws the same, and
 * looking again does not draw again.
 */
async function exploringFor(
  { parts, input, settings }: Explorer,
  { tier, trace }: { readonly tier: Tier; readonly trace: PlanVerdict['trace'] },
  what: string,
  observations: readonly Observation[],
): Promise<Exploring> {
  const salt = await parts.ledger.settleSetting('holdout_salt', parts.random.id())
  const name = [salt, input.post.id, trace.policy, tier, input.history.length, what].join(':')
  return { settings, observations, draw: drawFrom(name) }
}

/** What one post said about what was wanted for it. */
interface Shown {
  readonly action: string
  readonly tier: string
  readonly template: string | null
  readonly score: number
  readonly maturedAt: Instant
}

/** By engine and platform. Losing it only means reading it once more. */
const known = new WeakMap<Parts, Map<string, { at: Instant; shown: readonly Shown[] }>>()

/** Reading every post costs far more than a decision, so it is done as seldom as for baselines. */
async function whatPostsShowed({ parts, account }: Explorer): Promise<readonly Shown[]> {
  const { ledger, settings } = parts
  const byPlatform = known.get(parts) ?? new Map<string, { at: Instant; shown: readonly Shown[] }>()
  known.set(parts, byPlatform)
  const now = await ledger.now()
  const kept = byPlatform.get(account.platform)
  if (kept !== undefined && now - kept.at < settings.baselineKeepMs) return kept.shown
  const entries = await readEntries(ledger, dayMs, undefined)
  const templates = new Map<string, string>()
  const posts: DrawnPost[] = []
  for (const { post, explored, platform } of entries) {
    if (post === null || platform !== account.platform) continue
    posts.push(post)
    const template = explored?.template?.chosen
    if (template !== undefined) templates.set(post.postId, template)
  }
  const shown = toShown(posts, templates)
  byPlatform.set(account.platform, { at: now, shown })
  return shown
}

function toShown(
  posts: readonly DrawnPost[],
  templates: ReadonlyMap<string, string>,
): readonly Shown[] {
  const scores = effectScores(posts)
  return byMaturity(posts).map(({ postId, action, tier, maturedAt }, index) => ({
    action,
    tier,
    template: templates.get(postId) ?? null,
    score: scores[index] as number,
    maturedAt,
  }))
}
