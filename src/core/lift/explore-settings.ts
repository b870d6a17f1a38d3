/**
 * Owns how a policy says whether it tries things out. A policy without this, like `classic` and
 * `standard`, does not: the ladder alone says what is done.
 */

import { z } from 'zod'
import { positiveDurationMs } from '../duration-field.ts'

/** What may be chosen by what it did before. */
export const explorable = ['action', 'template'] as const

export const exploreSettings = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('off') }),
  z.strictObject({
    kind: z.literal('thompson'),
    over: z.array(z.enum(explorable)).min(1),
    /** This share of choices is made evenly, so that nothing is ever given up for good. */
    evenShare: z.number().min(0.05, 'must be at least 0.05').max(1),
    /** After this long what a post showed counts half. */
    halfLifeMs: positiveDurationMs,
  }),
])

/** How choices are made where they are made at all. */
export interface ThompsonSettings {
  readonly kind: 'thompson'
  readonly over: readonly (typeof explorable)[number][]
  readonly evenShare: number
  readonly halfLifeMs: number
}
