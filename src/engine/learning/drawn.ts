/**
 * Owns how a measured post is read back from the ledger: what was wanted when its arm was drawn,
 * what was known of it by then, and what it gained since. Both arms are read alike.
 */

import { z } from 'zod'
import { actions, tiers } from '../../core/action.ts'
import type { Action, Tier } from '../../core/action.ts'
import { hourMs } from '../../core/duration.ts'
import type { AccountId } from '../../core/ids.ts'
import type { MeasuredPost } from '../../core/lift/effect-scores.ts'
import { outcomeOf } from '../../core/lift/outcome.ts'
import type { MeasurementRow, PostRow } from '../../ledger/rows.ts'

/** A measured post with what it can be grouped by. */
export interface DrawnPost extends MeasuredPost {
  readonly accountId: AccountId
  readonly platform: string
  /** What the verdict at the draw wanted, whether or not the post was then left alone. */
  readonly action: Action
  readonly tier: Tier
}

/** A post that has an arm, and what can be made of it for the lift. */
export type Reading =
  | { readonly kind: 'measured'; readonly post: DrawnPost }
  /** Its time is not up, or it could not be read yet. */
  | { readonly kind: 'waiting' }
  /** Nothing was held out when it was drawn, so it tells nothing about lift. */
  | { readonly kind: 'no_draw' }
  /** Its time is up and nobody knows what it gained: it is gone, or was not read in time. */
  | { readonly kind: 'lost' }

const drawnSchema = z.object({
  drawn: z.object({
    action: z.enum(actions),
    tier: z.enum(tiers),
    score: z.number(),
    ageMs: z.number(),
    engagements: z.number(),
    impressions: z.number().nullable(),
    recentGain: z.number(),
  }),
})

type Drawn = z.infer<typeof drawnSchema>['drawn']

/** What the verdict wanted at the draw; null for a row that does not say so. */
export function drawnOf({ detail }: MeasurementRow): Drawn | null {
  const parsed = drawnSchema.safeParse(detail)
  return parsed.success ? parsed.data.drawn : null
}

export function readingOf(post: PostRow, row: MeasurementRow, drawn: Drawn): Reading {
  const { arm, propensity } = post
  if (arm === null || propensity === null || propensity >= 1) return { kind: 'no_draw' }
  if (row.takenAt === null) return { kind: 'waiting' }
  if (row.gain === null) return { kind: 'lost' }
  return {
    kind: 'measured',
    post: {
      postId: post.id,
      arm,
      propensity,
      // The gain that is stored has the action's own artefacts taken off already.
      outcome: outcomeOf({ before: 0, after: row.gain, artefacts: 0 }),
      covariates: covariatesOf(drawn),
      // In the order in which they became known, so that what was once shown never moves.
      maturedAt: row.takenAt,
      accountId: post.accountId,
      platform: post.platform,
      action: drawn.action,
      tier: drawn.tier,
    },
  }
}

/** Logarithms of counts reach about 10, and a covariate is to be of about unit scale. */
const logScale = 3

/** What was known before the draw and may foretell the gain. */
function covariatesOf(drawn: Drawn): readonly number[] {
  return [
    Math.log1p(drawn.engagements) / logScale,
    Math.log1p(drawn.recentGain) / logScale,
    Math.log1p(drawn.impressions ?? 0) / logScale,
    Math.log(Math.max(1, drawn.ageMs / hourMs)),
    drawn.score,
  ]
}
