/**
 * The whole decision, as a line of stages:
 *
 *   evidence → signal → looks → tier → action → guards → plan
 *
 * Each stage has its own file and returns what it saw. Nothing here waits, reads a clock or draws a
 * number: the same input always gives the same verdict, in production and in the simulator.
 */

import type { Tier } from './action.ts'
import type { DecisionInput } from './decision-input.ts'
import { gatherEvidence } from './evidence.ts'
import { runGuards } from './guards/guards.ts'
import { generationOf } from './history.ts'
import { actionKey } from './key.ts'
import { chooseAction } from './ladder.ts'
import { countStalledLooks } from './look.ts'
import { policyId } from './policy.ts'
import { requireInput } from './require-input.ts'
import type { Sample } from './sample.ts'
import { detect } from './signal.ts'
import type { Signal } from './signal.ts'
import { chooseTier } from './tier.ts'
import { never, untilEvent } from './until.ts'
import type { Trace, Verdict } from './verdict.ts'

/** Decides what to do about one post. Throws an InputError where the input is not usable. */
export function decide(input: DecisionInput): Verdict {
  requireInput(input)
  const { policy, now } = input
  const { samples, report, lack } = gatherEvidence(input.samples, policy.evidence, now)
  const trace = beginTrace(input, report)
  if (lack !== null) return { kind: 'insufficient', lack, trace }

  const { publishedAt } = input.post
  const signal = detect(
    { samples, allSamples: input.samples, publishedAt, baseline: input.baseline, now },
    policy.detector,
  )
  trace.signal = signal
  if (signal.kind === 'no_signal') return { kind: 'insufficient', lack: signal, trace }
  return judge(input, samples.at(-1) as Sample, signal, trace)
}

/** From a score on: looks, tier, action, guards, plan. */
function judge(input: DecisionInput, newest: Sample, signal: Signal, trace: Draft): Verdict {
  const { policy } = input
  const { score } = signal
  trace.tier = chooseTier(score, policy.tiers[signal.detector])
  const { tier } = trace.tier
  const look = { at: newest.at, policy: trace.policy, score, stalled: tier !== 'healthy' }
  const looks = countStalledLooks(look, input.looks, policy.looks)
  trace.looks = looks
  if (tier === 'healthy') return { kind: 'healthy', score, trace }
  if (looks.stalled < looks.required) {
    const until = untilEvent('next_look')
    return { kind: 'hold', reason: 'confirming', until, score, tier, trace }
  }
  return plan(input, newest, tier, score, trace)
}

/** From a confirmed tier on: action, guards, plan. */
function plan(
  input: DecisionInput,
  newest: Sample,
  tier: Tier,
  score: number,
  trace: Draft,
): Verdict {
  const { policy, post, now } = input
  const ageMs = post.publishedAt === null ? null : now - post.publishedAt
  trace.action = chooseAction(tier, policy.ladder, input.capabilities, ageMs)
  const { action } = trace.action
  if (action === null) {
    return { kind: 'hold', reason: 'no_supported_action', until: never, score, tier, trace }
  }
  const generation = policy.generations ? generationOf(input.history, action, tier) : 0
  const key = actionKey(post.id, action, tier, generation)
  trace.key = key
  trace.generation = generation
  trace.guards = runGuards({ input, action, tier, key, newest }, policy.guards)
  const first = trace.guards.find((report) => report.kind === 'hold')
  if (first === undefined) return { kind: 'plan', action, tier, key, generation, score, trace }
  return { kind: 'hold', reason: first.guard, until: first.until, score, tier, trace }
}

/** The trace while it is being written; it is handed out read-only. */
type Draft = { -readonly [Field in keyof Trace]: Trace[Field] }

function beginTrace(input: DecisionInput, evidence: Trace['evidence']): Draft {
  return {
    postId: input.post.id,
    policy: policyId(input.policy),
    now: input.now,
    evidence,
    signal: null,
    looks: null,
    tier: null,
    action: null,
    key: null,
    generation: null,
    guards: [],
  }
}
