/** Owns what goes wrong between one process and the ledger. */

import { minuteMs } from '../../src/core/duration.ts'
import type { Instant } from '../../src/core/instant.ts'
import { LedgerError } from '../../src/ledger/index.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'

export type LedgerCall = Exclude<keyof Ledger, symbol>

export type LedgerFault =
  /** Others held it for too long; nothing was written. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed_before' }
  /** It was written, and nobody was told. */
  | { readonly kind: 'failed_after' }
  /** Nothing can be written any more. */
  | { readonly kind: 'full' }
  | { readonly kind: 'slow_before' | 'slow_after'; readonly delayMs: number }
  /** It contradicts itself, for everyone, until someone has repaired it. */
  | { readonly kind: 'damaged' }

export const ledgerFaultKinds = [
  'busy',
  'failed_before',
  'failed_after',
  'full',
  'slow_before',
  'slow_after',
  'damaged',
] as const satisfies readonly LedgerFault['kind'][]
export type LedgerFaultKind = (typeof ledgerFaultKinds)[number]

/** Calls on the way of a send; there faults hurt most, so there are more of them. */
const sendCalls: ReadonlySet<LedgerCall> = new Set<LedgerCall>([
  'plan',
  'claim',
  'beginAttempt',
  'settle',
  'renew',
  'reconcile',
])

const writeCalls: ReadonlySet<LedgerCall> = new Set<LedgerCall>([
  ...sendCalls,
  'parkAccount',
  'setDiscoverAt',
  'trackPosts',
  'setNextCheckAt',
  'closePost',
  'recordSamples',
  'recordOwnReplies',
  'recordContent',
  'recordVerdicts',
  'expire',
  'noticeExpiry',
  'takeMeasurement',
  'saveCurve',
  'pause',
  'rest',
  'settleSetting',
])

export class LedgerFaults {
  readonly #stream: Stream
  readonly counts = new Map<LedgerFaultKind, number>()
  calm = false
  isDamaged = false
  /** What a process is told. */
  errorOf: (fault: LedgerFault) => LedgerError = toError
  #fullUntil: Instant = 0
  #holdsNextSettle = false

  constructor(stream: Stream) {
    this.#stream = stream
  }

  beginFull(now: Instant): void {
    this.#fullUntil = now + this.#stream.between(2 * minuteMs, 40 * minuteMs)
  }

  /** The next settlement may take so long that its claim is lost before it arrives. */
  holdNextSettle(): void {
    if (this.#stream.chance(0.6)) this.#holdsNextSettle = true
  }

  /** The fault of one call, or null. */
  draw(call: LedgerCall, now: Instant): LedgerFault | null {
    const fault = this.isDamaged ? ({ kind: 'damaged' } as const) : this.#draw(call, now)
    if (fault !== null) this.counts.set(fault.kind, (this.counts.get(fault.kind) ?? 0) + 1)
    return fault
  }

  #draw(call: LedgerCall, now: Instant): LedgerFault | null {
    if (this.calm) return null
    if (now < this.#fullUntil && writeCalls.has(call)) return { kind: 'full' }
    if (this.#holdsNextSettle && call === 'settle') {
      this.#holdsNextSettle = false
      return { kind: 'slow_before', delayMs: this.#stream.between(2 * minuteMs, 5 * minuteMs) }
    }
    const stream = this.#stream
    const scale = sendCalls.has(call) ? 1 : 0.02
    const place = stream.fraction() / scale
    if (place < 0.008) return { kind: 'busy' }
    if (place < 0.014) return { kind: 'failed_before' }
    if (place < 0.022) return { kind: 'failed_after' }
    if (place < 0.07) return { kind: 'slow_before', delayMs: this.#drawDelay(call) }
    if (place < 0.12) return { kind: 'slow_after', delayMs: this.#drawDelay(call) }
    return null
  }

  /** Mostly an instant in which others get ahead; now and then longer than a lease. */
  #drawDelay(call: LedgerCall): number {
    const isLong = this.#stream.chance(call === 'settle' ? 0.4 : 0.1)
    return Math.ceil(this.#stream.between(1, isLong ? 4 * minuteMs : 400))
  }
}

function toError({ kind }: LedgerFault): LedgerError {
  switch (kind) {
    case 'busy':
      return new LedgerError('busy', 'Others held the ledger for too long')
    case 'damaged':
      return new LedgerError('damaged', 'The ledger contradicts itself')
    case 'full':
      return new LedgerError('unavailable', 'The disk is full')
    default:
      return new LedgerError('unavailable', 'The connection to the ledger broke')
  }
}
