/**
 * `npm run sim -- --years n --seed s`: simulates years and says what they came to. Exits with 1 if
 * a promise was broken or something was never reached. `--json` prints the figures alone, and
 * `--bug name` plants a bug, which must then be found.
 */

import { parseArgs } from 'node:util'
import { findBug, plantedBugs } from './planted-bugs/all.ts'
import { systemClock } from '../src/system.ts'
import { passes, wordTotal } from './words.ts'
import { addUp, simulateYears } from './years.ts'
import type { YearReport } from './year.ts'

const mostYears = 100_000

function readNumber(text: string, name: string, least: number, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, and is ${text}`)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      years: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      bug: { type: 'string' },
    },
  })
  const years = readNumber(values.years, 'years', 1, mostYears)
  const seed = readNumber(values.seed, 'seed', 0, Number.MAX_SAFE_INTEGER - mostYears)
  if (values.bug !== undefined) findBug(values.bug)
  return { years, seed, json: values.json, bug: values.bug }
}

/** A bar on a terminal; elsewhere a line now and then. */
function showProgress(years: number): (report: YearReport) => void {
  const isTerminal = process.stderr.isTTY
  const every = Math.max(1, Math.floor(years / 20))
  let done = 0
  let violations = 0
  return (report) => {
    done += 1
    violations += report.violations.length > 0 ? 1 : 0
    const words = `${done} of ${years} years, ${violations} with a violation`
    if (isTerminal) {
      const filled = Math.floor((30 * done) / years)
      const bar = '█'.repeat(filled) + '░'.repeat(30 - filled)
      process.stderr.write(`\r${bar} ${words}${done === years ? '\n' : ''}`)
    } else if (done % every === 0 || done === years) {
      process.stderr.write(`${words}\n`)
    }
  }
}

async function main(): Promise<void> {
  const { years, seed, json, bug } = readOptions()
  const startedMs = systemClock.monotonicMs()
  const reports = await simulateYears({
    years,
    seed,
    ...(bug === undefined ? {} : { bug }),
    ...(json ? {} : { onYear: showProgress(years) }),
  })
  const total = addUp(reports)
  const seconds = (systemClock.monotonicMs() - startedMs) / 1000
  const lines = json ? [JSON.stringify({ ...total, seconds }, null, 2)] : wordTotal(total, seconds)
  for (const line of lines) process.stdout.write(`${line}\n`)
  if (!passes(total)) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  const names = plantedBugs.map(({ name }) => name).join(', ')
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\nPlanted bugs: ${names}\n`)
  process.exitCode = 1
}
