/**
 * Owns the shapes that are exchanged with the original executor: its field names and its values.
 * What is written here can be read there, and the other way round.
 */

import type { Action, Tier } from '../core/action.ts'
import type { Json } from '../core/json.ts'

/** What can be done about a post. */
export type ActionType = Action

/** How strongly it is done. */
export type ActionTier = Tier

/** A point in time: a `Date`, or an ISO 8601 text with an offset. */
export type Time = Date | string

/** One reading of a post's counters. */
export interface PostMetricsPoint {
  readonly timestamp: Time
  /** How often the post was shown, since it was published. */
  readonly impressions: number
  /** How often someone reacted to it, since it was published. */
  readonly engagements: number
}

/** Too few samples lie in the window for a verdict. */
export interface InsufficientResult {
  readonly post_id: string
  readonly eligible: false
  readonly reason: 'insufficient_samples'
  /** How many there are. */
  readonly sample_count: number
}

/** Why an action that would be due must not be taken now. */
export type RefusalReason =
  /** Its key is running or has succeeded, under any post. */
  | 'duplicate_action'
  /** The post has had its maximum of actions in the window. */
  | 'window_frequency_exceeded'
  /** The last action of this type on the post is too recent. */
  | 'action_cooldown_active'

/** An action would be due, and a guard forbids it. */
export interface RefusedResult {
  readonly post_id: string
  readonly eligible: false
  readonly reason: RefusalReason
  readonly idempotency_key: string
}

/** The action to take now. */
export interface EligibleResult {
  readonly post_id: string
  readonly eligible: true
  /** From 0 (lively) to 1 (stalled), never rounded. */
  readonly stagnation_score: number
  readonly tier: ActionTier
  readonly action_type: ActionType
  readonly idempotency_key: string
}

/** What an evaluation comes to. `eligible` and `reason` tell the three apart. */
export type EvaluationResult = InsufficientResult | RefusedResult | EligibleResult

/** One element of the history file. */
export interface ActionRecord {
  readonly idempotency_key: string
  readonly post_id: string
  readonly action_type: ActionType
  readonly tier: ActionTier
  /** When the outcome was last persisted, as Python's `isoformat()` writes it. */
  readonly initiated_at: string
  /** Any text; only `success`, `running` and `failed` have a meaning. */
  readonly status: string
  /** How often an outcome was persisted under this key. */
  readonly attempts: number
  readonly outcome: Json
  readonly error_code: string | null
}
