/** Writes the results of one data set for people. */

import { everRecall, lookHours, looksInARow } from './task.ts'
import type { Figures, Result } from './task.ts'

const heads = [
  'detector',
  'age',
  'posts',
  'stagnant',
  'AUC',
  'Brier',
  'precision',
  'false alarms',
  'cannot tell',
]

export function tableOf(results: readonly Result[]): string {
  const [first] = results
  if (first === undefined) return ''
  const lines = results.flatMap((result) => [
    [result.detector, 'all', ...cellsOf(result), percent(result.insufficient)],
    ...result.ages.map((age) => ['', `${age.ageHours} h`, ...cellsOf(age), '']),
  ])
  const flagged = results.map((result) => [
    result.detector,
    percent(result.everFlaggedStagnant),
    percent(result.everFlaggedHealthy),
    decimal(result.everThreshold),
  ])
  return [
    `${first.dataset}: ${first.pastPosts} past posts; precision and false alarms at recall 80 %`,
    ...aligned([heads, ...lines]),
    '',
    `Ever flagged by ${looksInARow} looks in a row, of ${lookHours.length} looks in 48 h, ` +
      `at the threshold that reaches ${percent(everRecall)} of the stagnant`,
    ...aligned([['detector', 'stagnant', 'healthy', 'threshold'], ...flagged]),
    '',
  ].join('\n')
}

function cellsOf(figures: Figures): readonly string[] {
  return [
    String(figures.posts),
    String(figures.stagnant),
    decimal(figures.auc),
    decimal(figures.brier),
    percent(figures.precisionAtRecall80),
    percent(figures.falseAlarmsAtRecall80),
  ]
}

function decimal(value: number | null): string {
  return value === null ? '–' : value.toFixed(4)
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}

/** The first column to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = (rows[0] ?? []).length
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
