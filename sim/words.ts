/** Owns how a simulation is told to people. */

import { formatInstant } from '../src/core/instant.ts'
import { formatCount, plural } from '../src/core/wording.ts'
import type { YearReport } from './year.ts'
import type { Total } from './years.ts'

/** From so many years on, everything that can be reached has to be. */
export const yearsToReachAll = 20

const mostViolationsTold = 3

export function wordTotal(total: Total, seconds: number): readonly string[] {
  const { years, sends, crashes, failed } = total
  const rate = (years / Math.max(seconds, 0.001)).toFixed(2)
  return [
    ...tableOf('faults', total.faults),
    ...tableOf('guards that held', total.coverage.guards),
    ...tableOf('states', total.coverage.states),
    ...tableOf('steps between states', total.coverage.transitions),
    ...failed.slice(0, mostViolationsTold).flatMap(wordFailure),
    ...wordMissed(total),
    `${plural(years, 'year')}, ${plural(sends, 'send')} (at least ` +
      `${formatCount(total.fewestSends)} a year), ${formatCount(crashes)} crashes (at least ` +
      `${formatCount(total.fewestCrashes)} a year), ` +
      `${plural(failed.length, 'year')} with a violation, ${rate} years a second`,
  ]
}

/** The seed that reproduces it, and what is known about it. */
export function wordFailure({ seed, violations }: YearReport): readonly string[] {
  const [first] = violations
  if (first === undefined) return []
  return [
    `VIOLATION of ${first.promise} at ${formatInstant(first.at)}: ${first.what}`,
    ...first.story.map((line) => `    ${line}`),
    `  reproduce it with: npm run sim -- --seed ${seed} --years 1`,
  ]
}

function wordMissed({ years, missed }: Total): readonly string[] {
  if (missed.length === 0) return []
  const weight = years < yearsToReachAll ? ` (in ${yearsToReachAll} years they must be)` : ''
  return [`never reached${weight}: ${missed.join(', ')}`]
}

function tableOf(title: string, counts: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return [
    `${title}:`,
    ...rows.map(([name, count]) => `  ${formatCount(count).padStart(12)}  ${name}`),
  ]
}

/** Whether a run passes: no violation and, if it is long enough, nothing left out. */
export function passes({ years, missed, failed }: Total): boolean {
  return failed.length === 0 && (years < yearsToReachAll || missed.length === 0)
}
