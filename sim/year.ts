/**
 * Owns one simulated year: one installation watched for 365 days. Faults and crashes alternate with
 * calm stretches in which everything open must resolve.
 */

import { hash } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import { seededRandom } from '../src/platform/simulated/index.ts'
import type { Violation } from './auditor/scene.ts'
import { Coverage } from './coverage.ts'
import type { CoverageCounts } from './coverage.ts'
import { wholeInstallation } from './installation/networks.ts'
import type { PlantedBug } from './planted-bugs/planted-bug.ts'
import { Activities } from './workload/activities.ts'
import { beginDeciders } from './workload/deciders.ts'
import { beginOperators, renewCredentials } from './workload/operators.ts'
import { beginOwners } from './workload/owners.ts'
import { reactTo } from './workload/reactions.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

export interface YearOptions {
  readonly seed: number
  /** 365 unless a test needs less. */
  readonly days?: number
  readonly bug?: PlantedBug
  /** Handed the world before anything happens in it. */
  readonly onWorld?: (world: World) => void
}

export interface YearReport {
  readonly seed: number
  readonly days: number
  readonly sends: number
  readonly crashes: number
  readonly faults: Readonly<Record<string, number>>
  readonly coverage: CoverageCounts
  readonly problems: Readonly<Record<string, number>>
  /** Over all events: two runs of one seed have the same. */
  readonly eventsHash: string
  readonly violations: readonly Violation[]
}

/** How long the calm lasts in which all must resolve. */
const calmMs = 33 * hourMs
const stretches = 4

export async function simulateYear({
  seed,
  days = 365,
  bug,
  onWorld,
}: YearOptions): Promise<YearReport> {
  const world = await createWorld({
    seed: String(seed),
    installation: wholeInstallation,
    ...(bug === undefined ? {} : { bug }),
  })
  onWorld?.(world)
  const coverage = new Coverage(world)
  const activities = beginWorkload(world)
  world.fleet.setTarget(1)
  const start = world.time.now
  for (let stretch = 1; stretch <= stretches; stretch += 1) {
    const end = start + (days * dayMs * stretch) / stretches
    await world.time.runUntil(end - calmMs)
    await calmDown(world, activities)
    await world.time.runUntil(end)
    if (world.auditor.violations.length > 0) break
    world.auditor.afterCalm()
    stirUp(world, activities)
  }
  world.auditor.atEnd()
  return report(world, coverage, seed, days)
}

function beginWorkload(world: World): Activities {
  const { seed, time, ledger, networks, owners, fleet, clock, auditor } = world
  const stream = (name: string) => seededRandom(`${seed}:${name}`)
  const onError = (error: unknown) => auditor.report('sound', `a person failed: ${String(error)}`)
  const activities = new Activities(time, stream('activities'), onError)
  beginOwners({ owners, ledger, time, activities, stream: stream('owners') })
  beginDeciders({ ledger, networks, activities, stream: stream('deciders') })
  const operators = { ledger, owners, fleet, clock, activities, stream: stream('operators') }
  beginOperators(operators)
  auditor.listeners.push(reactTo({ ...operators, time, stream: stream('reactions') }))
  beginTrouble(world, activities)
  return activities
}

/** Crashes, outages, a full disk, a damaged ledger. */
function beginTrouble({ time, networks, fleet, ledgerFaults }: World, activities: Activities) {
  for (const { faults } of networks.values()) {
    activities.every(12 * dayMs, () => faults.beginOutage(time.now))
    activities.every(25 * dayMs, () => faults.beginBlindness(time.now))
    // Bad luck seldom comes alone: who is turned down may also be slow to say so.
    faults.onRefusal = () => ledgerFaults.holdNextSettle()
  }
  activities.every(1.6 * dayMs, () => fleet.armCrash())
  activities.every(30 * dayMs, () => ledgerFaults.beginFull(time.now))
  activities.every(60 * dayMs, () => {
    ledgerFaults.isDamaged = true
    activities.surelyAfter(20 * minuteMs, () => {
      ledgerFaults.isDamaged = false
    })
  })
}

/** Faults end, and whoever runs the installation puts it in order; then nobody does anything. */
async function calmDown(world: World, activities: Activities): Promise<void> {
  const { networks, ledgerFaults, fleet, clock, ledger, owners, time } = world
  activities.resting = true
  for (const { faults } of networks.values()) faults.calm = true
  ledgerFaults.calm = true
  ledgerFaults.isDamaged = false
  for (const process of fleet.running) {
    process.lifeline.crashPoint = null
    process.onLedgerCall = () => {}
  }
  await ledger.now()
  clock.jumpBy(-clock.offsetMs)
  const order = async () => {
    for (const { scope, target } of await ledger.listPauses()) await ledger.resume(scope, target)
    const stream = seededRandom(`${world.seed}:calm`)
    await renewCredentials({ ledger, owners, stream })
  }
  await order()
  // What was under way may still trip over a pause or a credential; someone looks again.
  for (const hours of [1, 3, 6]) {
    time.after(hours * hourMs, () => void order())
  }
}

function stirUp({ networks, ledgerFaults }: World, activities: Activities): void {
  activities.resting = false
  for (const { faults } of networks.values()) faults.calm = false
  ledgerFaults.calm = false
}

function report(world: World, coverage: Coverage, seed: number, days: number): YearReport {
  const faults: Record<string, number> = {}
  for (const network of world.networks.values()) {
    for (const [kind, count] of network.faults.counts) {
      faults[`network ${kind}`] = (faults[`network ${kind}`] ?? 0) + count
    }
  }
  for (const [kind, count] of world.ledgerFaults.counts) faults[`ledger ${kind}`] = count
  const { events } = world.store.eventLog.read(null, {}, Infinity)
  return {
    seed,
    days,
    sends: coverage.sends,
    crashes: world.fleet.crashes,
    faults,
    coverage: coverage.counts,
    problems: Object.fromEntries(world.problems),
    eventsHash: hash('sha256', JSON.stringify(events), 'hex'),
    violations: world.auditor.violations,
  }
}
