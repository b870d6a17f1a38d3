/**
 * Measures the decision core.
 *
 *   npm run bench:core -- [--json] [--original <file.py>]
 *
 * Decisions a second on one core, what other posts' history costs, and, where the file of the
 * original executor and python3 are there, how the classic executor compares with it. Each figure
 * is the median of rounds in which all contestants take turns; ratios are taken round by round.
 * Deciding is measured in processor time, persisting in elapsed time: it waits for the disk.
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureDecisions } from './core/decisions.ts'
import type { DecisionFigure } from './core/decisions.ts'
import {
  measureEvaluation,
  measurePersisting,
  measureSizes,
  openCases,
  questions,
  requireSameAnswers,
} from './core/history-sizes.ts'
import type { Case, OriginalFigure, SizeFigure } from './core/history-sizes.ts'
import { findPython, startOriginal } from './core/original.ts'

interface Comparison {
  readonly python: string
  readonly evaluate: readonly OriginalFigure[]
  readonly evaluateAndPersist: readonly OriginalFigure[]
}

interface Report {
  readonly node: string
  readonly decisions: readonly DecisionFigure[]
  readonly otherPostsHistory: readonly SizeFigure[]
  /** Or how to get the comparison. */
  readonly original: Comparison | string
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, original: { type: 'string' } },
  })
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-bench-'))
  try {
    const report = await measure(folder, values.original)
    console.log(values.json ? JSON.stringify(report) : describe(report))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(folder: string, original: string | undefined): Promise<Report> {
  const decisions = await measureDecisions()
  const cases = openCases(folder)
  const otherPostsHistory = await measureSizes(cases)
  return {
    node: process.version,
    decisions,
    otherPostsHistory,
    original: await compare(cases, original),
  }
}

async function compare(cases: readonly Case[], file: string | undefined) {
  if (file === undefined) return 'give the Python file of the original with --original <file.py>'
  const python = findPython()
  if (python === null) return 'install python3, which runs the original'
  // The original overwrites its history, so it has a copy.
  for (const { path } of cases) copyFileSync(path, `${path}.original`)
  const original = startOriginal(resolve(file), questions, python)
  try {
    await requireSameAnswers(cases, original)
    const evaluate = await measureEvaluation(cases, original)
    const evaluateAndPersist = await measurePersisting(cases, original)
    return { python, evaluate, evaluateAndPersist }
  } finally {
    original.close()
  }
}

const count = new Intl.NumberFormat('en-US')
const ratio = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

function describe({ node, decisions, otherPostsHistory, original }: Report): string {
  return [
    `Node ${node}; 20 samples and 5 rows of history for each decision`,
    ...decisions.map(
      ({ what, perSecond, nsEach }) =>
        `  ${what}: ${count.format(perSecond)} decisions a second (${count.format(nsEach)} ns)`,
    ),
    "Evaluations by the classic executor, by how many records of other posts' it holds",
    ...otherPostsHistory.map(
      (figure) =>
        `  ${count.format(figure.records)}: ${count.format(figure.nsEach)} ns, ` +
        `${ratio.format(figure.ratio)} × that of 10`,
    ),
    ...(typeof original === 'string'
      ? [`Against the original: ${original}`]
      : describeComparison(original)),
  ].join('\n')
}

function describeComparison({ python, evaluate, evaluateAndPersist }: Comparison): string[] {
  const line = (figure: OriginalFigure) =>
    `  ${count.format(figure.records)}: ${ratio.format(figure.ratio)} × as fast ` +
    `(${count.format(figure.classicNsEach)} ns against ${count.format(figure.originalNsEach)} ns)`
  return [
    `Evaluating, against the original on ${python}, by records of other posts`,
    ...evaluate.map(line),
    'Evaluating and persisting, which rewrites the file; only the classic executor flushes it',
    ...evaluateAndPersist.map(line),
  ]
}

await main()
