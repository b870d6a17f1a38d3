/** The fourth stage: how badly it has stalled, or that it has not. Healthy ends the decision. */

import type { Tier } from './action.ts'

/** The score from which each tier begins. A score below `tier_1` is healthy. */
export interface TierThresholds {
  readonly tier_1: number
  readonly tier_2: number
  readonly tier_3: number
}

export interface TierReport {
  readonly tier: Tier | 'healthy'
  readonly score: number
  /** The threshold it reached or, where it is healthy, the one it stayed below. */
  readonly threshold: number
}

export function chooseTier(score: number, thresholds: TierThresholds): TierReport {
  if (score >= thresholds.tier_3) return { tier: 'tier_3', score, threshold: thresholds.tier_3 }
  if (score >= thresholds.tier_2) return { tier: 'tier_2', score, threshold: thresholds.tier_2 }
  if (score >= thresholds.tier_1) return { tier: 'tier_1', score, threshold: thresholds.tier_1 }
  return { tier: 'healthy', score, threshold: thresholds.tier_1 }
}
