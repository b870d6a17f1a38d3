/** Owns what was learnt: is it worth it, and how do posts grow if nobody helps them? */

import { z } from '@hono/zod-openapi'
import { id } from './fields.ts'

const effect = z.object({
  mean: z.number(),
  deviation: z.number(),
  lower: z.number(),
  upper: z.number(),
  /** As a share: 0.5 is half as much again. */
  lift: z.number(),
  lowerLift: z.number(),
  upperLift: z.number(),
})

const byArm = z.object({ act: z.number(), holdout: z.number() })

export const groupLift = z
  .object({
    name: z.string(),
    /** Null where it is not measured, as nothing is held out. */
    lift: z
      .object({
        verdict: z.enum(['helps', 'hurts', 'unproven']),
        posts: z.number(),
        acted: z.number(),
        heldOut: z.number(),
        /** Null while there are too few posts. */
        effect: effect.nullable(),
        /** About how many more posts would prove it; null where it would have shown by now. */
        morePosts: z.number().nullable(),
      })
      .nullable(),
    /** Posts with an arm that are not in the estimate. */
    leftOut: z.object({ waiting: byArm, lost: byArm, withoutDraw: z.number() }),
  })
  .openapi('GroupLift')
export type GroupLiftView = z.infer<typeof groupLift>

export const horizons = ['2h', '24h', '7d'] as const

export const liftQuery = z.object({
  /** How long after the draw. */
  horizon: z.enum(horizons).default('24h'),
  accountId: id.optional(),
})

export const liftView = z
  .object({
    horizonMs: z.number(),
    pooled: groupLift,
    byAction: z.array(groupLift),
    byTier: z.array(groupLift),
    byPlatform: z.array(groupLift),
    /** Named by the accounts' ids. */
    byAccount: z.array(groupLift),
    byActionOnPlatform: z.array(groupLift.extend({ action: z.string(), platform: z.string() })),
    /** What it suggests, a sentence each. */
    hints: z.array(z.string()),
  })
  .openapi('Lift')
export type LiftView = z.infer<typeof liftView>

/** At one age a tenth of past posts stood at `low` or below, half at `middle`, 90 % at `high`. */
export const bandPoint = z
  .object({
    ageMs: z.number(),
    curves: z.number(),
    ownCurves: z.number(),
    low: z.number(),
    middle: z.number(),
    high: z.number(),
  })
  .openapi('BandPoint')
export type BandPointView = z.infer<typeof bandPoint>

export const baselineView = z
  .object({
    accountId: z.string(),
    /** Past posts it rests on, and how many of them are the account's own. */
    curves: z.number(),
    ownCurves: z.number(),
    band: z.array(bandPoint),
  })
  .openapi('Baseline')
export type BaselineView = z.infer<typeof baselineView>
