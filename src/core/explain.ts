/** Owns the sentence that says why: the one that the CLI, the API and the dashboard all show. */

import type { EvidenceReport } from './evidence.ts'
import { describeGuard } from './guards/guards.ts'
import type { GuardReport } from './guards/guards.ts'
import { formatInstant } from './instant.ts'
import { describeExplored } from './lift/explore.ts'
import type { Signal } from './signal.ts'
import type { Lack, Trace, Verdict } from './verdict.ts'
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatScore,
  formatUntil,
  plural,
} from './wording.ts'

/** One paragraph that names the verdict, its reason and every number it rests on. */
export function explain(verdict: Verdict): string {
  const { trace } = verdict
  switch (verdict.kind) {
    case 'insufficient':
      return `Cannot tell yet: ${describeLack(verdict.lack)}. ${describeEvidence(trace)}`
    case 'healthy':
      return `Healthy: ${describeScore(trace)}. ${describeEvidence(trace)}`
    case 'hold':
      return (
        `Stalled (${verdict.tier}), but ${describeHold(verdict)}. ` +
        `${capitalized(formatUntil(verdict.until))}. ` +
        `It is stalled because ${describeScore(trace)}. ${describeEvidence(trace)}`
      )
    case 'plan':
      return (
        `Stalled (${verdict.tier}): ${describeScore(trace)}. ${describeEvidence(trace)} ` +
        `Planned: ${verdict.action}${describePassedOver(trace)}${describeChoices(trace)}, ` +
        `as all ${plural(trace.guards.length, 'guard')} pass.`
      )
  }
}

/** One line a guard, as a checklist: what it saw, and whether it passed. */
export function checklist(verdict: Verdict): readonly string[] {
  return verdict.trace.guards.map(describeReport)
}

function describeReport(report: GuardReport): string {
  const seen = `${report.guard}: ${describeGuard(report)}`
  return report.kind === 'pass' ? `pass  ${seen}` : `HOLD  ${seen}; ${formatUntil(report.until)}`
}

function describeHold(verdict: Verdict & { kind: 'hold' }): string {
  const { reason, trace } = verdict
  if (reason === 'confirming') {
    const { stalled = 0, required = 0 } = trace.looks ?? {}
    return (
      `not confirmed yet: this is look ${formatCount(stalled)} ` +
      `of the ${formatCount(required)} in a row that it takes`
    )
  }
  if (reason === 'no_supported_action') {
    return `the platform offers nothing for this tier${describePassedOver(trace)}`
  }
  if (reason === 'nothing_to_say') return 'nothing fit to say was found'
  const report = trace.guards.find(({ guard }) => guard === reason)
  if (report === undefined) throw new Error(`The verdict names ${reason}, which did not run`)
  return `held by ${reason}: ${describeGuard(report)}`
}

function describePassedOver({ action }: Trace): string {
  const passedOver = action?.passedOver ?? []
  if (passedOver.length === 0) return ''
  return ` (no ${passedOver.map((entry) => `${entry.action}: ${entry.why}`).join('; no ')})`
}

function describeChoices({ explored }: Trace): string {
  return explored === undefined ? '' : describeExplored(explored)
}

function describeScore(trace: Trace): string {
  const { signal, looks, tier } = trace
  if (signal?.kind !== 'signal' || tier === null) return 'no score was reached'
  const bound = tier.tier === 'healthy' ? 'stalled begins' : `${tier.tier} begins`
  const counted =
    looks === null || looks.stalled === 0
      ? ''
      : `, on ${formatCount(looks.stalled)} of ${plural(looks.required, 'look')} in a row`
  return (
    `${describeSignal(signal)}; that scores ${formatScore(signal.score)}, ` +
    `and ${bound} at ${formatScore(tier.threshold)}${counted}`
  )
}

function describeSignal(signal: Signal): string {
  switch (signal.detector) {
    case 'rate':
      return (
        `${plural(signal.engagementsGained, 'engagement')} on ` +
        `${plural(signal.impressionsGained, 'impression')} is a rate of ` +
        `${formatPercent(signal.rate)}, where ${formatPercent(1 / signal.multiplier)} ` +
        `or more would score 0`
      )
    case 'age-rank':
      return describeAgeRank(signal)
  }
}

/** A rank says how many of the past posts did worse at the same age. */
function describeAgeRank(signal: Signal & { detector: 'age-rank' }): string {
  const { ranks } = signal
  const ranked = (count: number, rank: number, when: string) =>
    `${formatCount(round(count))} ${when} (better than ${formatPercent(rank)})`
  const parts = [
    ranked(signal.count, ranks.count, 'engagements in all'),
    ranked(signal.gainSinceHalf, ranks.gainSinceHalf, 'since half its age'),
    ranked(signal.gainInWindow, ranks.gainInWindow, 'in the last 90 min'),
  ]
  if (signal.impressionsSinceHalf !== null && ranks.impressionsSinceHalf !== null) {
    const when = 'impressions since half its age'
    parts.push(ranked(signal.impressionsSinceHalf, ranks.impressionsSinceHalf, when))
  }
  return (
    `at ${formatDuration(signal.ageMs)} it has ${parts.join(', ')} of ` +
    `${plural(signal.curves, 'past post')} at that age, ${formatCount(signal.ownCurves)} of them ` +
    `its own account's (${formatCount(signal.fittedPosts)} shaped the weights), ` +
    `where eight in ten had ${formatCount(round(signal.band.low))} to ` +
    `${formatCount(round(signal.band.high))}, the middle one ` +
    `${formatCount(round(signal.band.middle))}, ` +
    `and ${formatCount(round(signal.expectedGain))} more usually follow`
  )
}

function round(count: number): number {
  return Math.round(count * 10) / 10
}

function describeLack(lack: Lack): string {
  switch (lack.reason) {
    case 'insufficient_samples':
      return (
        `${are(lack.count, 'usable sample')}, ` +
        `and it takes at least ${formatCount(lack.minimum)}`
      )
    case 'stale_samples':
      return (
        `the newest sample is ${formatDuration(lack.ageMs)} old, ` +
        `and at most ${formatDuration(lack.maximumMs)} is allowed`
      )
    case 'short_span':
      return (
        `the samples span ${formatDuration(lack.spanMs)}, ` +
        `and it takes at least ${formatDuration(lack.minimumMs)}`
      )
    case 'no_impressions':
      return `no new impressions are known, and it takes at least ${formatCount(lack.minimum)}`
    case 'too_few_impressions':
      return (
        `${are(lack.count, 'new impression')}, ` +
        `and it takes at least ${formatCount(lack.minimum)} to judge a rate`
      )
    case 'no_publication_time':
      return 'nobody knows when it was published'
    case 'no_reading':
      return `it was read ${formatCount(lack.count)} times since its publication`
    case 'too_young':
      return (
        `it was ${formatCount(round(lack.count))} min old when it was last read, ` +
        `and posts are compared from ${formatCount(lack.minimum)} min on`
      )
    case 'counter_fell':
      return (
        `its counter fell to ${formatCount(lack.count)}, ` +
        `where at least ${formatCount(round(lack.minimum))} was there before`
      )
    case 'too_few_curves':
      return (
        `${are(lack.count, 'past post')} to compare it with at its age, ` +
        `and it takes at least ${formatCount(lack.minimum)}`
      )
    case 'quiet_baseline':
      return (
        `posts of its age usually gain only ${formatCount(round(lack.count))} more, ` +
        `and it takes at least ${formatCount(lack.minimum)} for a stall to mean anything`
      )
  }
}

/** `there is 1 sample`, `there are 2 samples`. */
function are(count: number, noun: string): string {
  return `there ${count === 1 ? 'is' : 'are'} ${plural(count, noun)}`
}

/** Which samples it rests on, and what became of the others. */
function describeEvidence({ evidence }: Trace): string {
  const { used, firstAt, lastAt } = evidence
  const window = `the last ${formatDuration(evidence.windowMs)}`
  const needed = `at least ${formatCount(evidence.minimumSamples)} are needed`
  const basis =
    firstAt === null || lastAt === null
      ? `Of ${window} ${formatCount(used)} samples can be used; ${needed}.`
      : `It rests on the ${plural(used, 'sample')} of ${window} ` +
        `(from ${formatInstant(firstAt)} to ${formatInstant(lastAt)}; ${needed}).`
  const left = leftOut(evidence)
  return left === '' ? basis : `${basis} Of ${formatCount(evidence.received)} readings ${left}.`
}

function leftOut(evidence: EvidenceReport): string {
  const counts = [
    [evidence.outsideWindow, 'outside that time'],
    [evidence.future, 'from the future'],
    [evidence.repeated, 'repeated'],
    [evidence.beforeReset, 'from before a counter reset'],
    [evidence.tooClose, 'too close together'],
    [evidence.withoutImpressions, 'without impressions'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCount(count)} ${count === 1 ? 'is' : 'are'} ${what}`)
    .join(', ')
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
