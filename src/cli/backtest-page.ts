/** Owns the words of a backtest: figures with what they are figures of. */

import type { Comparison, Split } from '../engine/backtest/compare.ts'
import type { AgeFigures, BacktestReport, Share } from '../engine/backtest/report.ts'
import { formatCount, formatDuration, formatPercent, plural } from '../core/wording.ts'

/** How many of the reasons for doing nothing are worth a line. */
const shownReasons = 6

export function describeReport(report: BacktestReport): string {
  const { byAction, medianFirstAgeMs: median } = report
  const kinds = Object.entries(byAction).map(([name, count]) => plural(count, name))
  const first = median === null ? '' : `, first at ${formatDuration(median)} in the middle`
  const reasons = Object.entries(report.reasons)
    .slice(0, shownReasons)
    .map(([name, count]) => `${name} ${formatCount(count)}`)
  return [
    `${report.policy}: ${plural(report.posts, 'post')}, ${plural(report.looks, 'look')}`,
    `  would have done    ${plural(report.actions, 'action')} (${kinds.join(', ')})`,
    `  acted on           ${describeShare(report.actedOn)} of the posts${first}`,
    `  healthy bothered   ${describeShare(report.healthyBothered)} of those healthy at 1 h`,
    `  recall             ${describeShare(report.stagnantReached)} of those stagnant at 1 h`,
    `  precision          ${describeShare(report.precision)} were stagnant when first acted on`,
    `  cannot be graded   ${plural(report.ungraded, 'post')} (not read to 48 h, or too few before)`,
    `  never judged       ${plural(report.neverScored, 'post')}`,
    `  held or lacking    ${reasons.length === 0 ? 'nothing' : `${reasons.join(', ')} (looks)`}`,
    '',
    '  taken for stalled at   precision              recall                 false alarms',
    ...report.ages.map(describeAge),
  ].join('\n')
}

export function describeComparison(comparison: Comparison): string {
  const { first, second, all, healthy, stagnant, earlierByMs: lead } = comparison
  const lines = [
    `${first} and ${second} side by side, in posts acted on`,
    `  ${'by'.padEnd(22)}${columns('both', `only ${first}`, `only ${second}`, 'neither')}`,
    describeSplit('all posts', all),
    describeSplit('healthy at 1 h', healthy),
    describeSplit('stagnant at 1 h', stagnant),
  ]
  if (lead !== null) {
    const which = lead < 0 ? 'later' : 'earlier'
    const by = formatDuration(Math.abs(lead))
    lines.push(`  where both act, ${first} does so ${by} ${which} in the middle`)
  }
  return lines.join('\n')
}

function describeSplit(name: string, { both, onlyFirst, onlySecond, neither }: Split): string {
  const counts = [both, onlyFirst, onlySecond, neither].map(formatCount)
  return `  ${name.padEnd(22)}${columns(...counts)}`
}

function columns(...cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(18)).join('')
}

function describeAge({ ageHours, precision, recall, falseAlarms }: AgeFigures): string {
  const name = ageHours === null ? 'all ages' : `${ageHours} h`
  const cells = [precision, recall, falseAlarms].map((share) => describeShare(share).padEnd(23))
  return `  ${name.padEnd(23)}${cells.join('')}`.trimEnd()
}

function describeShare({ count, of, share }: Share): string {
  const percent = share === null ? '–' : formatPercent(share)
  return `${percent} (${formatCount(count)} of ${formatCount(of)})`
}
