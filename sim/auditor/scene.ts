/**
 * What the auditor looks at: the ledger's rows and events, and the networks' truth. It draws its
 * own conclusions from them and shares no code with the guards that it checks.
 */

import type { MachineClock } from '../clock/machine-clock.ts'
import type { VirtualTime } from '../clock/virtual-time.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Network } from '../installation/network.ts'
import type { LedgerEvent } from '../../src/core/events.ts'
import type { ActionKey } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { AccountRow, ActionRow } from '../../src/ledger/index.ts'
import type { MemoryTables } from '../../src/ledger/memory/tables.ts'
import type { VisibleEffect } from '../../src/platform/simulated/index.ts'
import type { SentWrite } from '../faults/network-faults.ts'

export type PromiseName =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  /** No promise of its own: the engine must not trip over itself. */
  | 'sound'

export interface Violation {
  readonly promise: PromiseName
  readonly at: Instant
  readonly what: string
  /** What happened to the action before, newest last. */
  readonly story: readonly string[]
}

/** Something that became visible, by the engine's doing. */
export interface SeenEffect {
  readonly network: Network
  readonly effect: VisibleEffect & { readonly key: ActionKey }
  /** When it happened, in the ledger's time. */
  readonly at: Instant
}

export interface SeenWrite {
  readonly network: Network
  readonly write: SentWrite & { readonly key: ActionKey }
}

/** One promise being watched. Each is told of everything and says what it finds. */
export interface Check {
  onEvent?(event: LedgerEvent): void
  onEffect?(seen: SeenEffect): void
  onWrite?(seen: SeenWrite): void
  /** All has come to rest for a moment. */
  onRest?(): void
  /** Faults have ended long ago. */
  onCalm?(): void
  onEnd?(): void
}

export type Report = (promise: PromiseName, what: string, about?: ActionRow | null) => void

export interface Scene {
  readonly rows: MemoryTables
  readonly networks: ReadonlyMap<string, Network>
  readonly time: VirtualTime
  readonly clock: MachineClock
  readonly fleet: () => Fleet
  readonly report: Report
  /** Something is wrong with a claim, if anything is sent under it. */
  readonly suspect: (promise: PromiseName, what: string, about: ActionRow) => void
  /** All that was seen so far, by its key and by the post it was done to. */
  readonly effects: {
    byKey(key: ActionKey): readonly SeenEffect[]
    onPost(network: Network, postId: string): readonly SeenEffect[]
    isOurs(network: Network, remoteId: string): boolean
  }
}

export function accountOf({ rows }: Scene, { accountId }: ActionRow): AccountRow {
  return required(rows.accounts.get(accountId), accountId)
}

export function networkOf({ networks }: Scene, { platform }: ActionRow): Network {
  return required(networks.get(platform), platform)
}

export function actionOf({ rows }: Scene, { actionId }: LedgerEvent): ActionRow {
  return required(actionId === null ? undefined : rows.actions.get(actionId), String(actionId))
}

/** The policy that the account is under now. */
export function policyOf({ rows }: Scene, account: AccountRow): Policy {
  return required(rows.policies.get(account.policy), account.policy)
}

type Guard = Policy['guards'][number]

/** The settings of one guard, if the policy has it. */
export function guardOf<Name extends Guard['guard']>(
  policy: Policy,
  name: Name,
): Extract<Guard, { guard: Name }> | null {
  const found = policy.guards.find(({ guard }) => guard === name)
  return (found as Extract<Guard, { guard: Name }> | undefined) ?? null
}

/** What was visibly done to the same real post by other actions, the oldest first. */
export function otherEffectsOnPost(scene: Scene, row: ActionRow): readonly SeenEffect[] {
  const network = networkOf(scene, row)
  const post = scene.rows.posts.get(row.postId)
  const truth = post === undefined ? null : network.truth.post(post.remoteId)
  if (truth === null) return []
  return scene.effects.onPost(network, truth.id).filter(({ effect }) => effect.key !== row.key)
}

/** When the owner replied by hand, as far as the ledger knows of it. */
export function knownHandReplies(scene: Scene, row: ActionRow): readonly Instant[] {
  const network = networkOf(scene, row)
  return scene.rows.ownReplies
    .get(row.postId)
    .filter(({ remoteId }) => !scene.effects.isOurs(network, remoteId))
    .map(({ at }) => at)
}

/** Whether an event says that a row was claimed. */
export function isClaim(event: LedgerEvent): boolean {
  return event.type === 'action_changed' && event.data.to === 'running'
}

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The auditor misses ${name}`)
  return value
}
