/** What whoever runs the installation does: pauses, modes, policies, credentials, processes. */

import { dayMs, hourMs, minuteMs } from '../../src/core/duration.ts'
import type { AccountId } from '../../src/core/ids.ts'
import type { AccountRow, Ledger, Mode, PauseRow } from '../../src/ledger/index.ts'
import type { AccountChange } from '../../src/ledger/steps/account.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import type { MachineClock } from '../clock/machine-clock.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Activities } from './activities.ts'
import type { Owner } from './owners.ts'

export interface OperatorsOptions {
  readonly ledger: Ledger
  readonly owners: readonly Owner[]
  readonly fleet: Fleet
  readonly clock: MachineClock
  readonly activities: Activities
  readonly stream: Stream
}

export function beginOperators(options: OperatorsOptions): void {
  const { activities, stream, ledger, fleet } = options
  activities.every(6 * hourMs, () => liftPauses(options))
  activities.every(8 * hourMs, () => renewCredentials(options))
  activities.every(6 * dayMs, () => pauseSomething(options))
  activities.every(20 * dayMs, () => loseCredentials(options))
  activities.every(5 * dayMs, () => changeMode(options))
  activities.every(9 * dayMs, () => changePolicy(options))
  activities.every(25 * dayMs, () => noticeFutility(options))
  activities.every(40 * dayMs, () => disturbClock(options))
  activities.every(2 * dayMs, () => {
    fleet.setTarget(stream.chance(0.4) ? 2 : 3)
    activities.surelyAfter(stream.between(hourMs, 6 * hourMs), () => fleet.setTarget(1))
  })
  activities.every(10 * dayMs, async () => {
    await ledger.shrinkSamples(5 * dayMs, [hourMs], 100_000)
    await ledger.seal(100_000)
  })
}

function choose<Entry>(stream: Stream, entries: readonly Entry[]): Entry {
  const entry = entries[Math.floor(stream.fraction() * entries.length)]
  if (entry === undefined) throw new Error('There is nothing to choose from')
  return entry
}

/** Pauses that nobody lifts last for ever; someone has a look at them now and then. */
export async function liftPauses({ ledger }: Pick<OperatorsOptions, 'ledger'>): Promise<void> {
  for (const { scope, target, by } of await ledger.listPauses()) {
    if (by !== 'an operator') await ledger.resume(scope, target)
  }
}

export async function pauseSomething(
  { ledger, owners, activities, stream }: OperatorsOptions,
  of?: AccountId,
): Promise<void> {
  const owner = owners.find((each) => each.accountId === of) ?? choose(stream, owners)
  const { accountId, network } = owner
  const scopes: readonly Pick<PauseRow, 'scope' | 'target'>[] = [
    { scope: 'everything', target: '' },
    { scope: 'account', target: accountId },
    { scope: 'platform', target: network.name },
  ]
  const { scope, target } = choose(stream, scopes)
  // Some holidays are longer than anything that was begun may wait.
  const forMs = stream.between(5 * minuteMs, stream.chance(0.2) ? 40 * hourMs : 8 * hourMs)
  const until = stream.chance(0.3) ? (await ledger.now()) + forMs : null
  await ledger.pause({ scope, target, until, reason: 'a holiday', by: 'an operator' })
  activities.surelyAfter(forMs, async () => {
    await ledger.resume(scope, target)
  })
}

/** The network wants others from now on; the account is parked when it is next used. */
function loseCredentials({ owners, stream }: OperatorsOptions): void {
  const { network, plan } = choose(stream, owners)
  network.world.setCredentials(plan.handle, `secret-${stream.id()}`)
}

/** An account that is parked gets new credentials, and works again. */
export async function renewCredentials({
  ledger,
  owners,
  stream,
}: Pick<OperatorsOptions, 'ledger' | 'owners' | 'stream'>): Promise<void> {
  for (const account of await ledger.listAccounts()) {
    const owner = owners.find(({ accountId }) => accountId === account.id)
    if (account.status !== 'parked' || owner === undefined) continue
    const { network, plan } = owner
    const credentials = `secret-${stream.id()}`
    network.world.setCredentials(plan.handle, credentials)
    await ledger.activateAccount(account.id, credentials)
    await ledger.setDiscoverAt(account.id, await ledger.now())
  }
}

async function changeAccount(
  { ledger, owners, stream, activities }: OperatorsOptions,
  of: AccountId | undefined,
  change: (account: AccountRow, owner: Owner) => AccountChange,
  back: (owner: Owner) => AccountChange,
): Promise<void> {
  const owner = owners.find(({ accountId }) => accountId === of) ?? choose(stream, owners)
  const account = await ledger.getAccount(owner.accountId)
  if (account === null) return
  await ledger.updateAccount(account.id, change(account, owner))
  activities.surelyAfter(stream.between(hourMs, 3 * dayMs), async () => {
    await ledger.updateAccount(owner.accountId, back(owner))
  })
}

const otherModes: Readonly<Record<Mode, readonly Mode[]>> = {
  auto: ['approve', 'approve', 'watch'],
  approve: ['auto', 'watch'],
  watch: ['auto', 'approve'],
}

export function changeMode(options: OperatorsOptions, of?: AccountId): Promise<void> {
  return changeAccount(
    options,
    of,
    ({ mode }) => ({ mode: choose(options.stream, otherModes[mode]) }),
    ({ plan }) => ({ mode: plan.mode }),
  )
}

export function changePolicy(options: OperatorsOptions, of?: AccountId): Promise<void> {
  return changeAccount(
    options,
    of,
    (_, { plan }) => ({ policy: plan.policy.replace('@1', '@2') }),
    ({ plan }) => ({ policy: plan.policy }),
  )
}

/** Whoever measures lift finds that one kind of action does not help, and later that it does. */
async function noticeFutility({ ledger, owners, stream, activities }: OperatorsOptions) {
  const { accountId } = choose(stream, owners)
  const action = choose(stream, ['comment', 'edit', 'thread'] as const)
  await ledger.setWithoutLift(accountId, action, 50)
  activities.surelyAfter(stream.between(dayMs, 5 * dayMs), () =>
    ledger.setWithoutLift(accountId, action, 0),
  )
}

/** The machine's clock goes wrong, and is put right again. */
export async function disturbClock({ clock, ledger, stream, activities }: OperatorsOptions) {
  if (clock.offsetMs !== 0) return
  const byMs = Math.ceil(stream.between(minuteMs, 3 * hourMs)) * (stream.chance(0.5) ? 1 : -1)
  await jump(clock, ledger, byMs)
  activities.surelyAfter(stream.between(5 * minuteMs, 5 * hourMs), () => jump(clock, ledger, -byMs))
}

/** The ledger sees the time before and after, so that its own time is known for certain. */
async function jump(clock: MachineClock, ledger: Ledger, byMs: number): Promise<void> {
  await ledger.now()
  clock.jumpBy(byMs)
  await ledger.now()
}
