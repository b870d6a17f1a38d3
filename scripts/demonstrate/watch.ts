/**
 * Lives through the story under a policy. It stands in for the engine: it asks `decide` at every
 * reading, remembers the looks, and lets each planned action land two minutes later.
 */

import { minuteMs } from '../../src/core/duration.ts'
import { decide, everythingSupported, formatInstant, policyId } from '../../src/index.ts'
import type { DecisionInput, Instant, Look, PastAction, Policy, Verdict } from '../../src/index.ts'
import { moments, post, samples, timeZone } from './story.ts'

const landsAfterMs = 2 * minuteMs

/** The verdict of every visit, in order. */
export interface Diary {
  readonly policy: string
  readonly verdicts: ReadonlyMap<Instant, Verdict>
}

export function verdictAt({ verdicts }: Diary, now: Instant): Verdict {
  const verdict = verdicts.get(now)
  if (verdict === undefined) throw new Error(`Nobody visited the post at ${formatInstant(now)}`)
  return verdict
}

export function watch(policy: Policy): Diary {
  const verdicts = new Map<Instant, Verdict>()
  const looks: Look[] = []
  let history: readonly PastAction[] = []
  for (const now of visits()) {
    history = history.map((row) => (row.at <= now ? landed(row) : row))
    const verdict = decide(inputAt(now, policy, looks, history))
    verdicts.set(now, verdict)
    remember(verdict, looks, policy)
    if (verdict.kind === 'plan') history = [...history, running(verdict, now)]
  }
  return { policy: policyId(policy), verdicts }
}

/** Every reading is a visit, and so is every moment that is told. */
function visits(): readonly Instant[] {
  const times = new Set(
    [...samples, ...moments.map(({ now }) => ({ at: now }))].map(({ at }) => at),
  )
  return [...times].sort((a, b) => a - b)
}

function inputAt(
  now: Instant,
  policy: Policy,
  looks: readonly Look[],
  history: readonly PastAction[],
): DecisionInput {
  const counted = history.map(({ at }) => ({ at, count: 1 }))
  return {
    post,
    timeZone,
    capabilities: everythingSupported,
    samples: samples.filter(({ at }) => at <= now),
    looks,
    history,
    baseline: null,
    foreignKeys: [],
    ownReplies: [],
    tallies: { account: counted, platform: counted },
    withoutLift: {},
    pauses: [],
    arm: 'act',
    policy,
    now,
  }
}

function remember({ trace }: Verdict, looks: Look[], policy: Policy): void {
  const { tier, evidence } = trace
  if (tier === null || evidence.lastAt === null) return
  const { score } = tier
  const stalled = tier.tier !== 'healthy'
  looks.push({ at: evidence.lastAt, policy: policyId(policy), score, stalled })
}

function running({ key, action, tier }: Verdict & { kind: 'plan' }, now: Instant): PastAction {
  return { key, action, tier, state: 'running', at: now + landsAfterMs, endedAt: null }
}

function landed(row: PastAction): PastAction {
  return { ...row, state: 'success', endedAt: row.at }
}
