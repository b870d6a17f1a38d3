/** Puts a simulated installation together: time, networks, ledger, processes, auditor. */

import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import { toAccountId } from '../src/core/ids.ts'
import type { EngineProblem, EngineSettings } from '../src/engine/index.ts'
import { createLedger, LedgerError } from '../src/ledger/index.ts'
import type { Ledger, SettleCommand, SettleResult } from '../src/ledger/index.ts'
import { seededRandom } from '../src/platform/simulated/index.ts'
import { Auditor } from './auditor/auditor.ts'
import { TappedStore } from './auditor/tapped-store.ts'
import { MachineClock } from './clock/machine-clock.ts'
import { VirtualTime } from './clock/virtual-time.ts'
import { LedgerFaults } from './faults/ledger-faults.ts'
import { Fleet } from './fleet/fleet.ts'
import type { CrashPoint } from './fleet/lifeline.ts'
import { createNetwork } from './installation/network.ts'
import type { Network } from './installation/network.ts'
import type { NetworkPlan } from './installation/networks.ts'
import { policies } from './installation/policies.ts'
import { createWriter, WriterError } from './installation/writer.ts'
import type { PlantedBug } from './planted-bugs/planted-bug.ts'
import type { Owner } from './workload/owners.ts'

export interface WorldOptions {
  readonly seed: string
  readonly installation: readonly NetworkPlan[]
  readonly bug?: PlantedBug
  readonly firstCrash?: CrashPoint
  /** Whether the writer always has something to say. */
  readonly steady?: boolean
}

export interface World {
  readonly seed: string
  readonly time: VirtualTime
  readonly clock: MachineClock
  readonly store: TappedStore
  /** As people reach it: without faults. */
  readonly ledger: Ledger
  readonly ledgerFaults: LedgerFaults
  readonly networks: ReadonlyMap<string, Network>
  readonly owners: readonly Owner[]
  readonly fleet: Fleet
  readonly auditor: Auditor
  /** How often each kind of work failed, and why. */
  readonly problems: Map<string, number>
}

/** A Monday in winter; the year has both changes of the clocks in it. */
const start = Date.UTC(2026, 0, 5)

/** As in production, but that idle turns and repeated questions are rarer: a year is long. */
const settings: Partial<EngineSettings> = {
  askAgainMs: 15 * minuteMs,
  planExpiresMs: 6 * hourMs,
  noticeBeforeMs: hourMs,
  discoverEveryMs: 2 * dayMs,
  discoverMs: 3 * dayMs,
  baselineKeepMs: 30 * dayMs,
  unreadAgainMs: 10 * minuteMs,
  breathMs: minuteMs,
  idleMs: 2 * hourMs,
  accountsAtOnce: 4,
}

export async function createWorld(options: WorldOptions): Promise<World> {
  const { seed, bug } = options
  const time = new VirtualTime(start)
  const clock = new MachineClock(time)
  const store = new TappedStore(clock)
  const plain = createLedger(bug?.store?.(store) ?? store)
  const ledger = bug?.ledger?.(plain, store) ?? plain
  const ledgerFaults = new LedgerFaults(seededRandom(`${seed}:ledger`))
  bug?.ledgerFaults?.(ledgerFaults)
  const networks = new Map(
    options.installation.map(({ profile }) => {
      const network = createNetwork(profile, seed, time)
      return [network.name, network]
    }),
  )
  const auditor = new Auditor({ store: () => store, networks, time, clock, fleet: () => fleet })
  store.onCommit = () => auditor.afterCommit()
  const problems = new Map<string, number>()
  const fleet = new Fleet({
    seed,
    ...(options.firstCrash === undefined ? {} : { firstCrash: options.firstCrash }),
    onEnd: (error) => auditor.report('sound', `an engine ended by itself: ${String(error)}`),
    around: {
      time,
      clock,
      ledger,
      ledgerFaults,
      networks: [...networks.values()],
      content: createWriter(seededRandom(`${seed}:writer`), options.steady === true),
      settings,
      alterPlatform: bug?.platform ?? ((platform) => platform),
      onAnswer: (call, [command], answer) => {
        if (call !== 'settle') return
        const acknowledged = { command: command as SettleCommand, result: answer as SettleResult }
        auditor.afterAcknowledgement(acknowledged)
      },
      onProblem: (problem) => noteProblem(auditor, problems, problem),
      onDamage: (process) => {
        if (!fleet.toldOfDamage.has(process)) fleet.toldOfDamage.set(process, time.now)
        bug?.onDamage?.(store)
      },
    },
  })
  time.onRest = () => {
    auditor.afterRest()
    if (auditor.violations.length > 0) time.stop()
  }
  const owners = await settleIn(ledger, networks, options.installation, start)
  return {
    seed,
    time,
    clock,
    store,
    ledger,
    ledgerFaults,
    networks,
    owners,
    fleet,
    auditor,
    problems,
  }
}

/** Faults of the ledger and of the writer are to be expected; all else is a mistake. */
function noteProblem(auditor: Auditor, problems: Map<string, number>, problem: EngineProblem) {
  const { work, id, error } = problem
  const isExpected = error instanceof LedgerError || error instanceof WriterError
  const name = `${work}: ${error instanceof LedgerError ? error.kind : String(error)}`
  problems.set(name, (problems.get(name) ?? 0) + 1)
  if (!isExpected) auditor.report('sound', `${work} of ${id} failed: ${describeError(error)}`)
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function settleIn(
  ledger: Ledger,
  networks: ReadonlyMap<string, Network>,
  installation: readonly NetworkPlan[],
  now: number,
): Promise<readonly Owner[]> {
  for (const policy of policies) await ledger.savePolicy(policy)
  const owners: Owner[] = []
  for (const { profile, accounts } of installation) {
    const network = networks.get(profile.description.platform) as Network
    for (const plan of accounts) {
      const { handle, mode, timeZone, policy, holdoutShare } = plan
      const accountId = toAccountId(handle)
      const credentials = `secret-of-${handle}`
      network.world.addAccount({ handle, credentials, usualTotal: 400 })
      owners.push({ accountId, plan, network })
      await ledger.saveAccount({
        id: accountId,
        platform: network.name,
        handle,
        mode,
        timeZone,
        policy,
        holdoutShare,
        credentials,
        status: 'active',
        statusReason: null,
        createdAt: now,
        discoverAt: now,
        profile: null,
      })
    }
  }
  return owners
}
