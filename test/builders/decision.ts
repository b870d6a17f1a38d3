/**
 * Builds what a decision needs, for tests: one that comes to a plan under either policy, to be
 * changed in the one respect a test is about.
 */

import {
  actionKey,
  decide,
  everythingSupported,
  isEnded,
  noTallies,
  policyId,
  standardPolicy,
} from '../../src/core/index.ts'
import type {
  Action,
  Capabilities,
  DecisionInput,
  GuardName,
  GuardReport,
  Interactions,
  Look,
  PastAction,
  Policy,
  Sample,
  State,
  Tier,
  Verdict,
} from '../../src/core/index.ts'
import { baselineAgesMs } from '../../src/core/age-rank/ages.ts'
import { layOut } from '../../src/core/age-rank/baseline.ts'
import { priorModel } from '../../src/core/age-rank/model.ts'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { runGuards } from '../../src/core/guards/guards.ts'
import type { AccountBaseline } from '../../src/core/signal.ts'

/** A Wednesday, 11:15:17 in Vienna. */
export const now = Date.UTC(2026, 6, 15, 9, 15, 17)

export const postId = 'post-1'

export const ago = (minutes: number): number => now - minutes * minuteMs

/** The action that either policy takes first for a tier. */
export const actionOf = { tier_1: 'comment', tier_2: 'edit', tier_3: 'thread' } as const
const tierOf = { comment: 'tier_1', edit: 'tier_2', thread: 'tier_3' } as const

export function sampleAt(
  minutesAgo: number,
  impressions: number | null,
  engagements: number,
  interactions?: Interactions,
): Sample {
  const counters = { at: ago(minutesAgo), impressions, engagements }
  return interactions === undefined ? counters : { ...counters, interactions }
}

/** Seven readings in the last hour, in which 1,200 impressions came to so many engagements. */
export function samplesGaining(engagements: number): Sample[] {
  return Array.from({ length: 7 }, (_, step) =>
    sampleAt(60 - 10 * step, 1000 + 200 * step, 50 + Math.round((engagements * step) / 6)),
  )
}

/** Engagements on 1,200 impressions that come to each tier under either policy, and to none. */
export const engagementsFor = { tier_3: 6, tier_2: 18, tier_1: 36, healthy: 54 } as const

export const samplesFor = (tier: keyof typeof engagementsFor): Sample[] =>
  samplesGaining(engagementsFor[tier])

export function lookAt(minutesAgo: number, policy: Policy, stalled = true): Look {
  return { at: ago(minutesAgo), policy: policyId(policy), score: stalled ? 0.7 : 0.1, stalled }
}

/** A row of this post. One that has ended did so when it was last sent. */
export function pastAction(
  action: Action,
  state: State,
  minutesAgo: number,
  more: Partial<PastAction> = {},
): PastAction {
  const tier = more.tier ?? tierOf[action]
  const at = ago(minutesAgo)
  return {
    key: actionKey(`row-${minutesAgo}`, action, tier),
    action,
    tier,
    state,
    at,
    endedAt: isEnded(state) ? at : null,
    ...more,
  }
}

/** An account with so many past posts, of which one gained ten times as much as another. */
export function pastPosts(count: number): AccountBaseline {
  const curves = Array.from({ length: count }, (_, index) => {
    const reached = 40 + (360 * index) / count
    const countsUpTo = (most: number) =>
      baselineAgesMs.map((ageMs) => Math.round(most * (1 - Math.exp(-ageMs / (8 * hourMs)))))
    return {
      publishedAt: now - (index + 3) * 24 * hourMs,
      counts: countsUpTo(reached),
      impressions: index % 2 === 0 ? countsUpTo(30 * reached) : null,
      weight: 1,
      own: true,
    }
  })
  return { baseline: layOut(curves), model: priorModel }
}

/** A post that has stalled for three looks (tier_2), and that nothing forbids to act on. */
export function inputWith(
  changes: Partial<DecisionInput> = {},
  policy: Policy = changes.policy ?? standardPolicy,
): DecisionInput {
  return {
    post: { id: postId, publishedAt: now - 20 * hourMs, neverTouch: false },
    timeZone: 'Europe/Vienna',
    capabilities: everythingSupported,
    samples: samplesFor('tier_2'),
    looks: [lookAt(20, policy), lookAt(40, policy)],
    baseline: null,
    history: [],
    foreignKeys: [],
    ownReplies: [],
    tallies: noTallies,
    withoutLift: {},
    pauses: [],
    arm: 'act',
    policy,
    now,
    ...changes,
  }
}

export const decideWith = (changes: Partial<DecisionInput> = {}): Verdict =>
  decide(inputWith(changes))

/** What one guard of a policy says about an edit, or about another action. */
export function reportOf(
  guard: GuardName,
  changes: Partial<DecisionInput> = {},
  action: Action = 'edit',
): GuardReport {
  const input = inputWith(changes)
  const settings = input.policy.guards.filter((entry) => entry.guard === guard)
  const tier: Tier = tierOf[action]
  const key = actionKey(input.post.id, action, tier)
  const newest = input.samples.at(-1)
  if (newest === undefined) throw new Error('A guard is only asked about a post that was seen')
  const [report] = runGuards({ input, action, tier, key, newest }, settings)
  if (report === undefined) throw new Error(`The policy ${input.policy.name} has no ${guard}`)
  return report
}

/** A copy of a policy in which one guard has other settings. */
export function policyWithGuard(
  settings: Policy['guards'][number],
  policy: Policy = standardPolicy,
): Policy {
  const guards = policy.guards.map((entry) => (entry.guard === settings.guard ? settings : entry))
  return { ...policy, guards }
}

/** A platform that lacks some actions. */
export function without(...lacking: readonly Action[]): Capabilities {
  const actions = { ...everythingSupported.actions }
  for (const action of lacking) actions[action] = { supported: false, why: 'it cannot' }
  return { platform: 'small', actions }
}
