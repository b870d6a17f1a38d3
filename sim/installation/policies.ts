/**
 * The policies of the simulated installation. They have every guard of `standard`, with shorter
 * windows and rests, so that one year has a thousand sends and each guard has something to hold.
 */

import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import { parsePolicy } from '../../src/core/policy.ts'
import type { Policy } from '../../src/core/policy.ts'
import { standardPolicy } from '../../src/core/policies/standard.ts'

type Guard = Policy['guards'][number]

function withGuards(changed: readonly Guard[]): readonly Guard[] {
  return standardPolicy.guards.map(
    (guard) => changed.find((other) => other.guard === guard.guard) ?? guard,
  )
}

const restMs = { comment: 25 * minuteMs, edit: 40 * minuteMs, thread: hourMs }

const briskGuards = withGuards([
  { guard: 'post_age', fromMs: 20 * minuteMs, toMs: 10 * hourMs },
  { guard: 'window_frequency', windowMs: 2 * hourMs, maximum: 2, counts: 'may_have_landed' },
  { guard: 'action_cooldown', cooldownMs: restMs, counts: 'may_have_landed', last: 'in_time' },
  { guard: 'lifetime_maximum', maximum: 5 },
  { guard: 'account_budget', perHour: 3, perDay: 12 },
  { guard: 'platform_budget', windowMs: 20 * minuteMs, maximum: 5 },
  { guard: 'quiet_hours', from: '23:30', to: '05:00' },
  { guard: 'rejected_before', holdMs: 90 * minuteMs, maximum: 2 },
  { guard: 'expired_before', holdMs: restMs },
  { guard: 'failed_before', firstHoldMs: 30 * minuteMs, maximum: 2 },
  { guard: 'futility', maximum: 5 },
  { guard: 'backlash', minimumReplies: 8, repliesPerLike: 1.2 },
])

/** For networks that show impressions. */
export const briskPolicy = parsePolicy({
  ...standardPolicy,
  name: 'brisk',
  evidence: { ...standardPolicy.evidence, windowMs: 2 * hourMs },
  detector: {
    detector: 'rate',
    multiplier: 20,
    minimumImpressions: 20,
    withoutImpressions: 'insufficient',
  },
  checks: [{ untilAgeMs: 10 * hourMs, everyMs: 30 * minuteMs }],
  looks: { required: 2, minimumSpacingMs: 15 * minuteMs, maximumGapMs: 2 * hourMs },
  ladder: {
    tier_1: ['comment', 'edit'],
    tier_2: ['edit', 'comment'],
    tier_3: ['thread', 'comment', 'edit'],
  },
  guards: briskGuards,
  retry: {
    ...standardPolicy.retry,
    firstDelayMs: 30 * secondMs,
    maximumDelayMs: 10 * minuteMs,
    budgetMs: 3 * hourMs,
  },
})

/** For networks without impressions: whatever is read counts as stalled. */
export const bluntPolicy = parsePolicy({
  ...briskPolicy,
  name: 'blunt',
  detector: { ...briskPolicy.detector, withoutImpressions: 'stalled', minimumImpressions: 0 },
  looks: { required: 1, minimumSpacingMs: 0, maximumGapMs: 2 * hourMs },
  ladder: {
    tier_1: ['comment', 'edit'],
    tier_2: ['comment', 'edit'],
    tier_3: ['comment', 'thread', 'edit'],
  },
})

/** For a network that lets a post be changed in its first hour alone. */
export const earlyPolicy = parsePolicy({
  ...briskPolicy,
  name: 'early',
  evidence: {
    ...briskPolicy.evidence,
    windowMs: hourMs,
    minimumSamples: 2,
    minimumSpanMs: 5 * minuteMs,
  },
  checks: [
    { untilAgeMs: hourMs, everyMs: 10 * minuteMs },
    { untilAgeMs: 3 * hourMs, everyMs: 30 * minuteMs },
  ],
  looks: { required: 1, minimumSpacingMs: 0, maximumGapMs: hourMs },
  guards: withGuards([
    ...briskGuards.filter(({ guard }) => guard !== 'post_age' && guard !== 'action_cooldown'),
    { guard: 'post_age', fromMs: 8 * minuteMs, toMs: 2 * hourMs },
    {
      guard: 'action_cooldown',
      cooldownMs: { comment: 10 * minuteMs, edit: 15 * minuteMs, thread: 30 * minuteMs },
      counts: 'may_have_landed',
      last: 'in_time',
    },
  ]),
})

/** What an owner changes a policy to: longer rests, and fewer actions. */
function stricter(policy: Policy): Policy {
  const guards = policy.guards.map((guard): Guard => {
    if (guard.guard === 'window_frequency') return { ...guard, maximum: 1 }
    if (guard.guard === 'lifetime_maximum') return { ...guard, maximum: 3 }
    return guard
  })
  return parsePolicy({
    ...policy,
    version: policy.version + 1,
    guards,
    retry: { ...policy.retry, maximumAttempts: 3 },
  })
}

const first = [briskPolicy, bluntPolicy, earlyPolicy, standardPolicy] as const

/** Each with the version that an owner may change to. */
export const policies: readonly Policy[] = first.flatMap((policy) => [policy, stricter(policy)])
