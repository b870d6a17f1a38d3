/** Tests the line of stages: where it ends, what it leaves in the trace, and what always holds. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputsUnder, shuffled } from '../../test/builders/arbitrary.ts'
import {
  actionOf,
  decideWith,
  lookAt,
  now,
  pastAction,
  postId,
  samplesFor,
} from '../../test/builders/decision.ts'
import { isAction, isTier, tiers } from './action.ts'
import { decide } from './decide.ts'
import type { DecisionInput } from './decision-input.ts'
import { gatherEvidence } from './evidence.ts'
import { runGuards } from './guards/guards.ts'
import type { PastAction } from './history.ts'
import { actionKey } from './key.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import type { Policy } from './policy.ts'
import { isEnded, states } from './states.ts'
import { untilEvent } from './until.ts'
import type { Verdict } from './verdict.ts'

const policies = [classicPolicy, standardPolicy] as const
const runs = { numRuns: 300 }

describe.each(policies)('under $name', (policy) => {
  it.each(tiers)('%s comes to a plan of its action', (tier) => {
    const action = actionOf[tier]
    const verdict = decideWith({ samples: samplesFor(tier), policy })
    expect(verdict).toMatchObject({
      kind: 'plan',
      action,
      tier,
      generation: 0,
      key: actionKey(postId, action, tier),
    })
    expect(verdict.trace).toMatchObject({
      postId,
      policy: `${policy.name}@1`,
      now,
      tier: { tier },
      action: { action, passedOver: [] },
      generation: 0,
    })
  })

  it('ends at the evidence where that is lacking', () => {
    expect(decideWith({ samples: [], policy })).toMatchObject({
      kind: 'insufficient',
      lack: { reason: 'insufficient_samples', count: 0, minimum: 3 },
      trace: { signal: null, looks: null, tier: null, action: null, key: null, guards: [] },
    })
  })
})

describe('under standard', () => {
  it('ends at the tier where the post is healthy', () => {
    const verdict = decideWith({ samples: samplesFor('healthy') })
    expect(verdict).toMatchObject({
      kind: 'healthy',
      trace: {
        signal: { kind: 'signal' },
        looks: { stalled: 0, required: 3 },
        tier: { tier: 'healthy' },
        action: null,
        guards: [],
      },
    })
  })

  it('ends at the looks until there are three in a row', () => {
    const verdict = decideWith({ looks: [lookAt(20, standardPolicy)] })
    expect(verdict).toMatchObject({
      kind: 'hold',
      reason: 'confirming',
      tier: 'tier_2',
      until: untilEvent('next_look'),
      trace: { looks: { stalled: 2, required: 3 }, action: null, key: null, guards: [] },
    })
  })

  it('starts counting looks again under another version of the policy', () => {
    const policy: Policy = { ...standardPolicy, version: 2 }
    const looks = [lookAt(20, standardPolicy), lookAt(40, standardPolicy)]
    expect(decideWith({ policy, looks })).toMatchObject({ reason: 'confirming' })
  })

  it.each(states.filter(isEnded))('a row that ended as %s opens the next generation', (state) => {
    const generationAfter = (row: PastAction) => decideWith({ history: [row] }).trace.generation
    expect(generationAfter(pastAction('edit', state, 2400))).toBe(1)
    expect(generationAfter(pastAction('edit', state, 2400, { tier: 'tier_3' }))).toBe(0)
    expect(generationAfter(pastAction('comment', state, 2400))).toBe(0)
  })

  it('a row that is open opens none', () => {
    const history = [pastAction('edit', 'failed', 2400), pastAction('edit', 'planned', 2300)]
    expect(decideWith({ history }).trace).toMatchObject({
      generation: 1,
      key: actionKey(postId, 'edit', 'tier_2', 1),
    })
  })
})

describe.each(policies)('for any input under $name', (policy) => {
  const inputs = inputsUnder(policy)

  it('the same input gives the same verdict, and is left as it was', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const copy = structuredClone(input)
        const verdict = decide(input)
        expect(input).toEqual(copy)
        expect(decide(copy)).toEqual(verdict)
      }),
      runs,
    )
  })

  it('the verdict survives JSON unchanged', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const verdict = decide(input)
        const copy: unknown = JSON.parse(JSON.stringify(verdict))
        expect(copy).toStrictEqual(verdict)
      }),
      runs,
    )
  })

  it('a hold says until when, and that it lies ahead', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const verdict = decide(input)
        fc.pre(verdict.kind === 'hold')
        expect(['time', 'event', 'never']).toContain(verdict.until.kind)
        expect(verdict.until.kind === 'time' ? verdict.until.at : Infinity).toBeGreaterThan(
          input.now,
        )
      }),
      runs,
    )
  })

  it('a guard that holds until a time passes then, and not a millisecond sooner', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        for (const report of decide(input).trace.guards) {
          if (report.kind === 'pass' || report.until.kind !== 'time') continue
          const { at } = report.until
          expect([report.guard, guardAt(input, report.guard, at)]).toEqual([report.guard, 'pass'])
          const sooner = Math.max(input.now, at - 1)
          expect([report.guard, guardAt(input, report.guard, sooner)]).toEqual([
            report.guard,
            'hold',
          ])
        }
      }),
      runs,
    )
  })

  it('deciding again then, with the post looked at as before, gives another reason', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const verdict = decide(input)
        fc.pre(verdict.kind === 'hold' && verdict.until.kind === 'time')
        const later = decide(movedTo(input, verdict.until.at))
        // With the age of the post the platform may have come to offer another action.
        fc.pre(later.trace.action?.action === verdict.trace.action?.action)
        expect(later.trace.guards.length).toBe(policy.guards.length)
        expect(later.kind === 'hold' ? later.reason : later.kind).not.toBe(verdict.reason)
      }),
      runs,
    )
  })

  it('a plan has a key that neither runs nor has succeeded', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom('running', 'success'), (input, state) => {
        const verdict = decide(input)
        fc.pre(verdict.kind === 'plan')
        const taken = (row: { key: string; state: string }) =>
          row.key === verdict.key && (row.state === 'running' || row.state === 'success')
        expect([...input.history, ...input.foreignKeys].filter(taken)).toEqual([])
        const foreignKeys = [...input.foreignKeys, { key: verdict.key, state }]
        expect(decide({ ...input, foreignKeys })).toMatchObject({ kind: 'hold' })
      }),
      runs,
    )
  })

  it('more engagements in the newest sample never raise the tier', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 500 }), (input, more) => {
        const { samples } = gatherEvidence(input.samples, policy.evidence, input.now)
        const newest = samples.at(-1)
        fc.pre(newest !== undefined)
        const index = input.samples.indexOf(newest)
        const raised = { ...newest, engagements: newest.engagements + more }
        const rankBefore = rankOf(decide(input))
        const rankAfter = rankOf(decide({ ...input, samples: input.samples.with(index, raised) }))
        fc.pre(rankBefore !== null && rankAfter !== null)
        expect(rankAfter).toBeLessThanOrEqual(rankBefore)
      }),
      runs,
    )
  })

  it('comes to every kind of verdict, so that none of this is empty', () => {
    const verdicts = fc.sample(inputs, { numRuns: 1500, seed: 1 }).map((input) => decide(input))
    const kinds = new Set(verdicts.map(({ kind }) => kind))
    const healthy = policy.tiers.rate.tier_1 > 0 ? ['healthy'] : []
    expect([...kinds].sort()).toEqual([...healthy, 'hold', 'insufficient', 'plan'])
    const detectors = verdicts.flatMap(({ trace: { signal } }) =>
      signal?.kind === 'signal' ? [signal.detector] : [],
    )
    const expected = policy.detector.detector === 'auto' ? ['age-rank', 'rate'] : ['rate']
    expect([...new Set(detectors)].sort()).toEqual(expected)
    const held = verdicts
      .flatMap(({ trace }) => trace.guards)
      .filter(({ kind }) => kind === 'hold')
      .map(({ guard }) => guard)
    expect(new Set(held)).toEqual(new Set(policy.guards.map(({ guard }) => guard)))
  })
})

describe('for any input under standard', () => {
  it('the order of samples, looks and history does not matter', () => {
    const inputs = inputsUnder(standardPolicy).chain((input) =>
      fc.record({
        input: fc.constant(input),
        samples: shuffled(input.samples),
        looks: shuffled(input.looks),
        history: shuffled(input.history),
      }),
    )
    fc.assert(
      fc.property(inputs, ({ input, ...others }) => {
        expect(decide({ ...input, ...others })).toEqual(decide(input))
      }),
      runs,
    )
  })
})

/** What one guard says about the same action at another time. */
function guardAt(input: DecisionInput, guard: string, at: number): string | undefined {
  const { trace } = decide(input)
  const action = trace.action?.action
  const tier = trace.tier?.tier
  const { samples } = gatherEvidence(input.samples, input.policy.evidence, input.now)
  const newest = samples.at(-1)
  if (trace.key === null || newest === undefined) return undefined
  if (!isAction(action) || !isTier(tier)) return undefined
  const context = { input: { ...input, now: at }, action, tier, key: trace.key, newest }
  return runGuards(context, input.policy.guards).find((report) => report.guard === guard)?.kind
}

/** The same post at a later time, with samples and looks as fresh as they were. */
function movedTo(input: DecisionInput, at: number): DecisionInput {
  const byMs = at - input.now
  const moved = <T extends { readonly at: number }>(items: readonly T[]) =>
    items.map((item) => Object.assign({}, item, { at: item.at + byMs }))
  return { ...input, now: at, samples: moved(input.samples), looks: moved(input.looks) }
}

/** How strong the tier is, 0 for healthy, or null where none was reached. */
function rankOf({ trace }: Verdict): number | null {
  if (trace.tier === null) return null
  return trace.tier.tier === 'healthy' ? 0 : tiers.indexOf(trace.tier.tier) + 1
}
