/** That a decision on few samples is the one on all of them. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curveOf } from '../../core/age-rank/curve.ts'
import { layOut } from '../../core/age-rank/baseline.ts'
import { fitModel } from '../../core/age-rank/model.ts'
import { everythingSupported } from '../../core/capabilities.ts'
import { decide } from '../../core/decide.ts'
import { noPast } from '../../core/decision-input.ts'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { classicPolicy } from '../../core/policies/classic.ts'
import { standardPolicy } from '../../core/policies/standard.ts'
import type { Policy } from '../../core/policy.ts'
import type { Sample } from '../../core/sample.ts'
import type { AccountBaseline } from '../../core/signal.ts'
import { NeededSamples } from './needed-samples.ts'

const publishedAt = Date.UTC(2026, 0, 1, 12)

const baseline: AccountBaseline = (() => {
  const curves = Array.from({ length: 30 }, (_, post) => {
    const samples = Array.from({ length: 144 }, (__, slice) => ({
      at: publishedAt + (slice + 1) * 20 * minuteMs,
      engagements: Math.floor((post + 2) * Math.log2(slice + 2)),
      impressions: (post + 2) * (slice + 1) * 5,
    }))
    const result = curveOf(samples, publishedAt, { weight: 1, own: true })
    return result.kind === 'curve' ? [result.curve] : []
  }).flat()
  const laidOut = layOut(curves)
  return { baseline: laidOut, model: fitModel(laidOut) }
})()

function verdictOn(samples: readonly Sample[], now: number, policy: Policy) {
  const verdict = decide({
    post: { id: 'post', publishedAt, neverTouch: false },
    timeZone: 'UTC',
    capabilities: everythingSupported,
    samples,
    ...noPast,
    baseline,
    policy,
    now,
  })
  const { received: _, outsideWindow: __, ...evidence } = verdict.trace.evidence
  return { ...verdict, trace: { ...verdict.trace, evidence } }
}

/** A life with gaps, with small falls and deep ones, and with impressions now and then. */
const life = fc
  .array(
    fc.record({
      gapMs: fc.oneof(
        fc.integer({ min: minuteMs / 2, max: 40 * minuteMs }),
        fc.constantFrom(20 * minuteMs, 3 * hourMs),
      ),
      step: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
        { weight: 2, arbitrary: fc.integer({ min: -3, max: 0 }) },
        { weight: 1, arbitrary: fc.integer({ min: -200, max: -4 }) },
      ),
      shown: fc.option(fc.integer({ min: -300, max: 900 }), { freq: 3 }),
    }),
    { minLength: 1, maxLength: 90 },
  )
  .map((steps) => {
    let at = publishedAt - 5 * minuteMs
    let engagements = 0
    let impressions = 0
    return steps.map(({ gapMs, step, shown }): Sample => {
      at += gapMs
      engagements = Math.max(0, engagements + step)
      impressions = Math.max(0, impressions + (shown ?? 0))
      return { at, engagements, impressions: shown === null ? null : impressions }
    })
  })

const policies: readonly Policy[] = [
  standardPolicy,
  classicPolicy,
  {
    ...standardPolicy,
    detector: { detector: 'age-rank' },
    evidence: { ...standardPolicy.evidence, windowMs: 40 * minuteMs, minimumSamples: 1 },
  },
]

describe('the samples that a decision needs', () => {
  it('give the same verdict at every look as all of them', () => {
    fc.assert(
      fc.property(life, fc.constantFrom(...policies), (samples, policy) => {
        const needed = new NeededSamples(policy, publishedAt)
        samples.forEach((sample, index) => {
          needed.add(sample)
          const all = verdictOn(samples.slice(0, index + 1), sample.at, policy)
          expect(verdictOn(needed.now(), sample.at, policy)).toEqual(all)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('stay few however long the life', () => {
    const needed = new NeededSamples(standardPolicy, publishedAt)
    for (let slice = 1; slice <= 1000; slice += 1) {
      const at = publishedAt + slice * 5 * minuteMs
      needed.add({ at, engagements: slice, impressions: slice * 10 })
    }
    // The window of 90 minutes holds 19 of them.
    expect(needed.now().length).toBeLessThan(19 + 10)
    expect(needed.now().at(-1)?.engagements).toBe(1000)
  })
})
