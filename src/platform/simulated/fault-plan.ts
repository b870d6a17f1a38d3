/**
 * Owns what can go wrong between a caller and the network. A plan is handed in and asked once for
 * every call, so whoever writes the plan decides everything; without one nothing goes wrong.
 */

import type { ActionKey } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Random } from '../../core/random.ts'
import type { CallKind } from './protocol.ts'

/** A call as a plan sees it. */
export interface CallFacts {
  /** Counted from 1 over all calls of the network. */
  readonly number: number
  readonly kind: CallKind
  readonly isWrite: boolean
  readonly handle: string
  readonly at: Instant
  /** The action that a write belongs to. */
  readonly key: ActionKey | null
  readonly segment: number | null
}

export type FaultDecision =
  | { readonly kind: 'none' }
  /** No connection comes about; nothing is sent. */
  | { readonly kind: 'unreachable' }
  /** The connection breaks before the network has the call. It is never applied. */
  | { readonly kind: 'lost_request'; readonly afterMs?: number }
  /** It is applied; then the connection breaks. */
  | { readonly kind: 'lost_answer'; readonly afterMs?: number }
  /** The connection breaks now; the call is applied later, whatever the caller does meanwhile. */
  | { readonly kind: 'late_apply'; readonly delayMs: number }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | null }
  | { readonly kind: 'server_error'; readonly status: 500 | 502 | 503; readonly applied: boolean }
  /** It is applied, and the answer makes no sense. */
  | { readonly kind: 'malformed' }
  /** Takes this long in all, to be applied half-way. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never answered; the connection stays open until the caller gives up. */
  | { readonly kind: 'stalled'; readonly applied: boolean }
  | { readonly kind: 'spam' }
  | { readonly kind: 'credentials' }

export type FaultKind = FaultDecision['kind']
export type FaultPlan = (call: CallFacts) => FaultDecision

export const noFault: FaultDecision = { kind: 'none' }

export const noFaults: FaultPlan = () => noFault

/** Leaves a thread in part: the given segment, counted from 0, meets the fault each time. */
export function onSegment(segment: number, decision: FaultDecision): FaultPlan {
  return (call) => (call.kind === 'create' && call.segment === segment ? decision : noFault)
}

/** One decision for each of the next writes, in order; then nothing goes wrong any more. */
export function onNextWrites(...decisions: readonly FaultDecision[]): FaultPlan {
  const left = [...decisions]
  return (call) => (call.isWrite ? (left.shift() ?? noFault) : noFault)
}

/** How often each fault happens, with what exactly happens then. */
export interface FaultOdds {
  readonly odds: number
  readonly draw: (random: Random) => FaultDecision
  readonly on: 'reads' | 'writes' | 'both'
}

/** Draws the fault of each call; odds are per call and add up to at most 1. */
export function randomFaults(random: Random, table: readonly FaultOdds[]): FaultPlan {
  return (call) => {
    let place = random.fraction()
    for (const { odds, draw, on } of table) {
      if (on !== 'both' && (on === 'writes') !== call.isWrite) continue
      place -= odds
      if (place < 0) return draw(random)
    }
    return noFault
  }
}
