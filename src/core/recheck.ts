/**
 * Owns the second look at an action that was planned some time ago, taken in the transaction that
 * claims it: does the post still stall, and do all guards still pass? The action is a given here;
 * only whether it may still go out is asked (I2, I3, I9, I11).
 */

import type { Action, Tier } from './action.ts'
import type { DecisionInput } from './decision-input.ts'
import { gatherEvidence } from './evidence.ts'
import { runGuards } from './guards/guards.ts'
import type { GuardName, GuardReport } from './guards/guards.ts'
import type { ActionKey } from './ids.ts'
import { requireInput } from './require-input.ts'
import type { Sample } from './sample.ts'
import { detect } from './signal.ts'
import { chooseTier } from './tier.ts'
import { untilEvent } from './until.ts'
import type { Until } from './until.ts'

/** The action that was planned. */
export interface PlannedAction {
  readonly action: Action
  readonly tier: Tier
  readonly key: ActionKey
}

export type Recheck =
  | { readonly kind: 'go'; readonly guards: readonly GuardReport[] }
  /** The post does not stall any more. */
  | { readonly kind: 'recovered'; readonly score: number }
  | { readonly kind: 'hold'; readonly reason: GuardName | 'insufficient'; readonly until: Until }

/**
 * `input.history` and `input.tallies` must not contain the planned action itself. An action that
 * is partly visible already is finished rather than judged again, so `stalls` may be skipped.
 */
export function recheck(
  input: DecisionInput,
  planned: PlannedAction,
  ask: { readonly stillStalls: boolean },
): Recheck {
  requireInput(input)
  const { policy, now, post } = input
  const { samples, lack } = gatherEvidence(input.samples, policy.evidence, now)
  if (ask.stillStalls) {
    if (lack !== null) return insufficient
    const signal = detect(
      {
        samples,
        allSamples: input.samples,
        publishedAt: post.publishedAt,
        baseline: input.baseline,
        now,
      },
      policy.detector,
    )
    if (signal.kind === 'no_signal') return insufficient
    const { tier } = chooseTier(signal.score, policy.tiers[signal.detector])
    if (tier === 'healthy') return { kind: 'recovered', score: signal.score }
  }
  const newest = samples.at(-1) ?? unseen
  const guards = runGuards({ input, ...planned, newest }, policy.guards)
  const first = guards.find((report) => report.kind === 'hold')
  if (first === undefined) return { kind: 'go', guards }
  return { kind: 'hold', reason: first.guard, until: first.until }
}

const insufficient: Recheck = {
  kind: 'hold',
  reason: 'insufficient',
  until: untilEvent('next_sample'),
}

/** Stands for a post of which nothing is known at the moment. */
const unseen: Sample = { at: 0, impressions: null, engagements: 0 }
