/** Owns the chart of a dry run: posts and actions by day, with a table behind it. */

import { useMemo } from 'react'
import uPlot from 'uplot'
import type { DryRunView } from '../../../../src/server/schema/policy.ts'
import { axesOf, Plot } from '../../charts/plot.tsx'
import type { Palette } from '../../charts/plot.tsx'
import { plural } from '../../words/numbers.ts'
import { formatMoment } from '../../words/time.ts'
import { countByDay } from './dry-run-data.ts'
import type { DryRunDay } from './dry-run-data.ts'

export function DryRunChart({ view }: { readonly view: DryRunView }) {
  const days = useMemo(() => countByDay(view.outcomes), [view])
  const data = useMemo((): uPlot.AlignedData => toColumns(days), [days])
  if (days.length === 0) return null
  const label = `${plural(view.report.actions, 'action')} over ${plural(days.length, 'day')}.`
  return (
    <figure className="grid gap-2">
      <Plot label={label} heightPx={150} data={data} options={dryRunOptions} />
      <figcaption className="flex gap-4 text-xs text-ink-soft">
        <span>
          <i className="swatch bg-line-strong" /> posts
        </span>
        <span>
          <i className="swatch bg-accent" /> actions it would have taken
        </span>
      </figcaption>
      <details className="text-sm">
        <summary className="cursor-pointer text-ink-soft">The same as a table</summary>
        <div className="mt-2 max-h-60 overflow-auto" role="group" tabIndex={0} aria-label="By day">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Posts</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, posts, actions }) => (
                <tr key={day}>
                  <td>{formatMoment(day)}</td>
                  <td>{posts}</td>
                  <td>{actions}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function toColumns(days: readonly DryRunDay[]): uPlot.AlignedData {
  return [
    days.map(({ day }) => day / 1000),
    days.map(({ posts }) => posts),
    days.map(({ actions }) => actions),
  ]
}

const halfDaySeconds = 43_200

function dryRunOptions(colour: Palette): Omit<uPlot.Options, 'width' | 'height'> {
  const bars = uPlot.paths.bars
  const wide = bars?.({ size: [0.8, 40] })
  const narrow = bars?.({ size: [0.45, 22] })
  return {
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Half a day on either side, so that the first and the last bar are whole.
      x: { range: (_, from, to) => [from - halfDaySeconds, to + halfDaySeconds] },
      y: { range: (_, __, highest) => [0, Math.max(2, highest * 1.1)] },
    },
    axes: axesOf(colour, String),
    series: [
      {},
      {
        fill: colour('ink-faint', 0.14),
        stroke: colour('ink-faint', 0.14),
        points: { show: false },
        ...(wide === undefined ? {} : { paths: wide }),
      },
      {
        fill: colour('accent'),
        stroke: colour('accent'),
        points: { show: false },
        ...(narrow === undefined ? {} : { paths: narrow }),
      },
    ],
  }
}
