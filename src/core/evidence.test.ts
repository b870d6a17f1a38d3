/** Tests which samples are believed, and that the report accounts for every one of them. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidencePolicies, samplesAround, shuffled } from '../../test/builders/arbitrary.ts'
import { ago, now, sampleAt } from '../../test/builders/decision.ts'
import { minuteMs } from './duration.ts'
import { gatherEvidence } from './evidence.ts'
import type { Evidence, EvidencePolicy } from './evidence.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import type { Sample } from './sample.ts'

const steady = [60, 45, 30, 15, 0].map((minutes) =>
  sampleAt(minutes, 1000 - minutes, 100 - minutes),
)

function gather(samples: readonly Sample[], changes: Partial<EvidencePolicy> = {}): Evidence {
  return gatherEvidence(samples, { ...standardPolicy.evidence, ...changes }, now)
}

const timesOf = (evidence: Evidence) => evidence.samples.map(({ at }) => (now - at) / minuteMs)

describe('gatherEvidence', () => {
  it('uses all of a clean series as it is', () => {
    const evidence = gather(steady)
    expect(evidence.samples).toEqual(steady)
    expect(evidence.lack).toBeNull()
    expect(evidence.report).toEqual({
      received: 5,
      outsideWindow: 0,
      future: 0,
      repeated: 0,
      beforeReset: 0,
      tooClose: 0,
      used: 5,
      withoutImpressions: 0,
      firstAt: ago(60),
      lastAt: now,
      windowMs: 90 * minuteMs,
      minimumSamples: 3,
    })
  })

  it('brings them into order without touching what it was given', () => {
    const reversed = steady.toReversed()
    const copy = [...reversed]
    expect(gather(reversed).samples).toEqual(steady)
    expect(reversed).toEqual(copy)
  })

  it('keeps the order of equal times where repeats are kept, as the classic executor sorts', () => {
    const first = sampleAt(10, 500, 9)
    const second = sampleAt(10, 400, 1)
    const samples = [...steady, first, second]
    const { samples: used } = gatherEvidence(samples, classicPolicy.evidence, now)
    expect(used.slice(4, 6)).toEqual([first, second])
  })
})

describe('the window', () => {
  it('includes its start and nothing before', () => {
    const edge = { ...sampleAt(90, 1, 1) }
    const before = { ...edge, at: edge.at - 1 }
    const { report } = gather([before, edge, ...steady])
    expect(report).toMatchObject({ outsideWindow: 1, used: 6, firstAt: ago(90) })
  })

  it('includes this very moment; what lies after it comes from a wrong clock', () => {
    const next = { ...sampleAt(0, 2000, 200), at: now + 1 }
    expect(gather([...steady, next]).report).toMatchObject({ future: 1, used: 5, lastAt: now })
    const kept = gatherEvidence([...steady, next], classicPolicy.evidence, now)
    expect(kept.report).toMatchObject({ future: 0, used: 6, lastAt: now + 1 })
  })
})

describe('repeated samples', () => {
  const repeats = [
    sampleAt(0, 1000, 100),
    sampleAt(0, 1001, 100),
    sampleAt(0, null, 100),
    sampleAt(0, 1001, 100, { likes: 3 }),
  ]

  it('are one, whatever order they come in', () => {
    fc.assert(
      fc.property(shuffled([...repeats, ...steady.slice(0, 4)]), (samples) => {
        const evidence = gather(samples)
        expect(evidence.report).toMatchObject({ repeated: 3, used: 5 })
        expect(evidence.samples.at(-1)).toEqual(sampleAt(0, 1001, 100, { likes: 3 }))
      }),
    )
  })

  it('prefers the one with more engagements', () => {
    const samples = [...steady.slice(0, 4), sampleAt(0, 5000, 100), sampleAt(0, 900, 101)]
    expect(gather(samples).samples.at(-1)).toEqual(sampleAt(0, 900, 101))
  })

  it('count each for itself where the policy keeps them', () => {
    const same = Array.from({ length: 3 }, () => sampleAt(0, 1000, 100))
    expect(gather(same, { repeatedSamples: 'keep', minimumSpacingMs: 0 }).report.used).toBe(3)
    expect(gather(same).report).toMatchObject({ repeated: 2, used: 1 })
  })
})

describe('a counter that falls', () => {
  /** The last reading before the fall, the first after it. */
  const falling = (before: Partial<Sample>, after: Partial<Sample>) => [
    { ...sampleAt(60, 1000, 100), ...before },
    { ...sampleAt(45, 1000, 100), ...before },
    { ...sampleAt(30, 1000, 100), ...after },
    { ...sampleAt(15, 1000, 100), ...after },
    { ...sampleAt(0, 1000, 100), ...after },
  ]

  it.each([
    ['by a like or three', { engagements: 100 }, { engagements: 97 }, 0],
    ['by a tenth', { engagements: 100 }, { engagements: 90 }, 0],
    ['by more than a tenth', { engagements: 100 }, { engagements: 89 }, 2],
    ['from few, by three', { engagements: 3 }, { engagements: 0 }, 0],
    ['from few, by four', { engagements: 4 }, { engagements: 0 }, 2],
    ['in impressions by a tenth', { impressions: 1000 }, { impressions: 900 }, 0],
    ['in impressions by more', { impressions: 1000 }, { impressions: 899 }, 2],
    ['not at all', { impressions: 1000 }, { impressions: 1000 }, 0],
    ['to unknown', { impressions: 1000 }, { impressions: null }, 0],
    ['from unknown', { impressions: null }, { impressions: 1 }, 0],
  ])('%s', (_, before, after, beforeReset) => {
    const { report } = gather(falling(before, after))
    expect(report).toMatchObject({ beforeReset, used: 5 - beforeReset })
    expect(gather(falling(before, after), { reset: null }).report.beforeReset).toBe(0)
  })

  it('is seen across a reading without impressions', () => {
    const samples = [
      sampleAt(60, 1000, 100),
      sampleAt(45, null, 100),
      sampleAt(30, 10, 100),
      sampleAt(15, 20, 100),
      sampleAt(0, 30, 100),
    ]
    expect(gather(samples).report).toMatchObject({ beforeReset: 1, used: 4 })
  })

  it('starts again after the last of several resets', () => {
    const samples = [80, 70, 60, 50, 40, 30, 20, 0].map((minutes, index) =>
      sampleAt(minutes, 1000 + index, [500, 5, 400, 410, 4, 8, 9, 10][index] ?? 0),
    )
    expect(timesOf(gather(samples))).toEqual([40, 30, 20, 0])
  })
})

describe('spacing', () => {
  it('thins from the newest backwards, and equality is far enough', () => {
    const samples = [30, 20, 2.5, 2, 1, 0.5, 0].map((minutes) => sampleAt(minutes, 1000, 50))
    const evidence = gather(samples)
    expect(timesOf(evidence)).toEqual([30, 20, 2, 1, 0])
    expect(evidence.report.tooClose).toBe(2)
  })

  it('takes one impression in two seconds for one reading', () => {
    const samples = [2 / 60, 1 / 60, 0].map((minutes, index) => sampleAt(minutes, index, 0))
    expect(gather(samples)).toMatchObject({
      report: { tooClose: 2, used: 1 },
      lack: { reason: 'insufficient_samples', count: 1, minimum: 3 },
    })
  })
})

describe('lack', () => {
  it.each([
    ['insufficient_samples', [30, 0], { count: 2, minimum: 3 }],
    ['insufficient_samples', [], { count: 0, minimum: 3 }],
    ['short_span', [19, 10, 0], { spanMs: 19 * minuteMs, minimumMs: 20 * minuteMs }],
    ['stale_samples', [80, 70, 46], { ageMs: 46 * minuteMs, maximumMs: 45 * minuteMs }],
  ])('%s with samples at %j minutes', (reason, minutes, numbers) => {
    const samples = minutes.map((minute) => sampleAt(minute, 1000, 100))
    expect(gather(samples).lack).toEqual({ reason, ...numbers })
  })

  it.each([
    ['three samples', [30, 15, 0]],
    ['a span of exactly 20 minutes', [20, 10, 0]],
    ['a newest sample of exactly 45 minutes', [80, 60, 45]],
  ])('none with %s', (_, minutes) => {
    expect(gather(minutes.map((minute) => sampleAt(minute, 1000, 100))).lack).toBeNull()
  })

  it('counts how many carry no impressions, which is not 0 impressions', () => {
    const samples = [sampleAt(30, null, 1), sampleAt(15, 0, 1), sampleAt(0, null, 1)]
    expect(gather(samples).report).toMatchObject({ used: 3, withoutImpressions: 2 })
  })
})

describe('for any samples', () => {
  it('the report accounts for each of them once', () => {
    fc.assert(
      fc.property(samplesAround(now), evidencePolicies, (samples, policy) => {
        const { report, samples: used } = gatherEvidence(samples, policy, now)
        const { outsideWindow, future, repeated, beforeReset, tooClose } = report
        expect(outsideWindow + future + repeated + beforeReset + tooClose + report.used).toBe(
          samples.length,
        )
        expect(report.received).toBe(samples.length)
        expect(report.used).toBe(used.length)
        expect(report.firstAt).toBe(used[0]?.at ?? null)
        expect(report.lastAt).toBe(used.at(-1)?.at ?? null)
      }),
    )
  })

  it('what is used was received, is in order, in the window and spaced', () => {
    fc.assert(
      fc.property(samplesAround(now), (samples) => {
        const { windowMs, minimumSpacingMs } = standardPolicy.evidence
        const { samples: used } = gather(samples)
        for (const sample of used) {
          expect(samples).toContain(sample)
          expect(sample.at).toBeGreaterThanOrEqual((used.at(-1)?.at ?? NaN) - windowMs)
          expect(sample.at).toBeLessThanOrEqual(now)
        }
        const gapsMs = used.slice(1).map((sample, index) => sample.at - (used[index]?.at ?? NaN))
        expect(gapsMs.filter((gapMs) => !(gapMs >= minimumSpacingMs))).toEqual([])
      }),
    )
  })
})
