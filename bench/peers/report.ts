/** Owns how the comparison is told: lines for a terminal, and a section of docs/benchmarks.md. */

import type { Machine } from '../ledger/machine.ts'
import { wordMachine } from '../report.ts'
import type { Peer } from './workload.ts'

export interface Figure {
  readonly name: Peer['name']
  readonly nsEach: number
  /** As the one that is named first. */
  readonly timesAsFast: number
}

export interface SizeReport {
  readonly records: number
  readonly decision: readonly Figure[]
  readonly action: readonly Figure[]
}

export interface PeerReport {
  readonly machine: Machine
  /** What ran the original; null where the classic drop-in stands for it. */
  readonly python: string | null
  readonly sizes: readonly SizeReport[]
}

const titles: Readonly<Record<Peer['name'], string>> = {
  original: 'original',
  classic: 'classic drop-in',
  ledger: 'standard, on SQLite',
}

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

function wordTime(ns: number): string {
  return ns < 1e6 ? `${digits.format(ns / 1e3)} µs` : `${digits.format(ns / 1e6)} ms`
}

function wordOpponent({ python }: PeerReport): string {
  if (python !== null) return `The original ran on ${python}.`
  return (
    'The original was not given. The classic drop-in stands for it: it writes the same file in ' +
    'the same way, but looks records up by their post instead of going through all of them.'
  )
}

export function describe(report: PeerReport): string {
  const line = ({ name, nsEach, timesAsFast }: Figure, index: number) =>
    `${titles[name]} ${wordTime(nsEach)}` +
    (index === 0 ? '' : ` (${digits.format(timesAsFast)} × as fast)`)
  const lines = (what: 'decision' | 'action') =>
    report.sizes.map(
      (size) => `  ${count.format(size.records)}: ${size[what].map(line).join(', ')}`,
    )
  return [
    wordMachine(report.machine),
    wordOpponent(report),
    'A decision, by records',
    ...lines('decision'),
    'A recorded action, by records',
    ...lines('action'),
  ].join('\n')
}

export function toMarkdown(report: PeerReport): string {
  const hasOriginal = report.python !== null
  const flushing = hasOriginal ? ', and the original does not flush it' : ''
  const repeating = hasOriginal ? ', with `--original <file.py>` for the original' : ''
  return `## Against a file that is written anew

The original executor keeps its records in one JSON file, looks through all of them for each
decision and writes the whole file for each action. Beside it stand the classic drop-in, which gives
the same answers on the same file and flushes it, and the standard policy on a ledger in SQLite that
took over the same records. "× as fast" is within this run and compares with the first column.

${wordMachine(report.machine)}
${wordOpponent(report)}

A decision, in processor time. In SQLite it includes reading everything that the decision needs.

${toTable(report, 'decision')}

A recorded action, in elapsed time. In SQLite it is a claim, for which all guards are asked again,
and a settlement: two transactions, each flushed, with their events. The file is written once for
each${flushing}.

${toTable(report, 'action')}

To repeat it: \`npm run bench:peers -- --write\`${repeating}.`
}

function toTable({ sizes }: PeerReport, what: 'decision' | 'action'): string {
  const [first] = sizes
  if (first === undefined) throw new Error('Nothing was measured')
  const heads = first[what].flatMap(({ name }, index) =>
    index === 0 ? [titles[name]] : [titles[name], '× as fast'],
  )
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row(['records', ...heads]),
    row(['records', ...heads].map(() => '---:')),
    ...sizes.map((size) =>
      row([
        count.format(size.records),
        ...size[what].flatMap(({ nsEach, timesAsFast }, index) =>
          index === 0 ? [wordTime(nsEach)] : [wordTime(nsEach), digits.format(timesAsFast)],
        ),
      ]),
    ),
  ].join('\n')
}
