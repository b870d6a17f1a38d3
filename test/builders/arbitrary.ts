/** Draws what a decision needs at random, for properties: any valid input, mostly a telling one. */

import * as fc from 'fast-check'
import { actionKey, actions, isEnded, policyId, states, tiers } from '../../src/core/index.ts'
import type {
  Action,
  Capabilities,
  DecisionInput,
  Look,
  PastAction,
  Policy,
  Sample,
  Tallies,
} from '../../src/core/index.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { EvidencePolicy } from '../../src/core/evidence.ts'
import { pastPosts, postId } from './decision.ts'

const manyPastPosts = pastPosts(40)
const fewPastPosts = pastPosts(4)

/** Rarely true, so that seventeen guards do not hold nearly always. */
const seldom = fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0)

const seldomElse = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })

/** A time before `now`, mostly on whole minutes, so that equal times and exact limits come up. */
const before = (now: number, longestMs: number): fc.Arbitrary<number> =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.nat(Math.floor(longestMs / minuteMs)).map((m) => m * minuteMs) },
      { weight: 1, arbitrary: fc.nat(longestMs) },
    )
    .map((ms) => now - ms)

const interactions = fc.record({ likes: fc.nat(30), replies: fc.nat(60) }, { requiredKeys: [] })

/** Readings of any kind: in no order, repeated, from the future, falling, without impressions. */
export function samplesAround(now: number): fc.Arbitrary<Sample[]> {
  const at = fc.oneof(
    { weight: 12, arbitrary: before(now, 2 * hourMs) },
    { weight: 1, arbitrary: fc.nat(10 * minuteMs).map((ms) => now + ms) },
    { weight: 1, arbitrary: fc.nat(90).map((seconds) => now - seconds * secondMs) },
  )
  const counters = {
    at,
    impressions: fc.oneof(
      { weight: 5, arbitrary: fc.nat(5000) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    engagements: fc.nat(300),
  }
  const sample = fc.oneof(
    fc.record<Sample>(counters),
    fc.record<Sample>({ ...counters, interactions }),
  )
  return fc.array(sample, { maxLength: 24 })
}

/** Readings of a post that grows steadily, at some rate, up to now. */
function growingSamples(now: number): fc.Arbitrary<Sample[]> {
  return fc
    .record({
      length: fc.integer({ min: 3, max: 20 }),
      spacingMs: fc.integer({ min: 4 * minuteMs, max: 12 * minuteMs }),
      impressions: fc.integer({ min: 5, max: 400 }),
      share: fc.double({ min: 0, max: 0.07, noNaN: true }),
      seen: fc.option(interactions, { nil: undefined }),
    })
    .map(({ length, spacingMs, impressions, share, seen }) =>
      Array.from({ length }, (_, index) => ({
        at: now - (length - 1 - index) * spacingMs,
        impressions: 100 + impressions * index,
        engagements: 10 + Math.floor(impressions * index * share),
        ...(seen === undefined ? {} : { interactions: seen }),
      })),
    )
}

function looksBefore(now: number, policy: Policy): fc.Arbitrary<Look[]> {
  const id = policyId(policy)
  const look = fc.record({
    at: before(now, 3 * hourMs),
    policy: seldomElse(id, fc.constant('other@1')),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    stalled: seldomElse(true, fc.constant(false)),
  })
  const steady = fc.nat(5).map((count) =>
    Array.from({ length: count }, (_, index) => ({
      at: now - (index + 1) * 15 * minuteMs,
      policy: id,
      score: 0.9,
      stalled: true,
    })),
  )
  return fc.oneof(steady, fc.array(look, { maxLength: 6 }))
}

/** Rows of the post; some stand under a key that a plan would have. */
function historyBefore(now: number): fc.Arbitrary<PastAction[]> {
  const row = fc
    .record({
      action: fc.constantFrom(...actions),
      tier: fc.constantFrom(...tiers),
      state: fc.constantFrom(...states, 'success', 'failed', 'cancelled', 'success'),
      at: fc.oneof(before(now, 4 * hourMs), before(now, 3 * dayMs)),
      lastedMs: fc.nat(hourMs),
      generation: fc.nat(3),
    })
    .map(({ action, tier, state, at, lastedMs, generation }) => ({
      key: actionKey(postId, action, tier, generation),
      action,
      tier,
      state,
      at,
      endedAt: isEnded(state) ? Math.min(now, at + lastedMs) : null,
    }))
  return fc.uniqueArray(row, { maxLength: 5, selector: ({ key }) => key })
}

const foreignKey = fc
  .record({
    action: fc.constantFrom(...actions),
    tier: fc.constantFrom(...tiers),
    state: fc.constantFrom(...states),
    generation: fc.nat(1),
  })
  .map(({ action, tier, state, generation }) => ({
    key: actionKey(postId, action, tier, generation),
    state,
  }))

function talliesBefore(now: number): fc.Arbitrary<Tallies> {
  const entries = (windowMs: number, count: number) =>
    fc.array(fc.record({ at: before(now, windowMs), count: fc.integer({ min: 1, max: count }) }), {
      maxLength: 6,
    })
  return fc.record({ account: entries(30 * hourMs, 6), platform: entries(8 * minuteMs, 25) })
}

const fruitless = fc.integer({ min: 30, max: 50 })
const withoutLift = fc.record({ comment: fruitless, edit: fruitless, thread: fruitless })

const capabilities: fc.Arbitrary<Capabilities> = fc
  .record({
    lacking: seldomElse<Action[]>([], fc.subarray([...actions])),
    editWithinMs: fc.option(fc.nat(2 * dayMs)),
  })
  .map(({ lacking, editWithinMs }) => {
    const supported = (action: Action) =>
      lacking.includes(action)
        ? ({ supported: false, why: 'it has none' } as const)
        : ({
            supported: true,
            writeClass: 'B',
            withinMs: action === 'edit' ? editWithinMs : null,
          } as const)
    return {
      platform: 'drawn',
      actions: {
        comment: supported('comment'),
        edit: supported('edit'),
        thread: supported('thread'),
      },
    }
  })

/** Any moment of a year, with fractions as they are read from outside. */
const moments = fc
  .record({
    ms: fc.nat(366 * dayMs),
    fraction: seldomElse(
      0,
      fc.nat(1023).map((part) => part / 1024),
    ),
  })
  .map(({ ms, fraction }) => Date.UTC(2026, 0, 1) + ms + fraction)

/** Any valid input under a policy. */
export function inputsUnder(policy: Policy): fc.Arbitrary<DecisionInput> {
  return moments.chain((now) =>
    fc.record<DecisionInput>({
      post: fc.record({
        id: fc.constant(postId),
        publishedAt: fc.oneof(
          { weight: 8, arbitrary: before(now, 60 * hourMs) },
          { weight: 1, arbitrary: before(now, 80 * hourMs) },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
        neverTouch: seldom,
      }),
      timeZone: fc.constantFrom('Europe/Vienna', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'),
      capabilities,
      samples: fc.oneof(
        { weight: 3, arbitrary: growingSamples(now) },
        { weight: 1, arbitrary: samplesAround(now) },
      ),
      looks: looksBefore(now, policy),
      history: fc.oneof(fc.constant([]), historyBefore(now)),
      baseline: fc.constantFrom(null, manyPastPosts, fewPastPosts),
      foreignKeys: fc.array(foreignKey, { maxLength: 2 }),
      ownReplies: seldomElse<number[]>([], fc.array(before(now, 3 * hourMs), { maxLength: 3 })),
      tallies: talliesBefore(now),
      withoutLift: seldomElse<DecisionInput['withoutLift']>({}, withoutLift),
      pauses: seldomElse(
        [],
        fc
          .record({
            scope: fc.constantFrom('everything', 'platform', 'account'),
            since: before(now, dayMs),
            reason: fc.constant('asked for'),
          })
          .map((pause) => [pause]),
      ),
      arm: fc.constantFrom(null, 'act', 'act', 'holdout'),
      policy: fc.constant(policy),
      now: fc.constant(now),
    }),
  )
}

/** Any way of cleaning samples. */
export const evidencePolicies: fc.Arbitrary<EvidencePolicy> = fc.record({
  windowMs: fc.integer({ min: minuteMs, max: 3 * hourMs }),
  windowEnds: fc.constantFrom('now', 'newest_sample'),
  minimumSamples: fc.integer({ min: 1, max: 5 }),
  futureSamples: fc.constantFrom('drop', 'keep'),
  repeatedSamples: fc.constantFrom('drop', 'keep'),
  reset: fc.option(
    fc.record({ fallShare: fc.double({ min: 0, max: 1, noNaN: true }), fallCount: fc.nat(20) }),
  ),
  minimumSpacingMs: fc.nat(10 * minuteMs),
  minimumSpanMs: fc.nat(30 * minuteMs),
  maximumStalenessMs: fc.option(fc.nat(hourMs)),
})

/** The same items in another order. */
export function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })
}
