/**
 * Owns what goes wrong on the way to one network, and notes every write that was sent to it: what
 * the network saw, whatever the ledger says about it.
 */

import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { ActionKey } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { noFault } from '../../src/platform/simulated/index.ts'
import type {
  CallFacts,
  FaultDecision,
  FaultKind,
  Stream,
} from '../../src/platform/simulated/index.ts'

/** A write as it left the sender. */
export interface SentWrite {
  readonly at: Instant
  readonly handle: string
  /** Null where something is taken back. */
  readonly key: ActionKey | null
  readonly segment: number
  readonly fault: FaultDecision
}

export const networkFaultKinds = [
  'unreachable',
  'lost_request',
  'lost_answer',
  'late_apply',
  'rate_limited',
  'server_error',
  'malformed',
  'slow',
  'stalled',
  'spam',
  'credentials',
] as const satisfies readonly FaultKind[]

/** How often each thing goes wrong, of a thousand calls. */
interface Odds {
  readonly perMille: number
  readonly draw: (stream: Stream) => FaultDecision
}

const upTo = (stream: Stream, mostMs: number) => Math.ceil(stream.fraction() * mostMs)

const always =
  (decision: FaultDecision): Odds['draw'] =>
  () =>
    decision

const statuses = [500, 502, 503] as const

function drawServerError(stream: Stream, applied: boolean): FaultDecision {
  const status = statuses[Math.floor(stream.fraction() * statuses.length)] ?? 500
  return { kind: 'server_error', status, applied }
}

const retryAfter = (stream: Stream): FaultDecision => ({
  kind: 'rate_limited',
  retryAfterMs: upTo(stream, 30 * minuteMs),
})

const onWrites: readonly Odds[] = [
  { perMille: 10, draw: always({ kind: 'unreachable' }) },
  { perMille: 8, draw: (s) => ({ kind: 'lost_request', afterMs: upTo(s, 45 * secondMs) }) },
  { perMille: 10, draw: (s) => ({ kind: 'lost_answer', afterMs: upTo(s, 45 * secondMs) }) },
  { perMille: 8, draw: (s) => ({ kind: 'late_apply', delayMs: upTo(s, 10 * minuteMs) }) },
  { perMille: 6, draw: always({ kind: 'rate_limited', retryAfterMs: null }) },
  { perMille: 6, draw: retryAfter },
  { perMille: 8, draw: (s) => drawServerError(s, true) },
  { perMille: 8, draw: (s) => drawServerError(s, false) },
  { perMille: 8, draw: always({ kind: 'malformed' }) },
  { perMille: 40, draw: (s) => ({ kind: 'slow', delayMs: upTo(s, 50 * secondMs) }) },
  { perMille: 60, draw: (s) => ({ kind: 'slow', delayMs: upTo(s, 3 * secondMs) }) },
  { perMille: 6, draw: (s) => ({ kind: 'stalled', applied: s.chance(0.5) }) },
  { perMille: 7, draw: always({ kind: 'spam' }) },
  { perMille: 5, draw: always({ kind: 'credentials' }) },
]

const onReads: readonly Odds[] = [
  { perMille: 2, draw: always({ kind: 'unreachable' }) },
  { perMille: 1, draw: always({ kind: 'lost_answer' }) },
  { perMille: 0.5, draw: always({ kind: 'rate_limited', retryAfterMs: null }) },
  { perMille: 0.5, draw: retryAfter },
  { perMille: 2, draw: (s) => drawServerError(s, false) },
  { perMille: 1, draw: always({ kind: 'malformed' }) },
  { perMille: 6, draw: (s) => ({ kind: 'slow', delayMs: upTo(s, 30 * secondMs) }) },
  { perMille: 1, draw: always({ kind: 'stalled', applied: false }) },
  { perMille: 0.2, draw: always({ kind: 'credentials' }) },
]

/** In an outage most writes meet one of these. */
const inOutage: readonly Odds[] = [
  { perMille: 30, draw: always({ kind: 'unreachable' }) },
  { perMille: 20, draw: (s) => ({ kind: 'lost_request', afterMs: upTo(s, 45 * secondMs) }) },
  { perMille: 10, draw: (s) => ({ kind: 'lost_answer', afterMs: upTo(s, 45 * secondMs) }) },
  { perMille: 5, draw: (s) => ({ kind: 'late_apply', delayMs: upTo(s, 10 * minuteMs) }) },
  { perMille: 20, draw: (s) => drawServerError(s, s.chance(0.2)) },
  { perMille: 5, draw: (s) => ({ kind: 'stalled', applied: s.chance(0.5) }) },
]
const outageShare = { writes: 0.85, reads: 0.3 }

export class NetworkFaults {
  readonly #stream: Stream
  readonly writes: SentWrite[] = []
  readonly counts = new Map<FaultKind, number>()
  /** While true nothing goes wrong. */
  calm = false
  /** Told of each write that the network turned down for good. */
  onRefusal: () => void = () => {}
  /** What the next writes meet, in order, whatever else is the case. */
  readonly nextWrites: FaultDecision[] = []
  #outageUntil: Instant = 0
  #blindUntil: Instant = 0

  constructor(stream: Stream) {
    this.#stream = stream
  }

  beginOutage(now: Instant): void {
    this.#outageUntil = now + this.#stream.between(5 * minuteMs, 2 * hourMs)
  }

  /** Nothing can be read for a while, though writes go through. */
  beginBlindness(now: Instant): void {
    this.#blindUntil = now + this.#stream.between(hourMs, 2.5 * hourMs)
  }

  readonly plan = (call: CallFacts): FaultDecision => {
    const written = call.isWrite ? this.nextWrites.shift() : undefined
    const fault = written ?? (this.calm ? noFault : this.#draw(call))
    if (fault.kind !== 'none') {
      this.counts.set(fault.kind, (this.counts.get(fault.kind) ?? 0) + 1)
    }
    if (call.isWrite) {
      const { at, handle, key, segment } = call
      this.writes.push({ at, handle, key, segment: segment ?? 0, fault })
      if (fault.kind === 'spam' || fault.kind === 'credentials') this.onRefusal()
    }
    return fault
  }

  #draw({ isWrite, at }: CallFacts): FaultDecision {
    const stream = this.#stream
    if (!isWrite && at < this.#blindUntil) return { kind: 'unreachable' }
    if (at < this.#outageUntil) {
      const table = isWrite ? inOutage : onReads
      const isHit = stream.chance(isWrite ? outageShare.writes : outageShare.reads)
      return isHit ? drawFrom(table, sumOf(table), stream) : noFault
    }
    return drawFrom(isWrite ? onWrites : onReads, 1000, stream)
  }
}

function drawFrom(table: readonly Odds[], outOf: number, stream: Stream): FaultDecision {
  let place = stream.fraction() * outOf
  for (const { perMille, draw } of table) {
    place -= perMille
    if (place < 0) return draw(stream)
  }
  return noFault
}

function sumOf(table: readonly Odds[]): number {
  return table.reduce((sum, { perMille }) => sum + perMille, 0)
}
