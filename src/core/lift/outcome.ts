/** Owns what is measured of a post, alike in both arms. */

export interface Gained {
  /** Engagements when the arm was drawn, and when the time was up. */
  readonly before: number
  readonly after: number
  /** What the action itself added: our comment, likes on our thread. 0 for a post left alone. */
  readonly artefacts: number
}

/**
 * Y = ln(1 + gain), so that one post that went everywhere does not decide for all. A counter that
 * fell gained nothing.
 */
export function outcomeOf({ before, after, artefacts }: Gained): number {
  return Math.log1p(Math.max(0, after - before - artefacts))
}
