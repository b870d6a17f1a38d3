/** Tests the classic score and what it makes of missing impressions. */

import { describe, expect, it } from 'vitest'
import { sampleAt } from '../../../test/builders/decision.ts'
import type { Sample } from '../sample.ts'
import { detectByRate } from './rate.ts'
import type { RateSettings } from './rate.ts'

/** As the classic executor has it, and as `standard` has it. */
const classic: RateSettings = {
  detector: 'rate',
  multiplier: 20,
  minimumImpressions: 0,
  withoutImpressions: 'stalled',
}
const careful: RateSettings = {
  ...classic,
  minimumImpressions: 50,
  withoutImpressions: 'insufficient',
}

const detectIn = (samples: readonly Sample[], settings = careful) => detectByRate(samples, settings)

describe('rate', () => {
  it.each([
    [1000, 0, 1],
    [1000, 10, 0.8],
    [1000, 22.5, 0.55],
    [1000, 50, 0],
    [1000, 500, 0],
    [3, 1, 0],
    [7, 0, 1],
  ])('of %i impressions and %d engagements', (impressions, engagements, score) => {
    const samples = [
      sampleAt(30, 200, 5),
      sampleAt(15, 9999, 0),
      sampleAt(0, 200 + impressions, 5 + engagements),
    ]
    const signal = detectIn(samples, classic)
    expect(signal).toMatchObject({
      kind: 'signal',
      detector: 'rate',
      impressionsGained: impressions,
      engagementsGained: engagements,
      rate: engagements / impressions,
      multiplier: 20,
    })
    expect(signal.kind === 'signal' ? signal.score : NaN).toBeCloseTo(score, 12)
  })

  it('takes a fall for no gain', () => {
    const samples = [sampleAt(30, 1000, 50), sampleAt(0, 2000, 48)]
    expect(detectIn(samples)).toMatchObject({ score: 1, engagementsGained: 0 })
  })

  it('reads from the first to the last sample that has impressions', () => {
    const samples = [
      sampleAt(40, null, 0),
      sampleAt(30, 1000, 10),
      sampleAt(20, null, 15),
      sampleAt(10, 2000, 30),
      sampleAt(0, null, 500),
    ]
    expect(detectIn(samples)).toMatchObject({ impressionsGained: 1000, engagementsGained: 20 })
  })

  it.each([
    ['none of them has impressions', [sampleAt(30, null, 1), sampleAt(0, null, 9)]],
    ['only one of them has', [sampleAt(30, 5, 1), sampleAt(0, null, 9)]],
  ])('cannot tell where %s', (_, samples) => {
    expect(detectIn(samples)).toEqual({
      kind: 'no_signal',
      detector: 'rate',
      reason: 'no_impressions',
      count: 0,
      minimum: 50,
    })
    expect(detectIn(samples, classic)).toMatchObject({ score: 1 })
  })

  it.each([
    [49, 'no_signal'],
    [50, 'signal'],
  ])('needs as many new impressions as it is told: %i give %s', (gained, kind) => {
    const samples = [sampleAt(30, 100, 1), sampleAt(0, 100 + gained, 1)]
    expect(detectIn(samples).kind).toBe(kind)
  })

  it('says how many there were where they are too few', () => {
    expect(detectIn([sampleAt(30, 100, 1), sampleAt(0, 149, 1)])).toEqual({
      kind: 'no_signal',
      detector: 'rate',
      reason: 'too_few_impressions',
      count: 49,
      minimum: 50,
    })
  })
})
