/** Owns what a decision knows of the past: rows on this post, and counts beyond it. */

import type { Action, Tier } from './action.ts'
import type { ActionKey } from './ids.ts'
import type { Instant } from './instant.ts'
import { isEnded } from './states.ts'
import type { State } from './states.ts'

/** An action on this post, as far as guards count it. */
export interface PastAction {
  readonly key: ActionKey
  readonly action: Action
  readonly tier: Tier
  readonly state: State
  /**
   * The last moment at which it could have landed; for a row that was never sent, when it was
   * planned.
   */
  readonly at: Instant
  /** When the row ended, null while it is open. */
  readonly endedAt: Instant | null
}

/** Something counted at a time: one action, or a bucket of attempts at its latest possible time. */
export interface TallyEntry {
  readonly at: Instant
  readonly count: number
}

/** What was done lately beyond this post. Only the budgets read it. */
export interface Tallies {
  /** Actions of the account, at least over the longest budget window. */
  readonly account: readonly TallyEntry[]
  /** Attempts on the platform by all accounts of this installation. */
  readonly platform: readonly TallyEntry[]
}

export const noTallies: Tallies = { account: [], platform: [] }

/** How many rows for this action and tier have ended, however they ended. */
export function generationOf(history: readonly PastAction[], action: Action, tier: Tier): number {
  let generation = 0
  for (const past of history) {
    if (past.action === action && past.tier === tier && isEnded(past.state)) generation += 1
  }
  return generation
}
