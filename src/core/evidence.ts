/**
 * The first stage: which samples can be believed. It sorts, drops and counts, and its report says
 * what it dropped and why, so that a verdict never rests on readings nobody can see.
 */

import type { Instant } from './instant.ts'
import { requireSamples } from './sample.ts'
import type { Sample } from './sample.ts'

/** How samples are chosen and cleaned. */
export interface EvidencePolicy {
  /** A sample counts if it lies at most this long before the window's end. */
  readonly windowMs: number
  /**
   * Where the window ends: now, or at the newest reading. With the latter, asking again without a
   * newer reading gives the same answer, so that two planners at one look reach the same key.
   */
  readonly windowEnds: 'now' | 'newest_sample'
  readonly minimumSamples: number
  /** Readings from after `now` come from a wrong clock. */
  readonly futureSamples: 'drop' | 'keep'
  /** Of several readings at one instant, keep the greatest or keep all. */
  readonly repeatedSamples: 'drop' | 'keep'
  /** A counter that falls by more than this started again; null takes any fall as it is. */
  readonly reset: ResetPolicy | null
  /** Readings closer together than this say nothing new; the later one is kept. */
  readonly minimumSpacingMs: number
  /** The kept readings must span at least this long. */
  readonly minimumSpanMs: number
  /** The newest reading must be at most this old; null accepts any in the window. */
  readonly maximumStalenessMs: number | null
}

/** A fall is a reset where it is larger than both. */
export interface ResetPolicy {
  readonly fallShare: number
  readonly fallCount: number
}

/** What was made of the samples that came in. */
export interface EvidenceReport {
  readonly received: number
  readonly outsideWindow: number
  readonly future: number
  readonly repeated: number
  readonly beforeReset: number
  readonly tooClose: number
  readonly used: number
  /** How many of the used ones carry no impressions. */
  readonly withoutImpressions: number
  readonly firstAt: Instant | null
  readonly lastAt: Instant | null
  readonly windowMs: number
  readonly minimumSamples: number
}

export type EvidenceLack =
  | { readonly reason: 'insufficient_samples'; readonly count: number; readonly minimum: number }
  | { readonly reason: 'stale_samples'; readonly ageMs: number; readonly maximumMs: number }
  | { readonly reason: 'short_span'; readonly spanMs: number; readonly minimumMs: number }

export interface Evidence {
  /** In ascending order of time. */
  readonly samples: readonly Sample[]
  readonly report: EvidenceReport
  /** Why they do not suffice, or null. */
  readonly lack: EvidenceLack | null
}

export function gatherEvidence(
  received: readonly Sample[],
  policy: EvidencePolicy,
  now: Instant,
): Evidence {
  requireSamples(received)
  const windowed = insideWindow(received, policy, now)
  const { ordered, gapMs } = inAscendingTime(windowed.kept)
  // What is dropped on the way only widens the gaps, so one look at them serves two steps.
  const repeats = gapMs === 0 && policy.repeatedSamples === 'drop'
  const distinct = repeats ? withoutRepeats(ordered) : ordered
  const settled = policy.reset === null ? distinct : sinceReset(distinct, policy.reset)
  const close = gapMs < policy.minimumSpacingMs
  const spaced = close ? spacedOut(settled, policy.minimumSpacingMs) : settled
  const report: EvidenceReport = {
    received: received.length,
    outsideWindow: windowed.outside,
    future: windowed.future,
    repeated: ordered.length - distinct.length,
    beforeReset: distinct.length - settled.length,
    tooClose: settled.length - spaced.length,
    used: spaced.length,
    withoutImpressions: countWithoutImpressions(spaced),
    firstAt: spaced[0]?.at ?? null,
    lastAt: spaced.at(-1)?.at ?? null,
    windowMs: policy.windowMs,
    minimumSamples: policy.minimumSamples,
  }
  return { samples: spaced, report, lack: findLack(report, policy, now) }
}

function newestUpTo(samples: readonly Sample[], to: Instant, otherwise: Instant): Instant {
  let newest = -Infinity
  for (let index = 0; index < samples.length; index += 1) {
    const { at } = samples[index] as Sample
    if (at <= to && at > newest) newest = at
  }
  return newest === -Infinity ? otherwise : newest
}

function insideWindow(
  received: readonly Sample[],
  policy: EvidencePolicy,
  now: Instant,
): { readonly kept: readonly Sample[]; readonly outside: number; readonly future: number } {
  const to = policy.futureSamples === 'drop' ? now : Infinity
  const end = policy.windowEnds === 'now' ? now : newestUpTo(received, to, now)
  const from = end - policy.windowMs
  let outside = 0
  let future = 0
  for (let index = 0; index < received.length; index += 1) {
    const { at } = received[index] as Sample
    if (at > to) future += 1
    else if (at < from) outside += 1
  }
  if (outside === 0 && future === 0) return { kept: received, outside, future }
  return { kept: received.filter(({ at }) => at >= from && at <= to), outside, future }
}

/** The shortest time from one sample to the next: 0 shows a repeat, less than 0 a disorder. */
function shortestGapMs(samples: readonly Sample[]): number {
  let shortestMs = Infinity
  for (let index = 1; index < samples.length; index += 1) {
    const gapMs = (samples[index] as Sample).at - (samples[index - 1] as Sample).at
    if (gapMs < shortestMs) shortestMs = gapMs
  }
  return shortestMs
}

/** A stable sort; samples nearly always arrive in order already. */
export function inAscendingTime(samples: readonly Sample[]): {
  readonly ordered: readonly Sample[]
  readonly gapMs: number
} {
  const gapMs = shortestGapMs(samples)
  if (gapMs >= 0) return { ordered: samples, gapMs }
  const ordered = samples.toSorted((a, b) => a.at - b.at)
  return { ordered, gapMs: shortestGapMs(ordered) }
}

/** Of several readings at one instant the greatest is kept, whatever order they came in. */
function withoutRepeats(samples: readonly Sample[]): readonly Sample[] {
  const kept: Sample[] = []
  for (const sample of samples) {
    const previous = kept.at(-1)
    if (previous === undefined || previous.at !== sample.at) kept.push(sample)
    else if (compareReadings(sample, previous) > 0) kept[kept.length - 1] = sample
  }
  return kept
}

/** A total order on what two readings at one instant show, so that none depends on arrival. */
function compareReadings(a: Sample, b: Sample): number {
  return (
    a.engagements - b.engagements ||
    (a.impressions ?? -1) - (b.impressions ?? -1) ||
    Object.keys(a.interactions ?? {}).length - Object.keys(b.interactions ?? {}).length ||
    compareText(interactionsText(a), interactionsText(b))
  )
}

function interactionsText(sample: Sample): string {
  const entries = Object.entries(sample.interactions ?? {})
  return JSON.stringify(entries.sort(([a], [b]) => compareText(a, b)))
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Readings from before the last reset are not comparable with those after it. */
function sinceReset(samples: readonly Sample[], reset: ResetPolicy): readonly Sample[] {
  let engagements: number | null = null
  let impressions: number | null = null
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const sample = samples[index] as Sample
    if (
      fell(sample.engagements, engagements, reset) ||
      fell(sample.impressions, impressions, reset)
    ) {
      return samples.slice(index + 1)
    }
    engagements = sample.engagements
    // A reading without impressions must not hide that they fell from before it to after it.
    impressions = sample.impressions ?? impressions
  }
  return samples
}

/** A like withdrawn is a small fall; a counter that started again is a large one. */
function fell(before: number | null, after: number | null, reset: ResetPolicy): boolean {
  if (before === null || after === null || after >= before) return false
  return before - after > Math.max(reset.fallCount, before * reset.fallShare)
}

/** Thins readings from the newest backwards, because the newest carries what is true now. */
function spacedOut(samples: readonly Sample[], minimumSpacingMs: number): readonly Sample[] {
  const kept: Sample[] = []
  let next = Infinity
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const sample = samples[index] as Sample
    if (next - sample.at < minimumSpacingMs) continue
    kept.push(sample)
    next = sample.at
  }
  return kept.reverse()
}

function countWithoutImpressions(samples: readonly Sample[]): number {
  let count = 0
  for (const sample of samples) if (sample.impressions === null) count += 1
  return count
}

function findLack(
  report: EvidenceReport,
  policy: EvidencePolicy,
  now: Instant,
): EvidenceLack | null {
  const { used: count, firstAt, lastAt } = report
  if (count < policy.minimumSamples || firstAt === null || lastAt === null) {
    return { reason: 'insufficient_samples', count, minimum: policy.minimumSamples }
  }
  if (policy.maximumStalenessMs !== null && now - lastAt > policy.maximumStalenessMs) {
    return { reason: 'stale_samples', ageMs: now - lastAt, maximumMs: policy.maximumStalenessMs }
  }
  if (lastAt - firstAt < policy.minimumSpanMs) {
    return { reason: 'short_span', spanMs: lastAt - firstAt, minimumMs: policy.minimumSpanMs }
  }
  return null
}
