/** Owns one reading of a post's counters. Absent is not zero. */

import { InputError, shown } from './input-error.ts'
import { isInstant, requireInstant } from './instant.ts'
import type { Instant } from './instant.ts'

/** Public interactions by name, as far as the network gives them: likes, replies, reposts… */
export type Interactions = Readonly<Record<string, number>>

/** One reading of a post's counters. */
export interface Sample {
  readonly at: Instant
  /** Null where the network gives none. */
  readonly impressions: number | null
  /** The sum of the public interactions. */
  readonly engagements: number
  readonly interactions?: Interactions
}

/** Throws unless every number of every sample is one that a counter can show. */
export function requireSamples(samples: readonly Sample[]): void {
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] as Sample
    // The names are built only for a bad sample: this runs for every sample of every decision.
    if (!isSound(sample)) requireSample(sample, `samples[${index}]`)
  }
}

function isSound(sample: Sample): boolean {
  return (
    isInstant(sample.at) &&
    (sample.impressions === null || isCount(sample.impressions)) &&
    isCount(sample.engagements) &&
    (sample.interactions === undefined || areCounts(sample.interactions))
  )
}

function areCounts(interactions: Interactions): boolean {
  for (const name in interactions) if (!isCount(interactions[name])) return false
  return true
}

/** Throws unless every number of the sample is one that a counter can show. */
export function requireSample(sample: Sample, field: string): void {
  requireInstant(sample.at, `${field}.at`)
  if (sample.impressions !== null) requireCount(sample.impressions, `${field}.impressions`)
  requireCount(sample.engagements, `${field}.engagements`)
  if (sample.interactions === undefined) return
  for (const name in sample.interactions) {
    requireCount(sample.interactions[name], `${field}.interactions.${name}`)
  }
}

/** Whether a counter can show it: a finite number of at least 0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity
}

/** Throws unless the value is a count. */
export function requireCount(value: unknown, field: string): number {
  if (!isCount(value)) throw new InputError(field, `${shown(value)} is not a count of at least 0`)
  return value
}
