/**
 * Owns everything that can happen, as typed events. The ledger writes each in the transaction that
 * makes it true; the audit log, the live feed, webhooks and metrics are all fed from them.
 *
 * Events hold ids, states, numbers and hashes, and never a text or a secret: an account can be
 * erased, and the chain of events must still verify afterwards.
 */

import type { Action, Tier } from './action.ts'
import type { Arm } from './decision-input.ts'
import type { FaultCode } from './fault.ts'
import type { AccountId, ActionId, PostId } from './ids.ts'
import type { Instant } from './instant.ts'
import type { State } from './states.ts'

/** What each type of event carries besides its time and the rows it is about. */
export interface EventData {
  readonly account_saved: { readonly mode: string; readonly policy: string }
  readonly account_parked: { readonly code: string }
  readonly account_activated: Nothing
  readonly credentials_replaced: Nothing
  readonly account_erased: Nothing
  readonly post_tracked: { readonly publishedAt: Instant }
  readonly post_closed: { readonly status: string }
  readonly never_touch: { readonly on: boolean }
  readonly verdict: {
    readonly verdict: string
    readonly reason: string | null
    readonly score: number | null
    readonly policy: string
  }
  readonly arm_assigned: { readonly arm: Arm; readonly propensity: number }
  readonly action_planned: {
    readonly action: Action
    readonly tier: Tier
    readonly key: string
    readonly state: State
    readonly textHash: string
  }
  readonly approval_expiring: { readonly expiresAt: Instant }
  readonly text_revised: { readonly revision: number; readonly textHash: string }
  readonly action_changed: {
    readonly from: State
    readonly to: State
    readonly reason: string | null
    readonly by: string | null
  }
  readonly attempt_begun: { readonly number: number; readonly segment: number }
  readonly attempt_ended: {
    readonly number: number
    readonly result: string
    readonly code: FaultCode | null
  }
  readonly undo_planned: { readonly undoes: string }
  readonly incident: { readonly kind: string }
  readonly measured: { readonly horizonMs: number; readonly gain: number | null }
  readonly paused: { readonly scope: string; readonly target: string }
  readonly resumed: { readonly scope: string; readonly target: string }
  readonly history_imported: { readonly rows: number }
  readonly restored: Nothing
}

/** An event that says everything by its type; its data stays empty. */
type Nothing = Readonly<Record<string, never>>

export type EventType = keyof EventData

/** Which rows an event is about. */
export interface EventSubject {
  readonly accountId: AccountId | null
  readonly postId: PostId | null
  readonly actionId: ActionId | null
}

/** An event before the ledger has numbered it. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type
    readonly at: Instant
    readonly data: EventData[Type]
  } & EventSubject
}[EventType]

/** An event as readers see it. */
export type LedgerEvent = NewEvent & {
  /** Its number; numbers have gaps and, on a shared store, may become visible out of order. */
  readonly seq: number
}
