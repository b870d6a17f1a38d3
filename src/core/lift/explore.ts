/**
 * Owns the choice of an action for a post that a policy would act on anyway. It is made among the
 * actions of the post's tier that the platform has and that every guard lets pass; the rest of the
 * decision stays. So exploring changes what is done and hardly ever whether: only where the tier's
 * first action was found futile, another may take its place.
 *
 * The choice is made before the arm is drawn, and alike for both arms. Acted-on and held-out posts
 * of one action therefore differ by chance alone, and their comparison stays honest.
 */

import type { Tier } from '../action.ts'
import { decide } from '../decide.ts'
import type { DecisionInput } from '../decision-input.ts'
import type { Verdict } from '../verdict.ts'
import { formatPercent } from '../wording.ts'
import { beliefsOf } from './belief.ts'
import type { Observation } from './belief.ts'
import type { ThompsonSettings } from './explore-settings.ts'
import { choose } from './thompson.ts'
import type { Choice } from './thompson.ts'

/** What was chosen by what it did before; null where the policy itself said. */
export interface Explored {
  readonly action: Choice | null
  readonly template: Choice | null
}

/** A verdict to act. */
export type PlanVerdict = Verdict & { readonly kind: 'plan' }

/** What a choice is made with. */
export interface Exploring {
  readonly settings: ThompsonSettings
  /** Of the same tier, so that like is compared with like. */
  readonly observations: readonly Observation[]
  /** At least 0 and below 1. */
  readonly draw: number
}

/**
 * Decides as the policy does, but where its own action is held as futile, the next one of the tier
 * that every guard lets pass is planned: to look for what helps is what exploring is for.
 */
export function decideExploring(input: DecisionInput, { over }: ThompsonSettings): Verdict {
  const verdict = decide(input)
  const isFutile = verdict.kind === 'hold' && verdict.reason === 'futility'
  if (!isFutile || !over.includes('action')) return verdict
  const [next] = allowedPlans(input, verdict).values()
  return next ?? verdict
}

/** Chooses the action of a plan; the same plan where there is no choice. */
export function exploreAction(
  input: DecisionInput,
  planned: PlanVerdict,
  exploring: Exploring,
): PlanVerdict {
  if (!exploring.settings.over.includes('action')) return planned
  const allowed = allowedPlans(input, planned)
  const choice = chooseFrom([...allowed.keys()], input.now, exploring)
  const chosen = choice === null ? undefined : allowed.get(choice.chosen)
  if (choice === null || chosen === undefined) return planned
  const { trace } = chosen
  // Why the platform's lacks were passed over is in the trace of the whole ladder.
  const passedOver = planned.trace.action?.passedOver ?? []
  const action = { action: chosen.action, passedOver }
  const explored: Explored = { action: choice, template: null }
  return { ...chosen, trace: { ...trace, action, explored } }
}

/** Null where there is only one. */
export function chooseFrom(
  names: readonly string[],
  now: number,
  { settings, observations, draw }: Exploring,
): Choice | null {
  if (names.length < 2) return null
  const { evenShare, halfLifeMs } = settings
  const beliefs = beliefsOf({ options: names, observations, now, halfLifeMs })
  return choose({ names, beliefs, evenShare, draw })
}

/** Decides once for each action of the tier, as if the ladder had no other. */
function allowedPlans(
  input: DecisionInput,
  { tier }: { readonly tier: Tier },
): ReadonlyMap<string, PlanVerdict> {
  const { ladder } = input.policy
  const plans = new Map<string, PlanVerdict>()
  for (const action of ladder[tier]) {
    const policy = { ...input.policy, ladder: { ...ladder, [tier]: [action] } }
    const verdict = decide({ ...input, policy })
    if (verdict.kind === 'plan') plans.set(action, verdict)
  }
  return plans
}

/** Adds the words that were chosen to what the verdict says of its choices. */
export function withTemplate(planned: PlanVerdict, template: Choice): PlanVerdict {
  const { trace } = planned
  const action = trace.explored?.action ?? null
  return { ...planned, trace: { ...trace, explored: { action, template } } }
}

/** `, drawn with a chance of 45 % from comment, edit, thread`; nothing where nothing was. */
export function describeExplored({ action, template }: Explored): string {
  const parts = [
    ...(action === null ? [] : [`drawn ${describeChoice(action)}`]),
    ...(template === null ? [] : [`its words ${describeChoice(template)}`]),
  ]
  return parts.map((part) => `, ${part}`).join('')
}

function describeChoice({ propensity, options }: Choice): string {
  const names = options.map(({ name }) => name).join(', ')
  return `with a chance of ${formatPercent(propensity)} from ${names}`
}
