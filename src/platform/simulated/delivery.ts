/**
 * Owns the way between a caller and the network: latency, and everything that can go wrong on it.
 * A write that has been sent arrives, whether its caller still waits or not: giving up takes
 * nothing back. What arrives later is applied when its time has come, before anything is read.
 */

import type { Clock } from '../../core/clock.ts'
import { dayMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import { noFault } from './fault-plan.ts'
import type { CallFacts, FaultDecision, FaultKind, FaultPlan } from './fault-plan.ts'
import { isWrite } from './protocol.ts'
import type { Answer, Call, Caller, RateState } from './protocol.ts'
import type { Stream } from './seeded-random.ts'
import type { Server } from './server.ts'

/** How a call ended for whoever sent it. */
export type Delivered =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** No connection came about. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'given_up' }

/** From when to when an answer takes, both ways together. */
export interface Latency {
  readonly minimumMs: number
  readonly maximumMs: number
}

export interface DeliverySettings {
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly latency: Latency | null
  readonly faults: FaultPlan | null
  readonly stream: Stream
}

/** A call on its way. */
interface Parcel {
  readonly call: Call
  readonly caller: Caller
  readonly arrivesAt: Instant
  answer: Answer | null
}

/** No caller waits longer than this for an answer that never comes. */
const longestStallMs = dayMs

export class Delivery {
  readonly #server: Server
  readonly #settings: DeliverySettings
  /** Writes on their way, the next to arrive first. */
  readonly #parcels: Parcel[] = []
  readonly faultCounts = new Map<FaultKind, number>()
  callCount = 0

  constructor(server: Server, settings: DeliverySettings) {
    this.#server = server
    this.#settings = settings
  }

  /** Answers at once, without a promise, where nothing is in the way. */
  deliver(call: Call, caller: Caller, signal: AbortSignal): Delivered | Promise<Delivered> {
    this.callCount += 1
    if (signal.aborted) return { kind: 'given_up' }
    const { clock, faults, latency } = this.#settings
    const decision = faults === null ? noFault : faults(this.#factsOf(call, caller))
    if (decision.kind === 'none' && latency === null) {
      const now = clock.now()
      this.settle(now)
      return { kind: 'answered', answer: this.#server.answer(call, caller, now) }
    }
    if (decision.kind !== 'none') {
      this.faultCounts.set(decision.kind, (this.faultCounts.get(decision.kind) ?? 0) + 1)
    }
    return this.#carry(decision, call, caller, signal)
  }

  /** Applies what has arrived by now. */
  settle(now: Instant): void {
    while (this.#parcels.length > 0 && (this.#parcels[0] as Parcel).arrivesAt <= now) {
      this.#open(this.#parcels.shift() as Parcel)
    }
  }

  /** How many writes are still on their way. */
  get underway(): number {
    return this.#parcels.length
  }

  rateState(handle: string): RateState | null {
    return this.#server.rateState(handle, this.#settings.clock.now())
  }

  async #carry(
    decision: FaultDecision,
    call: Call,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Delivered> {
    switch (decision.kind) {
      case 'none':
        return this.#travel(call, caller, this.#drawLatency(), signal)
      case 'slow':
        return this.#travel(call, caller, decision.delayMs, signal)
      case 'unreachable':
        return { kind: 'unreachable' }
      case 'lost_request':
        return this.#breakAfter(decision.afterMs ?? 0, signal)
      case 'lost_answer':
        this.#applyNow(call, caller)
        return this.#breakAfter(decision.afterMs ?? 0, signal)
      case 'late_apply':
        this.#post(call, caller, this.#settings.clock.now() + decision.delayMs)
        return { kind: 'broken' }
      case 'malformed':
        this.#applyNow(call, caller)
        return { kind: 'malformed' }
      case 'stalled':
        if (decision.applied) this.#applyNow(call, caller)
        return this.#breakAfter(longestStallMs, signal)
      case 'server_error':
        if (decision.applied) this.#applyNow(call, caller)
        return refuse(decision.status, 'server_error', null)
      case 'rate_limited':
        return refuse(429, 'rate_limit', decision.retryAfterMs)
      case 'spam':
        return refuse(403, 'spam', null)
      case 'credentials':
        return refuse(401, 'credentials', null, `${caller.bearer} has been revoked`)
    }
  }

  /** Half the time to get there, half to get back. */
  async #travel(call: Call, caller: Caller, totalMs: number, signal: AbortSignal) {
    const { clock } = this.#settings
    const parcel = this.#post(call, caller, clock.now() + totalMs / 2)
    await clock.sleep(totalMs / 2, signal)
    if (signal.aborted) return this.#abandon(parcel)
    // A real timer may fire a moment early; by now it has arrived.
    this.settle(Math.max(clock.now(), parcel.arrivesAt))
    await clock.sleep(totalMs / 2, signal)
    if (signal.aborted || parcel.answer === null) return { kind: 'given_up' } as const
    return { kind: 'answered', answer: parcel.answer } as const
  }

  /** A write arrives all the same; of a read nobody will ever notice. */
  #abandon(parcel: Parcel): Delivered {
    const index = this.#parcels.indexOf(parcel)
    if (index >= 0 && !isWrite(parcel.call.kind)) this.#parcels.splice(index, 1)
    return { kind: 'given_up' }
  }

  async #breakAfter(durationMs: number, signal: AbortSignal): Promise<Delivered> {
    if (durationMs > 0) await this.#settings.clock.sleep(durationMs, signal)
    return { kind: signal.aborted ? 'given_up' : 'broken' }
  }

  #applyNow(call: Call, caller: Caller): void {
    const now = this.#settings.clock.now()
    this.settle(now)
    this.#server.answer(call, caller, now)
  }

  #post(call: Call, caller: Caller, arrivesAt: Instant): Parcel {
    const parcel: Parcel = { call, caller, arrivesAt, answer: null }
    let index = this.#parcels.length
    while (index > 0 && (this.#parcels[index - 1] as Parcel).arrivesAt > arrivesAt) index -= 1
    this.#parcels.splice(index, 0, parcel)
    return parcel
  }

  #open(parcel: Parcel): void {
    parcel.answer = this.#server.answer(parcel.call, parcel.caller, parcel.arrivesAt)
  }

  #drawLatency(): number {
    const { latency, stream } = this.#settings
    return latency === null ? 0 : stream.between(latency.minimumMs, latency.maximumMs)
  }

  #factsOf(call: Call, { handle }: Caller): CallFacts {
    const audit = 'audit' in call ? call.audit : null
    return {
      number: this.callCount,
      kind: call.kind,
      isWrite: isWrite(call.kind),
      handle,
      at: this.#settings.clock.now(),
      key: audit?.key ?? null,
      segment: audit?.segment ?? null,
    }
  }
}

function refuse(
  status: number,
  code: 'server_error' | 'rate_limit' | 'spam' | 'credentials',
  retryAfterMs: number | null,
  message: string = code,
): Delivered {
  return { kind: 'answered', answer: { kind: 'refused', status, code, message, retryAfterMs } }
}
