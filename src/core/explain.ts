/** Owns the sentence that says why: the one that the CLI, the API and the dashboard all show. */

import type { EvidenceReport } from './evidence.ts'
import { describeGuard } from './guards/guards.ts'
import type { GuardReport } from './guards/guards.ts'
import { formatInstant } from './instant.ts'
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
      return `Cannot tell: ${describeLack(verdict.lack)}. ${describeEvidence(trace)}.`
    case 'healthy':
      return `Healthy: ${describeScore(trace)}. ${describeEvidence(trace)}.`
    case 'hold':
      return (
        `Stalled (${verdict.tier}), but held by ${verdict.reason}: ${describeHold(verdict)}, ` +
        `${formatUntil(verdict.until)}. It is stalled because ${describeScore(trace)}. ` +
        `${describeEvidence(trace)}.`
      )
    case 'plan':
      return (
        `Stalled (${verdict.tier}): ${describeScore(trace)}. ${describeEvidence(trace)}. ` +
        `Planned: ${verdict.action}${describePassedOver(trace)}, ` +
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
  if (reason === 'confirming') return 'it needs more looks in a row'
  if (reason === 'no_supported_action') {
    return `the platform offers nothing for this tier${describePassedOver(trace)}`
  }
  const report = trace.guards.find(({ guard }) => guard === reason)
  if (report === undefined) throw new Error(`The verdict names ${reason}, which did not run`)
  return describeGuard(report)
}

function describePassedOver({ action }: Trace): string {
  const passedOver = action?.passedOver ?? []
  if (passedOver.length === 0) return ''
  return ` (no ${passedOver.map((entry) => `${entry.action}: ${entry.why}`).join('; no ')})`
}

function describeScore(trace: Trace): string {
  const { signal, looks, tier } = trace
  if (signal?.kind !== 'signal' || tier === null) return 'no score was reached'
  const bound = tier.tier === 'healthy' ? 'stalled begins at' : `${tier.tier} begins at`
  const counted =
    looks === null || looks.stalled === 0
      ? ''
      : `, on ${formatCount(looks.stalled)} of ${plural(looks.required, 'look')} in a row`
  return (
    `${describeSignal(signal)} scores ${formatScore(signal.score)} ` +
    `(${bound} ${formatScore(tier.threshold)})${counted}`
  )
}

function describeSignal(signal: Signal): string {
  switch (signal.detector) {
    case 'rate':
      return (
        `${plural(signal.engagementsGained, 'engagement')} on ` +
        `${plural(signal.impressionsGained, 'impression')}, a rate of ` +
        `${formatPercent(signal.rate)} against ${formatPercent(1 / signal.multiplier)},`
      )
  }
}

function describeLack(lack: Lack): string {
  switch (lack.reason) {
    case 'insufficient_samples':
      return `${plural(lack.count, 'usable sample')} of at least ${formatCount(lack.minimum)}`
    case 'stale_samples':
      return (
        `the newest sample is ${formatDuration(lack.ageMs)} old, ` +
        `at most ${formatDuration(lack.maximumMs)} is allowed`
      )
    case 'short_span':
      return (
        `the samples span ${formatDuration(lack.spanMs)}, ` +
        `at least ${formatDuration(lack.minimumMs)} is needed`
      )
    case 'no_impressions':
      return `no new impressions are known, at least ${formatCount(lack.minimum)} are needed`
    case 'too_few_impressions':
      return (
        `${plural(lack.count, 'new impression')}, ` +
        `at least ${formatCount(lack.minimum)} are needed to judge a rate`
      )
  }
}

function describeSpan({ firstAt, lastAt }: EvidenceReport): string {
  if (firstAt === null || lastAt === null) return ''
  return ` (from ${formatInstant(firstAt)} to ${formatInstant(lastAt)})`
}

/** Which samples it rests on, and what became of the others. */
function describeEvidence({ evidence }: Trace): string {
  const dropped = [
    [evidence.outsideWindow, 'outside the window'],
    [evidence.future, 'from the future'],
    [evidence.repeated, 'repeated'],
    [evidence.beforeReset, 'from before a counter reset'],
    [evidence.tooClose, 'too close together'],
  ] as const
  const parts = dropped
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCount(count)} ${what}`)
  const blind = evidence.withoutImpressions
  const notes = blind > 0 ? [...parts, `${formatCount(blind)} without impressions`] : parts
  const rest = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return (
    `It rests on ${plural(evidence.used, 'sample')} of ${formatCount(evidence.received)} ` +
    `in the last ${formatDuration(evidence.windowMs)}${describeSpan(evidence)}, ` +
    `where ${formatCount(evidence.minimumSamples)} are needed${rest}`
  )
}
