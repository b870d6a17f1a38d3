/** Owns what a decision comes to. Every verdict carries the trace that led to it. */

import type { Action, Tier } from './action.ts'
import type { EvidenceLack, EvidenceReport } from './evidence.ts'
import type { GuardName, GuardReport } from './guards/guards.ts'
import type { ActionKey } from './ids.ts'
import type { Instant } from './instant.ts'
import type { ActionReport } from './ladder.ts'
import type { Explored } from './lift/explore.ts'
import type { LooksReport } from './look.ts'
import type { NoSignal, Signal } from './signal.ts'
import type { TierReport } from './tier.ts'
import type { Until } from './until.ts'

/** What each stage saw, as far as the decision went. A stage that was not reached is null. */
export interface Trace {
  readonly postId: string
  /** As `name@version`. */
  readonly policy: string
  readonly now: Instant
  readonly evidence: EvidenceReport
  readonly signal: Signal | NoSignal | null
  readonly looks: LooksReport | null
  readonly tier: TierReport | null
  readonly action: ActionReport | null
  readonly key: ActionKey | null
  readonly generation: number | null
  readonly guards: readonly GuardReport[]
  /** What was chosen by what it did before; only there where a policy tries things out. */
  readonly explored?: Explored
}

/** Why nothing is done although the post has stalled. */
export type HoldReason =
  | GuardName
  /** It needs more looks in a row. */
  | 'confirming'
  | 'no_supported_action'
  /** It would be acted on, but no text fit to send was found. */
  | 'nothing_to_say'

export type Verdict =
  | {
      readonly kind: 'plan'
      readonly action: Action
      readonly tier: Tier
      readonly key: ActionKey
      readonly generation: number
      readonly score: number
      readonly trace: Trace
    }
  | {
      readonly kind: 'hold'
      readonly reason: HoldReason
      readonly until: Until
      readonly score: number
      readonly tier: Tier
      readonly trace: Trace
    }
  | { readonly kind: 'healthy'; readonly score: number; readonly trace: Trace }
  | { readonly kind: 'insufficient'; readonly lack: Lack; readonly trace: Trace }

/** What is missing for a verdict. */
export type Lack = EvidenceLack | NoSignal
