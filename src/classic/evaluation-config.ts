/**
 * Owns the executor's configuration, and turns it into a policy of the core: the classic one with
 * these numbers in it.
 */

import { z } from 'zod'
import { minuteMs, secondMs } from '../core/duration.ts'
import type { GuardSettings } from '../core/guards/guards.ts'
import { parseWith } from '../core/input-error.ts'
import { classicPolicy } from '../core/policies/classic.ts'
import type { Policy } from '../core/policy.ts'
import type { ActionType } from './wire.ts'

/** What can be set. A field that is left out has the original's default. */
export interface EvaluationConfig {
  /** How far back samples and actions count, in minutes; 90 unless set. */
  readonly perPostWindowMinutes?: number | undefined
  /** Fewer samples in the window than this give no verdict; 3 unless set, 1 at least. */
  readonly minSamplesRequired?: number | undefined
  /** As many actions on one post in a window, of any type and status; 2 unless set. */
  readonly maxActionsPerWindow?: number | undefined
  /**
   * How long a post rests after an action, by its type, in seconds: 1,800 after a comment, 7,200
   * after an edit and 10,800 after a thread, unless set. A type that is left out has its default.
   */
  readonly cooldownByActionSeconds?:
    | Readonly<Partial<Record<ActionType, number | undefined>>>
    | undefined
}

/** Times are compared to the millisecond and below; a fraction of one could not be kept exactly. */
function durationIn(unitMs: number) {
  return z
    .number()
    .nonnegative()
    .refine((value) => Math.round(value * unitMs) / unitMs === value, {
      error: 'must come to a whole number of milliseconds',
    })
    .transform((value) => Math.round(value * unitMs))
    .optional()
}

const configSchema = z.strictObject({
  perPostWindowMinutes: durationIn(minuteMs),
  minSamplesRequired: z.int().positive().optional(),
  maxActionsPerWindow: z.int().nonnegative().optional(),
  cooldownByActionSeconds: z
    .strictObject({
      comment: durationIn(secondMs),
      edit: durationIn(secondMs),
      thread: durationIn(secondMs),
    })
    .optional(),
})

type ParsedConfig = Readonly<z.infer<typeof configSchema>>

/** Checks a configuration; an InputError names the field, such as `config.perPostWindowMinutes`. */
export function toPolicy(config: EvaluationConfig): Policy {
  const parsed = parseWith<ParsedConfig>(configSchema, config, 'config')
  const { evidence, guards, checks } = classicPolicy
  const windowMs = parsed.perPostWindowMinutes ?? evidence.windowMs
  const minimumSamples = parsed.minSamplesRequired ?? evidence.minimumSamples
  // Nothing is polled here, but a policy must be one under which enough samples are possible.
  const oftenEnoughMs = Math.max(1, Math.floor(windowMs / minimumSamples))
  return {
    ...classicPolicy,
    evidence: { ...evidence, windowMs, minimumSamples },
    checks: checks.map(({ untilAgeMs, everyMs }) => ({
      untilAgeMs,
      everyMs: Math.min(everyMs, oftenEnoughMs),
    })),
    guards: guards.map((guard) => configureGuard(guard, parsed)),
  }
}

function configureGuard(guard: Policy['guards'][number], config: ParsedConfig): GuardSettings {
  if (guard.guard === 'window_frequency') {
    return {
      ...guard,
      windowMs: config.perPostWindowMinutes ?? guard.windowMs,
      maximum: config.maxActionsPerWindow ?? guard.maximum,
    }
  }
  if (guard.guard === 'action_cooldown') {
    const { comment, edit, thread } = config.cooldownByActionSeconds ?? {}
    const defaults = guard.cooldownMs
    return {
      ...guard,
      cooldownMs: {
        comment: comment ?? defaults.comment,
        edit: edit ?? defaults.edit,
        thread: thread ?? defaults.thread,
      },
    }
  }
  return guard
}
