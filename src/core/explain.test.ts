/** Tests that the sentence which says why names every number behind the verdict. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputsUnder } from '../../test/builders/arbitrary.ts'
import {
  ago,
  decideWith,
  lookAt,
  pastAction,
  sampleAt,
  samplesFor,
  samplesGaining,
  without,
} from '../../test/builders/decision.ts'
import { decide } from './decide.ts'
import { checklist, explain } from './explain.ts'
import type { GuardReport } from './guards/guards.ts'
import { formatInstant } from './instant.ts'
import { classicPolicy } from './policies/classic.ts'
import { standardPolicy } from './policies/standard.ts'
import type { Lack, Verdict } from './verdict.ts'
import type { AgeRankNumbers } from './age-rank/age-rank.ts'
import type { RateNumbers } from './detectors/rate.ts'
import { formatCount, formatDuration, formatPercent, formatScore } from './wording.ts'

const rests =
  'It rests on the 7 samples of the last 1 h 30 min ' +
  '(from 2026-07-15T08:15:17+00:00 to 2026-07-15T09:15:17+00:00; at least 3 are needed).'

const stalls =
  '18 engagements on 1,200 impressions is a rate of 1.5 %, where 5.0 % or more would score 0; ' +
  'that scores 0.700, and tier_2 begins at 0.550, on 3 of 3 looks in a row'

describe('explain', () => {
  it('a plan', () => {
    expect(explain(decideWith())).toBe(
      `Stalled (tier_2): ${stalls}. ${rests} Planned: edit, as all 17 guards pass.`,
    )
  })

  it('a plan of another action than the first choice', () => {
    const verdict = decideWith({ capabilities: without('edit') })
    expect(explain(verdict)).toContain('Planned: comment (no edit: it cannot), as all 17 guards')
  })

  it('a healthy post', () => {
    expect(explain(decideWith({ samples: samplesFor('healthy') }))).toBe(
      'Healthy: 54 engagements on 1,200 impressions is a rate of 4.5 %, where 5.0 % or more ' +
        `would score 0; that scores 0.100, and stalled begins at 0.300. ${rests}`,
    )
  })

  it('a hold by a guard', () => {
    const history = [pastAction('comment', 'success', 10), pastAction('thread', 'success', 70)]
    expect(explain(decideWith({ history }))).toBe(
      'Stalled (tier_2), but held by window_frequency: 2 actions on it in the last 1 h 30 min, ' +
        'the maximum is 2. Possible again at 2026-07-15T09:35:17.001000+00:00. ' +
        `It is stalled because ${stalls}. ${rests}`,
    )
  })

  it('a hold that waits for more looks', () => {
    const verdict = decideWith({ looks: [lookAt(20, standardPolicy)] })
    expect(explain(verdict)).toContain(
      'but not confirmed yet: this is look 2 of the 3 in a row that it takes. Until the next look.',
    )
    expect(explain(verdict)).toContain('on 2 of 3 looks in a row')
  })

  it('a hold because the platform has nothing', () => {
    const verdict = decideWith({ capabilities: without('edit', 'comment') })
    expect(explain(verdict)).toContain(
      'but the platform offers nothing for this tier ' +
        '(no edit: it cannot; no comment: it cannot). Not possible any more.',
    )
  })

  it('what became of each sample', () => {
    const verdict = decideWith({
      samples: [
        sampleAt(100, 1, 1),
        sampleAt(80, 1000, 900),
        ...samplesGaining(18),
        sampleAt(0, 2000, 50),
        sampleAt(0.5, 2200, 68),
        sampleAt(-5, 3000, 80),
        sampleAt(7, null, 65),
      ],
    })
    expect(explain(verdict)).toContain(
      'It rests on the 8 samples of the last 1 h 30 min ' +
        '(from 2026-07-15T08:15:17+00:00 to 2026-07-15T09:15:17+00:00; at least 3 are needed). ' +
        'Of 13 readings 1 is outside that time, 1 is from the future, 1 is repeated, ' +
        '1 is from before a counter reset, 1 is too close together, 1 is without impressions.',
    )
  })

  it('no sample at all', () => {
    expect(explain(decideWith({ samples: [] }))).toBe(
      'Cannot tell yet: there are 0 usable samples, and it takes at least 3. ' +
        'Of the last 1 h 30 min 0 samples can be used; at least 3 are needed.',
    )
  })

  it.each([
    ['insufficient_samples', [sampleAt(5, 1, 1)], 'there is 1 usable sample, and it takes at'],
    [
      'stale_samples',
      [80, 70, 60].map((minutes) => sampleAt(minutes, 1000, 1)),
      'the newest sample is 1 h old, and at most 45 min is allowed',
    ],
    [
      'short_span',
      [10, 5, 0].map((minutes) => sampleAt(minutes, 1000, 1)),
      'the samples span 10 min, and it takes at least 20 min',
    ],
    [
      'too_few_curves',
      [30, 15, 0].map((minutes) => sampleAt(minutes, null, 1)),
      'there are 0 past posts to compare it with at its age, and it takes at least 1',
    ],
    [
      'too_few_impressions',
      [30, 15, 0].map((minutes) => sampleAt(minutes, 1030 - minutes, 1)),
      'there are 30 new impressions, and it takes at least 50 to judge a rate',
    ],
  ])('what is lacking: %s', (reason, samples, words) => {
    const verdict = decideWith({ samples })
    expect(verdict).toMatchObject({ kind: 'insufficient', lack: { reason } })
    expect(explain(verdict)).toContain(`Cannot tell yet: ${words}`)
  })
})

describe('explain under a policy that goes by the rate alone', () => {
  it('says that no impressions are known', () => {
    const detector = {
      detector: 'rate',
      multiplier: 20,
      minimumImpressions: 50,
      withoutImpressions: 'insufficient',
    } as const
    const samples = [30, 15, 0].map((minutes) => sampleAt(minutes, null, 1))
    const verdict = decideWith({ samples, policy: { ...standardPolicy, detector } })
    expect(verdict).toMatchObject({ lack: { reason: 'no_impressions' } })
    expect(explain(verdict)).toContain('no new impressions are known, and it takes at least 50')
  })
})

describe('checklist', () => {
  it('has a line for each guard, and marks those that hold', () => {
    const pauses = [{ scope: 'platform', since: ago(60), reason: 'outage' }] as const
    const lines = checklist(decideWith({ pauses, arm: 'holdout' }))
    expect(lines).toHaveLength(standardPolicy.guards.length)
    expect(lines[0]).toBe(
      'HOLD  paused: the platform is paused since 2026-07-15T08:15:17+00:00 (outage); ' +
        'until someone resumes it',
    )
    expect(lines[1]).toBe('pass  never_touch: the owner allows actions on it')
    expect(lines.filter((line) => line.startsWith('HOLD'))).toHaveLength(2)
  })

  it('is empty where the guards were not asked', () => {
    expect(checklist(decideWith({ samples: [] }))).toEqual([])
  })
})

describe.each([classicPolicy, standardPolicy])('for any input under $name', (policy) => {
  it('explain names each number it used', () => {
    fc.assert(
      fc.property(inputsUnder(policy), (input) => {
        const verdict = decide(input)
        const text = explain(verdict)
        const missing = numbersOf(verdict).filter((number) => !names(text, number))
        expect({ text, missing }).toEqual({ text, missing: [] })
      }),
      { numRuns: 300 },
    )
  })

  it('each line of the checklist names each number of its guard', () => {
    fc.assert(
      fc.property(inputsUnder(policy), (input) => {
        const verdict = decide(input)
        checklist(verdict).forEach((line, index) => {
          const report = verdict.trace.guards[index] as GuardReport
          const missing = factsOf(report).filter((number) => !names(line, number))
          expect({ line, missing }).toEqual({ line, missing: [] })
        })
      }),
      { numRuns: 300 },
    )
  })
})

/** Whether a number stands in a text by itself, and not as a part of another one. */
function names(text: string, number: string): boolean {
  const escaped = number.replaceAll(/[.+*?^$()[\]{}|\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\d.,:])${escaped}(?![\d]|[.,:]\d)`).test(text)
}

/** Every number behind a verdict, as it is written. What was counted as 0 is told by silence. */
function numbersOf(verdict: Verdict): string[] {
  const { evidence, looks } = verdict.trace
  const { outsideWindow, future, repeated, beforeReset, tooClose, withoutImpressions } = evidence
  const dropped = [outsideWindow, future, repeated, beforeReset, tooClose, withoutImpressions]
  const stalled = looks !== null && looks.stalled > 0 ? [looks.stalled, looks.required] : []
  return [
    ...[evidence.received, evidence.used, evidence.minimumSamples, ...stalled].map(formatCount),
    ...dropped.filter((count) => count > 0).map(formatCount),
    ...[evidence.firstAt, evidence.lastAt].filter((at) => at !== null).map(formatInstant),
    formatDuration(evidence.windowMs),
    ...scoreNumbersOf(verdict),
    ...(verdict.kind === 'insufficient' ? lackNumbersOf(verdict.lack) : []),
    ...(verdict.kind === 'hold' ? holdNumbersOf(verdict) : []),
    ...(verdict.kind === 'plan' ? [formatCount(verdict.trace.guards.length)] : []),
  ]
}

function scoreNumbersOf({ trace: { signal, tier } }: Verdict): string[] {
  if (signal?.kind !== 'signal' || tier === null) return []
  return [
    formatScore(signal.score),
    formatScore(tier.threshold),
    ...(signal.detector === 'rate' ? rateNumbersOf(signal) : ageRankNumbersOf(signal)),
  ]
}

function rateNumbersOf(signal: RateNumbers): string[] {
  return [
    formatCount(signal.impressionsGained),
    formatCount(signal.engagementsGained),
    formatPercent(signal.rate),
    formatPercent(1 / signal.multiplier),
  ]
}

function ageRankNumbersOf(signal: AgeRankNumbers): string[] {
  const { ranks, impressionsSinceHalf } = signal
  const counts = [signal.count, signal.gainSinceHalf, signal.gainInWindow, signal.expectedGain]
  counts.push(signal.band.low, signal.band.middle, signal.band.high)
  const shares = [ranks.count, ranks.gainSinceHalf, ranks.gainInWindow]
  if (impressionsSinceHalf !== null && ranks.impressionsSinceHalf !== null) {
    counts.push(impressionsSinceHalf)
    shares.push(ranks.impressionsSinceHalf)
  }
  return [
    formatDuration(signal.ageMs),
    ...counts.map((count) => formatCount(Math.round(count * 10) / 10)),
    ...shares.map(formatPercent),
    ...[signal.curves, signal.ownCurves, signal.fittedPosts].map(formatCount),
  ]
}

function lackNumbersOf(lack: Lack): string[] {
  if ('maximumMs' in lack) return [lack.ageMs, lack.maximumMs].map(formatDuration)
  if ('minimumMs' in lack) return [lack.spanMs, lack.minimumMs].map(formatDuration)
  if (lack.reason === 'no_impressions') return [formatCount(lack.minimum)]
  return [lack.count, lack.minimum].map(formatCount)
}

function holdNumbersOf(verdict: Verdict & { kind: 'hold' }): string[] {
  const report = verdict.trace.guards.find(({ guard }) => guard === verdict.reason)
  const { until } = verdict
  const times = until.kind === 'time' ? [formatInstant(until.at)] : []
  return [...times, ...(report === undefined ? [] : factsOf(report))]
}

/** The numbers of a guard, each in the format that its name asks for. */
function factsOf({ facts }: GuardReport): string[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    if (typeof value !== 'number') return []
    if (name.endsWith('At')) return [formatInstant(value)]
    return [name.endsWith('Ms') ? formatDuration(value) : formatCount(value)]
  })
}
