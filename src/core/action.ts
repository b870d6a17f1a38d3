/** Owns the vocabulary of corrective actions: what can be done, and how strongly. */

/** From the mildest to the strongest. */
export const actions = ['comment', 'edit', 'thread'] as const
export type Action = (typeof actions)[number]

/** How badly a post has stalled, once it has: nudge, enhance, amplify. */
export const tiers = ['tier_1', 'tier_2', 'tier_3'] as const
export type Tier = (typeof tiers)[number]

export function isAction(value: unknown): value is Action {
  return (actions as readonly unknown[]).includes(value)
}

export function isTier(value: unknown): value is Tier {
  return (tiers as readonly unknown[]).includes(value)
}
