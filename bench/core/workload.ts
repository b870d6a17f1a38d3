/**
 * Owns what the benchmarks of the core decide on: many posts, each with 20 samples and 5 rows of
 * history, whose decisions go all the way through every guard to a plan.
 */

import {
  actionKey,
  classicPolicy,
  everythingSupported,
  policyId,
  standardPolicy,
} from '../../src/core/index.ts'
import type { Action, DecisionInput, PastAction, Policy, Sample } from '../../src/core/index.ts'
import type { Interactions, State, TallyEntry } from '../../src/core/index.ts'
import { baselineAgesMs } from '../../src/core/age-rank/ages.ts'
import { layOut } from '../../src/core/age-rank/baseline.ts'
import { priorModel } from '../../src/core/age-rank/model.ts'
import { dayMs, hourMs, minuteMs } from '../../src/core/duration.ts'
import type { AccountBaseline } from '../../src/core/signal.ts'

/** A Wednesday morning in Vienna, outside quiet hours. */
export const workloadNow = Date.UTC(2026, 6, 15, 9, 15, 17)

const samplesPerPost = 20
const tierOf = { comment: 'tier_1', edit: 'tier_2', thread: 'tier_3' } as const

/** The past posts of an account: 200, all of which went better than these. */
const betterPosts: AccountBaseline = {
  baseline: layOut(
    Array.from({ length: 200 }, (_, index) => ({
      publishedAt: workloadNow - (index + 3) * dayMs,
      counts: baselineAgesMs.map((ageMs) => ((200 + index) * ageMs) / (ageMs + 12 * hourMs)),
      impressions: null,
      weight: 1,
      own: true,
    })),
  ),
  model: priorModel,
}

/** What is decided on: by its name, an input for each number. */
export interface DecisionWorkload {
  readonly what: string
  readonly inputFor: (number: number) => DecisionInput
}

export const decisionWorkloads: readonly DecisionWorkload[] = [
  {
    what: 'classic',
    inputFor: (number) => stalledPost(number, classicPolicy, samplesOf(number)),
  },
  {
    what: 'standard',
    inputFor: (number) => stalledPost(number, standardPolicy, samplesOf(number)),
  },
  {
    what: 'standard, interactions by kind',
    inputFor: (number) => stalledPost(number, standardPolicy, detailedSamplesOf(number)),
  },
  {
    what: 'standard, compared with 200 past posts',
    inputFor: (number) => ({
      ...stalledPost(number, standardPolicy, samplesOf(number)),
      baseline: betterPosts,
    }),
  },
]

/** A post that has stalled for three looks and may be acted on under either policy. */
function stalledPost(number: number, policy: Policy, samples: Sample[]): DecisionInput {
  const id = `post-${number}`
  const now = workloadNow
  return {
    post: { id, publishedAt: now - 20 * hourMs, neverTouch: false },
    timeZone: 'Europe/Vienna',
    capabilities: everythingSupported,
    samples,
    looks: [15, 30, 45].map((minutes) => ({
      at: now - (minutes + 1) * minuteMs,
      policy: policyId(policy),
      score: 0.7,
      stalled: true,
    })),
    baseline: null,
    history: historyOf(id),
    foreignKeys: [],
    ownReplies: [],
    tallies: { account: tally(3, 20 * minuteMs), platform: tally(2, minuteMs) },
    withoutLift: { edit: 3 },
    pauses: [],
    arm: 'act',
    policy,
    now,
  }
}

/** 20 readings, the oldest first: about 1.4 % engagement, which is tier_2. */
export function samplesOf(number: number): Sample[] {
  return Array.from({ length: samplesPerPost }, (_, index) => ({
    at: workloadNow - minuteMs - (samplesPerPost - 1 - index) * 4 * minuteMs,
    impressions: 1000 + (number % 100) + 100 * index,
    engagements: 20 + (number % 10) + Math.floor(1.4 * index),
  }))
}

/** The same, with the interactions that most networks give by kind. */
function detailedSamplesOf(number: number): Sample[] {
  return samplesOf(number).map(({ at, impressions, engagements }) => {
    const interactions: Interactions = { likes: engagements - 5, replies: 5 }
    return { at, impressions, engagements, interactions }
  })
}

const past: readonly (readonly [Action, State, number])[] = [
  ['comment', 'success', 16],
  ['comment', 'cancelled', 10],
  ['thread', 'failed', 9],
  ['edit', 'expired', 8],
  ['edit', 'success', 5],
]

function historyOf(postId: string): PastAction[] {
  return past.map(([action, state, hoursAgo], generation) => {
    const at = workloadNow - hoursAgo * hourMs
    const tier = tierOf[action]
    // Generations that are over, so that neither policy takes the next one for a duplicate.
    const key = actionKey(postId, action, tier, generation + 1)
    return { key, action, tier, state, at, endedAt: at + minuteMs }
  })
}

function tally(length: number, everyMs: number): TallyEntry[] {
  return Array.from({ length }, (_, index) => ({
    at: workloadNow - (index + 1) * everyMs,
    count: 1,
  }))
}
