/**
 * Owns whether the server can do its work: the ledger answers, and what is due gets done. An engine
 * of this process shows that it turns; one elsewhere shows by what is overdue.
 */

import type { Clock } from '../core/clock.ts'
import type { Instant } from '../core/instant.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { EngineHealth, EngineReport, ServerSettings } from './parts.ts'

export interface HealthReport {
  readonly isReady: boolean
  readonly engine: 'working' | 'stuck' | 'elsewhere'
  readonly report: EngineReport | null
  readonly now: Instant
  readonly nextDueAt: Instant | null
  readonly overdueMs: number
}

export interface HealthParts {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly engineHealth: EngineHealth
  readonly settings: Pick<ServerSettings, 'stuckAfterMs'>
  readonly startedMs: number
}

export class Health {
  readonly #parts: HealthParts

  constructor(parts: HealthParts) {
    this.#parts = parts
  }

  async check(): Promise<HealthReport> {
    const { ledger, settings, engineHealth } = this.#parts
    const now = await ledger.now()
    const nextDueAt = await ledger.nextDueAt()
    const overdueMs = nextDueAt === null ? 0 : Math.max(0, now - nextDueAt)
    const report = engineHealth()
    const isStuck =
      report === null ? overdueMs > settings.stuckAfterMs : this.#isSilent(report.lastTurnAt, now)
    const engine = isStuck ? 'stuck' : report === null ? 'elsewhere' : 'working'
    return { isReady: !isStuck, engine, report, now, nextDueAt, overdueMs }
  }

  /** An engine that has not turned since the server started is given the same time. */
  #isSilent(lastTurnAt: Instant | null, now: Instant): boolean {
    const { clock, settings, startedMs } = this.#parts
    const silentMs = lastTurnAt === null ? clock.monotonicMs() - startedMs : now - lastTurnAt
    return silentMs > settings.stuckAfterMs
  }
}
