/** Runs many simulated years, as many at once as there are cores, and adds up what they came to. */

import { everything } from './coverage.ts'
import type { CoverageCounts } from './coverage.ts'
import { inParallel } from './parallel.ts'
import type { YearOrder } from './parallel.ts'
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

export async function simulateYears(options: YearsOptions): Promise<readonly YearReport[]> {
  const reports: YearReport[] = []
  const orders = Array.from({ length: options.years }, (_, index): YearOrder => {
    return { seed: options.seed + index, days: 365, bug: options.bug ?? null }
  })
  await inParallel(orders, async (order, simulate) => {
    const report = await simulate(order)
    reports.push(report)
    options.onYear?.(report)
  })
  return reports.sort((a, b) => a.seed - b.seed)
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
  const faults = sum(reports.map((report) => report.faults))
  return {
    years: reports.length,
    sends: sends.reduce((a, b) => a + b, 0),
    crashes: crashes.reduce((a, b) => a + b, 0),
    fewestSends: Math.min(...sends),
    fewestCrashes: Math.min(...crashes),
    faults,
    coverage,
    missed: findMissed({ ...coverage, faults }),
    failed: reports.filter(({ violations }) => violations.length > 0),
  }
}

type Reached = Pick<Total, 'faults'> & CoverageCounts

function findMissed(reached: Reached): readonly string[] {
  const kinds = Object.keys(everything) as readonly (keyof Reached)[]
  return kinds.flatMap((kind) =>
    everything[kind]
      .filter((name) => (reached[kind][name] ?? 0) === 0)
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
