/**
 * Shows the simulator's own checks a ledger that is finished, and the truth about its networks, in
 * the order in which all of it happened. Each check draws the conclusions that it draws there.
 */

import { EffectsLog } from '../../sim/auditor/effects-log.ts'
import { checkOneEffect } from '../../sim/auditor/i01-one-effect.ts'
import { checkLimits } from '../../sim/auditor/i02-limits.ts'
import { checkKeptOutcomes } from '../../sim/auditor/i04-kept-outcomes.ts'
import { checkResends } from '../../sim/auditor/i06-resends.ts'
import { checkOneContent } from '../../sim/auditor/i08-one-content.ts'
import { checkStalledPosts } from '../../sim/auditor/i09-stalled-posts.ts'
import { checkPermission } from '../../sim/auditor/i11-permission.ts'
import { isClaim } from '../../sim/auditor/scene.ts'
import type { Check, PromiseName, Scene } from '../../sim/auditor/scene.ts'
import type { SentWrite } from '../../sim/faults/network-faults.ts'
import type { Network } from '../../sim/installation/network.ts'
import type { LedgerEvent } from '../../src/core/events.ts'
import type { ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { ActionRow, PauseRow } from '../../src/ledger/index.ts'
import { MemoryTables } from '../../src/ledger/memory/tables.ts'
import type { VisibleEffect } from '../../src/platform/simulated/index.ts'
import type { Facts } from './facts.ts'

/** What the checks find, each with the promise that it breaks. */
export function replay(facts: Facts): readonly string[] {
  const found: string[] = []
  const stage = new Stage(facts, (promise, what, about) => {
    found.push(`${promise}: ${about === null ? '' : `${about.id} `}${what}${storyOf(facts, about)}`)
  })
  for (const moment of momentsOf(facts)) stage.take(moment)
  for (const check of stage.checks) check.onEnd?.()
  return found
}

type Moment =
  | { readonly kind: 'event'; readonly at: Instant; readonly event: LedgerEvent }
  | { readonly kind: 'write'; readonly at: Instant; readonly write: SentWrite; readonly to: string }
  | {
      readonly kind: 'effect'
      readonly at: Instant
      readonly effect: VisibleEffect
      readonly to: string
    }

/** What happened at the same time was written down before it was sent. */
function momentsOf({ contents, networks }: Facts): readonly Moment[] {
  const moments: Moment[] = contents.events.map((event) => ({ kind: 'event', at: event.at, event }))
  for (const [to, { truth, faults }] of networks) {
    for (const write of faults.writes) moments.push({ kind: 'write', at: write.at, write, to })
    for (const effect of truth.effects())
      moments.push({ kind: 'effect', at: effect.at, effect, to })
  }
  return moments.toSorted((a, b) => a.at - b.at)
}

type Tell = (promise: PromiseName, what: string, about: ActionRow | null) => void

class Stage {
  readonly checks: readonly Check[]
  readonly #facts: Facts
  readonly #rows: MemoryTables
  readonly #effects: EffectsLog
  /** What has happened so far on each network, as the checks see it. */
  readonly #past = new Map<string, { writes: SentWrite[]; effects: VisibleEffect[] }>()
  readonly #suspicions = new Map<ActionId, (() => void)[]>()

  constructor(facts: Facts, tell: Tell) {
    this.#facts = facts
    this.#rows = toTables(facts)
    const networks = new Map(
      [...facts.networks].map(([name, network]) => [name, this.#unfold(network)]),
    )
    this.#effects = new EffectsLog([...networks.values()], (at) => at)
    const scene: Scene = {
      rows: this.#rows,
      networks,
      effects: this.#effects,
      report: (promise, what, about = null) => tell(promise, what, about),
      suspect: (promise, what, about) => {
        const list = this.#suspicions.get(about.id) ?? []
        this.#suspicions.set(about.id, [...list, () => tell(promise, what, about)])
      },
      get time(): never {
        throw new Error('These checks ask for no virtual time')
      },
      get clock(): never {
        throw new Error('These checks ask for no virtual clock')
      },
      fleet: () => {
        throw new Error('These checks ask for no simulated processes')
      },
    }
    this.checks = [
      checkOneEffect(scene),
      checkLimits(scene),
      checkKeptOutcomes(scene),
      checkResends(scene),
      checkOneContent(scene),
      checkStalledPosts(scene),
      checkPermission(scene),
    ]
  }

  /** The same network, of which nothing has happened yet. */
  #unfold(network: Network): Network {
    const past = { writes: [] as SentWrite[], effects: [] as VisibleEffect[] }
    this.#past.set(network.name, past)
    const faults = Object.assign(Object.create(network.faults) as Network['faults'], {
      writes: past.writes,
    })
    return { ...network, faults, truth: { ...network.truth, effects: () => past.effects } }
  }

  take(moment: Moment): void {
    switch (moment.kind) {
      case 'event':
        return this.#takeEvent(moment.event)
      case 'write':
        this.#past.get(moment.to)?.writes.push(moment.write)
        for (const seen of this.#effects.takeWrites()) {
          for (const check of this.checks) check.onWrite?.(seen)
        }
        return
      case 'effect':
        this.#past.get(moment.to)?.effects.push(moment.effect)
        for (const seen of this.#effects.takeEffects()) {
          for (const check of this.checks) check.onEffect?.(seen)
        }
    }
  }

  #takeEvent(event: LedgerEvent): void {
    const { actionId } = event
    if (event.type === 'paused') this.#rows.pauses = [this.#pauseOf(event)]
    if (isClaim(event) && actionId !== null) this.#suspicions.delete(actionId)
    for (const check of this.checks) check.onEvent?.(event)
    if (event.type !== 'attempt_begun' || actionId === null) return
    for (const tell of this.#suspicions.get(actionId) ?? []) tell()
    this.#suspicions.delete(actionId)
  }

  /** The owner's are lifted by the owner. Of the engine's no event says when they end. */
  #pauseOf({ at, data }: LedgerEvent & { type: 'paused' }): PauseRow {
    const { scope, target } = data
    const isOwners = this.#facts.pauses.some(
      ({ accountId, askedAt, to }) => accountId === target && askedAt <= at && at <= to,
    )
    const until = isOwners ? null : at
    return { scope: scope as PauseRow['scope'], target, until, reason: '', since: at, by: '' }
  }
}

/** The rows as they are in the end, where the checks look for them. */
function toTables({ accounts, policies, contents, approvals }: Facts): MemoryTables {
  const rows = new MemoryTables()
  for (const [id, policy] of policies) rows.policies.set(id, policy)
  for (const account of accounts) rows.putAccount(account)
  for (const post of contents.posts) rows.insertPost(post)
  for (const [postId, samples] of contents.readings) rows.samples.set(postId, [...samples])
  for (const action of contents.actions) rows.insertAction(action)
  for (const attempt of contents.attempts) {
    rows.attempts.add(attempt.actionId, attempt)
    rows.platformAttempts.add(attempt.platform, attempt.startedAt)
  }
  for (const approval of approvals) rows.approvals.add(approval.actionId, approval)
  for (const { type, actionId, at } of contents.events) {
    if (type !== 'incident' || actionId === null) continue
    rows.incidents.set(actionId, { actionId, at, kind: 'landed_after_failure', detail: null })
  }
  return rows
}

/** What the ledger and the network know of it, for whoever has to find out why. */
function storyOf({ contents, networks }: Facts, about: ActionRow | null): string {
  if (about === null) return ''
  const told = contents.events
    .filter(({ actionId }) => actionId === about.id)
    .map(({ at, type, data }) => `${at.toFixed(1)} ${type} ${JSON.stringify(data)}`)
  const sent = (networks.get(about.platform)?.faults.writes ?? [])
    .filter(({ key }) => key === about.key)
    .map(({ at, fault }) => `${at} was sent: ${JSON.stringify(fault)}`)
  return ['', ...told.slice(-12), ...sent.slice(-6)].join('\n    ')
}
