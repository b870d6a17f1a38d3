/**
 * Owns the policy: everything about a decision that is a matter of choice, as data. It is checked
 * once, when it is loaded, and the error names the field.
 */

import { z } from 'zod'
import { actions } from './action.ts'
import { durationMs, positiveDurationMs } from './duration-field.ts'
import { faultCodes } from './fault.ts'
import { guardSettings } from './guards/guards.ts'
import { parseWith } from './input-error.ts'
import { exploreSettings } from './lift/explore-settings.ts'

const score = z.number().min(0).max(1)
const ladderStep = z.array(z.enum(actions)).min(1)

const evidence = z.strictObject({
  windowMs: durationMs,
  windowEnds: z.enum(['now', 'newest_sample']),
  minimumSamples: z.int().positive(),
  futureSamples: z.enum(['drop', 'keep']),
  repeatedSamples: z.enum(['drop', 'keep']),
  reset: z.strictObject({ fallShare: score, fallCount: z.number().nonnegative() }).nullable(),
  minimumSpacingMs: durationMs,
  minimumSpanMs: durationMs,
  maximumStalenessMs: durationMs.nullable(),
})

const rateSettings = {
  multiplier: z.number().positive(),
  minimumImpressions: z.number().nonnegative(),
  withoutImpressions: z.enum(['stalled', 'insufficient']),
}

const detector = z.discriminatedUnion('detector', [
  z.strictObject({ detector: z.literal('rate'), ...rateSettings }),
  z.strictObject({ detector: z.literal('age-rank') }),
  z.strictObject({ detector: z.literal('auto'), rate: z.strictObject(rateSettings) }),
])

const tierThresholds = z.strictObject({ tier_1: score, tier_2: score, tier_3: score })

const retry = z.strictObject({
  /** Attempts in all, the first included; null never gives up. */
  maximumAttempts: z.int().positive().nullable(),
  firstDelayMs: durationMs,
  maximumDelayMs: durationMs,
  /** No attempt later than this after the first one; null has no such end. */
  budgetMs: durationMs.nullable(),
  /** The codes that may pass by themselves. */
  transientCodes: z.array(z.enum(faultCodes)),
  /** What to do when it may have landed: resend as the classic executor, or see the platform. */
  whenUnknown: z.enum(['resend', 'by_write_class']),
})

const policySchema = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be lower case words joined by hyphens'),
    version: z.int().positive(),
    evidence,
    detector,
    /** How often a post is read, by its age; after the last entry it is not watched any more. */
    checks: z
      .array(z.strictObject({ untilAgeMs: positiveDurationMs, everyMs: positiveDurationMs }))
      .min(1),
    looks: z.strictObject({
      required: z.int().positive(),
      minimumSpacingMs: durationMs,
      maximumGapMs: durationMs,
    }),
    /** Where each tier begins, for each detector the policy may use. */
    tiers: z.strictObject({ rate: tierThresholds, 'age-rank': tierThresholds }),
    ladder: z.strictObject({ tier_1: ladderStep, tier_2: ladderStep, tier_3: ladderStep }),
    guards: z.array(guardSettings),
    /** Whether actions and words are tried out and chosen by what they did; off where left out. */
    explore: exploreSettings.optional(),
    /** Whether a key may be used again, in a next generation, after its row has ended. */
    generations: z.boolean(),
    retry,
  })
  .check((context) => {
    for (const problem of findContradictions(context.value)) {
      context.issues.push({ code: 'custom', input: context.value, ...problem })
    }
  })

/** Everything about a decision that is a matter of choice. */
export type Policy = DeepReadonly<z.infer<typeof policySchema>>

type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: DeepReadonly<T[Field]> }
    : T

/** Checks a policy from outside. The error names the field and what it must be. */
export function parsePolicy(value: unknown): Policy {
  return parseWith<Policy>(policySchema, value, 'policy')
}

/** How a look or a row names the policy it was made under. */
export function policyId(policy: Policy): string {
  const known = policyIds.get(policy)
  if (known !== undefined) return known
  const id = `${policy.name}@${policy.version}`
  policyIds.set(policy, id)
  return id
}

/** Every decision asks, and a policy never changes. */
const policyIds = new WeakMap<Policy, string>()

interface Problem {
  readonly path: (string | number)[]
  readonly message: string
}

/** Values that are each allowed and cannot be meant together. */
function findContradictions(policy: Policy): Problem[] {
  const problems: Problem[] = []
  for (const [name, thresholds] of Object.entries(policy.tiers)) {
    const { tier_1, tier_2, tier_3 } = thresholds
    if (tier_2 < tier_1 || tier_3 < tier_2) {
      const message = 'must not begin below the tier before it'
      problems.push({ path: ['tiers', name, tier_2 < tier_1 ? 'tier_2' : 'tier_3'], message })
    }
  }
  const { evidence: samples, looks, retry: retries } = policy
  if (samples.minimumSpanMs > samples.windowMs) {
    problems.push({ path: ['evidence', 'minimumSpanMs'], message: 'must fit in windowMs' })
  }
  if ((samples.minimumSamples - 1) * samples.minimumSpacingMs > samples.windowMs) {
    const message = `${samples.minimumSamples} samples at minimumSpacingMs do not fit in windowMs`
    problems.push({ path: ['evidence', 'minimumSamples'], message })
  }
  if (looks.required > 1 && looks.maximumGapMs < looks.minimumSpacingMs) {
    problems.push({ path: ['looks', 'maximumGapMs'], message: 'must be at least minimumSpacingMs' })
  }
  if (retries.maximumDelayMs < retries.firstDelayMs) {
    problems.push({ path: ['retry', 'maximumDelayMs'], message: 'must be at least firstDelayMs' })
  }
  return [...problems, ...findCheckContradictions(policy), ...findGuardContradictions(policy)]
}

/** A post that is read too rarely can never have enough samples for a verdict. */
function findCheckContradictions({ checks, evidence: samples, looks }: Policy): Problem[] {
  const problems: Problem[] = []
  const needed = samples.minimumSamples
  checks.forEach(({ untilAgeMs, everyMs }, index) => {
    const path = ['checks', index, 'everyMs']
    const possible = Math.floor(samples.windowMs / everyMs) + 1
    if (possible < needed) {
      const message = `gives at most ${possible} samples in windowMs; minimumSamples is ${needed}`
      problems.push({ path, message })
    }
    if (looks.required > 1 && everyMs > looks.maximumGapMs) {
      problems.push({ path, message: 'leaves a gap that starts the count of looks again' })
    }
    const before = checks[index - 1]
    if (before !== undefined && untilAgeMs <= before.untilAgeMs) {
      const message = 'must be later than in the entry before it'
      problems.push({ path: ['checks', index, 'untilAgeMs'], message })
    }
  })
  return problems
}

function findGuardContradictions(policy: Policy): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<string>()
  policy.guards.forEach((settings, index) => {
    if (seen.has(settings.guard)) {
      problems.push({ path: ['guards', index, 'guard'], message: 'stands in the list twice' })
    }
    seen.add(settings.guard)
    if (settings.guard === 'post_age' && settings.toMs < settings.fromMs) {
      problems.push({ path: ['guards', index, 'toMs'], message: 'must be at least fromMs' })
    }
  })
  const holdoutIndex = policy.guards.findIndex(({ guard }) => guard === 'holdout')
  if (holdoutIndex >= 0 && holdoutIndex < policy.guards.length - 1) {
    const message = 'must be last: who is held out is drawn among posts that pass all else'
    problems.push({ path: ['guards', holdoutIndex, 'guard'], message })
  }
  if (policy.explore?.kind === 'thompson' && holdoutIndex < 0) {
    const message = 'thompson learns from held-out posts: add the guard holdout, or choose off'
    problems.push({ path: ['explore', 'kind'], message })
  }
  return problems
}
