/**
 * The auditor. It is told after every transaction and after everything that has come to rest, looks
 * at the ledger and at the truth, and collects what contradicts a promise. It changes nothing.
 */

import type { LedgerEvent } from '../../src/core/events.ts'
import type { ActionId } from '../../src/core/ids.ts'
import { formatInstant } from '../../src/core/instant.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import type { MemoryStore } from '../../src/ledger/index.ts'
import { EffectsLog } from './effects-log.ts'
import { checkOneEffect } from './i01-one-effect.ts'
import { checkLimits } from './i02-limits.ts'
import { checkCooldowns } from './i03-cooldowns.ts'
import { checkKeptOutcomes } from './i04-kept-outcomes.ts'
import type { Acknowledged, OutcomeCheck } from './i04-kept-outcomes.ts'
import { checkResolution } from './i05-resolution.ts'
import { checkResends } from './i06-resends.ts'
import { checkEndedRows } from './i07-ended-rows.ts'
import { checkOneContent } from './i08-one-content.ts'
import { checkStalledPosts } from './i09-stalled-posts.ts'
import { checkDamage } from './i10-damage.ts'
import { checkPermission } from './i11-permission.ts'
import { isClaim } from './scene.ts'
import type { Check, PromiseName, Scene, Violation } from './scene.ts'

export interface AuditorOptions extends Omit<Scene, 'rows' | 'report' | 'suspect' | 'effects'> {
  /** The ledger's store as it is now. */
  readonly store: () => MemoryStore
}

export class Auditor {
  readonly violations: Violation[] = []
  /** Told of every event once, besides the checks. */
  readonly listeners: ((event: LedgerEvent) => void)[] = []
  readonly #options: AuditorOptions
  readonly #effects: EffectsLog
  readonly #checks: readonly Check[]
  readonly #outcomes: OutcomeCheck
  readonly #suspicions = new Map<ActionId, readonly (() => void)[]>()
  #cursor: string | null = null

  constructor(options: AuditorOptions) {
    this.#options = options
    const { clock, networks } = options
    this.#effects = new EffectsLog([...networks.values()], (at) => clock.ledgerTimeAt(at))
    const scene: Scene = {
      ...options,
      get rows() {
        return options.store().rows
      },
      effects: this.#effects,
      report: (promise, what, about) => this.report(promise, what, about),
      suspect: (promise, what, about) => {
        const list = this.#suspicions.get(about.id) ?? []
        this.#suspicions.set(about.id, [...list, () => this.report(promise, what, about)])
      },
    }
    this.#outcomes = checkKeptOutcomes(scene)
    this.#checks = [
      checkOneEffect(scene),
      checkLimits(scene),
      checkCooldowns(scene),
      this.#outcomes,
      checkResolution(scene),
      checkResends(scene),
      checkEndedRows(scene),
      checkOneContent(scene),
      checkStalledPosts(scene),
      checkDamage(scene),
      checkPermission(scene),
    ]
  }

  /** A transaction was written just now. */
  afterCommit(): void {
    const { eventLog } = this.#options.store()
    const { events, cursor } = eventLog.read(this.#cursor, {}, Infinity)
    if (events.length === 0) return
    this.#cursor = cursor
    this.#takeTruth()
    for (const event of events) {
      for (const tell of this.listeners) tell(event)
      if (isClaim(event) && event.actionId !== null) this.#suspicions.delete(event.actionId)
      for (const check of this.#checks) check.onEvent?.(event)
      if (event.type === 'attempt_begun' && event.actionId !== null) this.#confirm(event.actionId)
    }
  }

  /** Something is sent: what was wrong with its claim matters now. */
  #confirm(id: ActionId): void {
    for (const report of this.#suspicions.get(id) ?? []) report()
    this.#suspicions.delete(id)
  }

  afterRest(): void {
    this.#takeTruth()
    for (const check of this.#checks) check.onRest?.()
  }

  /** Faults ended long ago. */
  afterCalm(): void {
    this.#takeTruth()
    for (const check of this.#checks) check.onCalm?.()
  }

  atEnd(): void {
    this.#takeTruth()
    for (const check of this.#checks) check.onEnd?.()
  }

  afterAcknowledgement(acknowledged: Acknowledged): void {
    this.#outcomes.onAcknowledged(acknowledged)
  }

  #takeTruth(): void {
    for (const write of this.#effects.takeWrites()) {
      for (const check of this.#checks) check.onWrite?.(write)
    }
    for (const effect of this.#effects.takeEffects()) {
      for (const check of this.#checks) check.onEffect?.(effect)
    }
  }

  report(promise: PromiseName, what: string, about: ActionRow | null = null): void {
    const { now } = this.#options.time
    const subject = about === null ? '' : `${about.action} ${about.id} (${about.platform}): `
    const story = about === null ? [] : this.#storyOf(about)
    this.violations.push({ promise, at: now, what: `${subject}${what}`, story })
  }

  /** What the ledger and the network know of an action, each in its own time. */
  #storyOf({ id, key, platform }: ActionRow): readonly string[] {
    const { eventLog, rows } = this.#options.store()
    const { events } = eventLog.read(null, {}, Infinity)
    const told = events
      .filter(({ actionId }) => actionId === id)
      .map(({ at, type, data }) => `${formatInstant(at)} ${type} ${JSON.stringify(data)}`)
    const attempts = rows.attempts
      .get(id)
      .map(
        ({ number, segment, startedAt, result }) =>
          `${formatInstant(startedAt)} attempt ${number} of segment ${segment}: ${result}`,
      )
    const writes = (this.#options.networks.get(platform)?.faults.writes ?? [])
      .filter((write) => write.key === key)
      .map(({ at, segment, fault }) => {
        return `${formatInstant(at)} segment ${segment} was sent: ${JSON.stringify(fault)}`
      })
    const effects = this.#effects.byKey(key).map(({ effect, at }) => {
      return `${formatInstant(at)} ${effect.remoteId} became visible`
    })
    return [...told.slice(-15), ...attempts.slice(-8), ...writes.slice(-8), ...effects.slice(-8)]
  }
}
