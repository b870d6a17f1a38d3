/** Owns copies of what was learnt: reading a whole past takes longer than anyone should wait. */

import type { Clock } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'
import { learn } from '../engine/learn.ts'
import type { LiftReport } from '../engine/learn.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ServerSettings } from './parts.ts'

export interface LiftParts {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly settings: Pick<ServerSettings, 'liftKeepMs'>
}

export class LiftReports {
  readonly #parts: LiftParts
  readonly #known = new Map<
    string,
    { readonly atMs: number; readonly report: Promise<LiftReport> }
  >()

  constructor(parts: LiftParts) {
    this.#parts = parts
  }

  /** Those who ask at the same time wait for the same work. */
  of(horizonMs: number, accountId?: AccountId): Promise<LiftReport> {
    const { ledger, clock, settings } = this.#parts
    const name = `${horizonMs}:${accountId ?? ''}`
    const nowMs = clock.monotonicMs()
    for (const [each, { atMs }] of this.#known) {
      if (nowMs - atMs >= settings.liftKeepMs) this.#known.delete(each)
    }
    const known = this.#known.get(name)
    if (known !== undefined) return known.report
    const report = learn(ledger, { horizonMs, ...(accountId === undefined ? {} : { accountId }) })
    this.#known.set(name, { atMs: nowMs, report })
    report.catch(() => this.#known.delete(name))
    return report
  }
}
