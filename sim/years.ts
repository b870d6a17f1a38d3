/** Runs many simulated years, as many at once as there are cores, and adds up what they came to. */

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { everything } from './coverage.ts'
import type { CoverageCounts } from './coverage.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { simulateYear } from './year.ts'
import type { YearReport } from './year.ts'

export interface YearsOptions {
  /** The first year's; each further year has the next number. */
  readonly seed: number
  readonly years: number
  /** The name of a planted bug. */
  readonly bug?: string
  /** Told of each year as it ends, in no particular order. */
  readonly onYear?: (report: YearReport) => void
}

/** What a worker is asked for. */
export interface YearOrder {
  readonly seed: number
  readonly bug: string | null
}

export async function simulateYears(options: YearsOptions): Promise<readonly YearReport[]> {
  const orders = Array.from({ length: options.years }, (_, index): YearOrder => {
    return { seed: options.seed + index, bug: options.bug ?? null }
  })
  const reports: YearReport[] = []
  const note = (report: YearReport) => {
    reports.push(report)
    options.onYear?.(report)
  }
  const workers = Math.min(orders.length, availableParallelism())
  if (workers <= 1) {
    for (const order of orders) note(await fulfil(order))
  } else {
    await Promise.all(Array.from({ length: workers }, () => employ(orders, note)))
  }
  return reports.sort((a, b) => a.seed - b.seed)
}

export async function fulfil({ seed, bug: name }: YearOrder): Promise<YearReport> {
  const bug = name === null ? undefined : findBug(name)
  return simulateYear({ seed, ...(bug === undefined ? {} : { bug }) })
}

export function findBug(name: string) {
  const bug = plantedBugs.find((each) => each.name === name)
  if (bug === undefined) throw new Error(`There is no planted bug called ${name}`)
  return bug
}

/** One worker takes one order after another until none is left. */
function employ(orders: YearOrder[], note: (report: YearReport) => void): Promise<void> {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  return new Promise<void>((resolve, reject) => {
    const next = () => {
      const order = orders.shift()
      if (order === undefined) resolve()
      else worker.postMessage(order)
    }
    worker.on('message', (report: YearReport) => {
      note(report)
      next()
    })
    worker.on('error', reject)
    next()
  }).finally(() => void worker.terminate())
}

export interface Total {
  readonly years: number
  readonly sends: number
  readonly crashes: number
  readonly fewestSends: number
  readonly fewestCrashes: number
  readonly faults: Readonly<Record<string, number>>
  readonly coverage: CoverageCounts
  /** What was never reached, of all that can be. */
  readonly missed: readonly string[]
  readonly failed: readonly YearReport[]
}

export function addUp(reports: readonly YearReport[]): Total {
  const sends = reports.map((report) => report.sends)
  const crashes = reports.map((report) => report.crashes)
  const coverage: CoverageCounts = {
    states: sum(reports.map((report) => report.coverage.states)),
    transitions: sum(reports.map((report) => report.coverage.transitions)),
    guards: sum(reports.map((report) => report.coverage.guards)),
  }
  return {
    years: reports.length,
    sends: sends.reduce((a, b) => a + b, 0),
    crashes: crashes.reduce((a, b) => a + b, 0),
    fewestSends: Math.min(...sends),
    fewestCrashes: Math.min(...crashes),
    faults: sum(reports.map((report) => report.faults)),
    coverage,
    missed: findMissed(coverage),
    failed: reports.filter(({ violations }) => violations.length > 0),
  }
}

function findMissed(coverage: CoverageCounts): readonly string[] {
  const kinds = Object.keys(everything) as readonly (keyof CoverageCounts)[]
  return kinds.flatMap((kind) =>
    everything[kind]
      .filter((name) => (coverage[kind][name] ?? 0) === 0)
      .map((name) => `${kind}: ${name}`),
  )
}

function sum(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const total: Record<string, number> = {}
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
  }
  return total
}
