/** Owns the shape that all guards share. A guard looks at facts and answers with its reason. */

import type { z } from 'zod'
import type { Action, Tier } from '../action.ts'
import type { DecisionInput } from '../decision-input.ts'
import type { ActionKey } from '../ids.ts'
import type { Sample } from '../sample.ts'
import type { Until } from '../until.ts'

/** What a guard may look at: everything known, and the action that is being considered. */
export interface GuardContext {
  readonly input: DecisionInput
  readonly action: Action
  readonly tier: Tier
  readonly key: ActionKey
  readonly newest: Sample
}

/** The numbers a guard used. Names carry units: `…Ms` is a duration, `…At` an instant. */
export type Facts = Readonly<Record<string, string | number | null>>

/** Either it passes, or it holds and says until when. The facts are given in both cases. */
export type Check<Name extends string, F extends Facts> =
  | { readonly guard: Name; readonly kind: 'pass'; readonly facts: F }
  | { readonly guard: Name; readonly kind: 'hold'; readonly facts: F; readonly until: Until }

/** A guard's entry in a policy names it. */
type SettingsSchema = z.ZodType<{ guard: string }>

export interface Guard<Schema extends SettingsSchema, F extends Facts> {
  /** Validates this guard's entry in a policy. */
  readonly settings: Schema
  check(context: GuardContext, settings: z.infer<Schema>): Check<z.infer<Schema>['guard'], F>
  /** What it saw, in words, naming every number of the facts. */
  describe(facts: F): string
}

/** Gives a guard its types from its own parts. */
export function defineGuard<Schema extends SettingsSchema, F extends Facts>(
  guard: Guard<Schema, F>,
): Guard<Schema, F> {
  return guard
}

export function pass<Name extends string, F extends Facts>(guard: Name, facts: F): Check<Name, F> {
  return { guard, kind: 'pass', facts }
}

export function hold<Name extends string, F extends Facts>(
  guard: Name,
  facts: F,
  until: Until,
): Check<Name, F> {
  return { guard, kind: 'hold', facts, until }
}
