/**
 * Puts the demo together: the production engine on SQLite, made-up networks, and a clock that runs
 * fast. What is in the folder is gone on with; an empty one is given a past first.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { hourMs, minuteMs } from '../core/duration.ts'
import { toAccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import { policyId } from '../core/policy.ts'
import type { Random } from '../core/random.ts'
import { Secret } from '../core/secret.ts'
import { createTemplateContent } from '../content/template-content.ts'
import { createEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/parts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { newAccount } from '../ledger/new-account.ts'
import { openSqliteLedger } from '../ledger/open-ledger.ts'
import { seededRandom } from '../platform/simulated/index.ts'
import type { Simulation } from '../platform/simulated/index.ts'
import { cast } from './cast.ts'
import type { Persona } from './cast.ts'
import { DemoClock } from './demo-clock.ts'
import { Journal } from './journal.ts'
import { demoToken, makeNetworks } from './networks.ts'
import { liveThroughPast } from './past.ts'
import { demoPolicy } from './policy.ts'
import { pastMs } from './schedule.ts'

export interface DemoOptions {
  /** Holds the ledger and the network. */
  readonly folder: string
  readonly seed: string
  readonly real: Clock
  readonly speed: number
  readonly onProgress: (done: number, all: number) => void
}

export interface Demo extends AsyncDisposable {
  readonly ledger: Ledger
  readonly clock: DemoClock
  readonly networks: readonly Simulation[]
  /** For the engine that goes on from here, and for whoever asks it about a post. */
  readonly engineOptions: EngineOptions
  /** Whether it was gone on with. */
  readonly isContinued: boolean
}

const holdoutShare = 0.4
/** The posts of the demo are read when they appear and not before. */
const settings = {
  accountsAtOnce: cast.length,
  discoverEveryMs: 30 * minuteMs,
  planExpiresMs: 72 * hourMs,
}

export async function openDemo(options: DemoOptions): Promise<Demo> {
  const { folder, seed, real, speed } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'ledger.db')
  const started = await readStart(path, real, seed)
  const clock = new DemoClock(real, started.resumesAt, speed)
  const journal = new Journal(join(folder, 'network.jsonl'))
  const networks = makeNetworks({ seed: started.seed, now: started.now, clock, journal })
  const ledger = await openSqliteLedger({ path, clock })
  try {
    const engineOptions: EngineOptions = {
      ledger,
      platforms: networks.map(({ platform }) => platform),
      clock,
      random: demoRandom(`${started.seed}:${started.resumesAt}`),
      content: createTemplateContent(),
      openCredentials: () => new Secret(demoToken),
      settings,
    }
    if (!started.isContinued) await makePast(options, engineOptions, clock, started.now)
    clock.run()
    return {
      ledger,
      clock,
      networks,
      engineOptions,
      isContinued: started.isContinued,
      [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose](),
    }
  } catch (error) {
    await ledger[Symbol.asyncDispose]()
    throw error
  }
}

interface Start {
  readonly seed: string
  /** Where the past ended, or will. */
  readonly now: Instant
  readonly resumesAt: Instant
  readonly isContinued: boolean
}

/** What an earlier life left. A past that was broken off is gone on with from where it was. */
async function readStart(path: string, real: Clock, seed: string): Promise<Start> {
  const now = Math.floor(real.now())
  await using ledger = await openSqliteLedger({ path, clock: { now: () => now - pastMs } })
  const kept = {
    seed: await ledger.settleSetting('demo_seed', seed),
    now: Number(await ledger.settleSetting('demo_now', String(now))),
  }
  const isContinued = (await ledger.getSetting('demo_past')) === 'done'
  const earliest = isContinued ? kept.now : kept.now - pastMs
  const resumesAt = Math.max(earliest, await ledger.now())
  return { ...kept, resumesAt, isContinued }
}

async function makePast(
  { onProgress }: DemoOptions,
  engineOptions: EngineOptions,
  clock: DemoClock,
  until: Instant,
): Promise<void> {
  const { ledger } = engineOptions
  await ledger.savePolicy(demoPolicy)
  const known = new Set((await ledger.listAccounts()).map(({ id }) => id))
  for (const persona of cast) {
    if (known.has(accountIdOf(persona))) continue
    const { network, handle, timeZone } = persona
    const platform = `simulated-${network}`
    const wish = { platform, handle, timeZone, holdoutShare, policy: policyId(demoPolicy) }
    const account = newAccount(accountIdOf(persona), clock.now(), { ...wish, mode: 'auto' })
    await ledger.saveAccount(account)
  }
  const engine = createEngine(engineOptions)
  const evening = until - approveMs
  const all = until - clock.now()
  const start = clock.now()
  const onProgressOfAll = () => onProgress(clock.now() - start, all)
  const past = { engine, ledger, clock, onProgress: onProgressOfAll }
  await liveThroughPast({ ...past, until: evening })
  for (const persona of cast) {
    await ledger.updateAccount(accountIdOf(persona), { mode: persona.mode })
  }
  await liveThroughPast({ ...past, until })
  await ledger.settleSetting('demo_past', 'done')
}

/** From so long before now on, people are asked; what they were asked still waits for them. */
const approveMs = 72 * hourMs

function accountIdOf({ handle }: Persona) {
  return toAccountId(handle)
}

function demoRandom(seed: string): Random {
  const stream = seededRandom(seed)
  const word = () =>
    Math.floor(stream.fraction() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return {
    fraction: () => stream.fraction(),
    id: () => {
      const [a, b, c, d] = [word(), word(), word(), word()]
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
  }
}
