/** Owns the curve of a post: what it gained, what was expected, and where something was done. */

import { useCallback, useMemo, useState } from 'react'
import type uPlot from 'uplot'
import type { BandPointView } from '../../../src/server/schema/lift.ts'
import type { SampleView } from '../../../src/server/schema/sample.ts'
import { formatCompact, formatCount } from '../words/numbers.ts'
import { formatMoment } from '../words/time.ts'
import { describeGrowth, layOutGrowth } from './growth-data.ts'
import type { GrowthData } from './growth-data.ts'
import { axesOf, Plot } from './plot.tsx'
import type { Palette } from './plot.tsx'

export interface Mark {
  /** Epoch milliseconds. */
  readonly at: number
  readonly label: string
}

export interface GrowthChartProps {
  /** ISO 8601. */
  readonly publishedAt: string
  readonly samples: readonly SampleView[]
  readonly band: readonly BandPointView[]
  readonly marks: readonly Mark[]
}

export function GrowthChart({ publishedAt, samples, band, marks }: GrowthChartProps) {
  const data = useMemo(
    () => layOutGrowth(Date.parse(publishedAt), samples, band),
    [publishedAt, samples, band],
  )
  const aligned = useMemo(() => toColumns(data), [data])
  const [index, setIndex] = useState<number | null>(null)
  const options = useCallback((colour: Palette) => growthOptions(colour, marks, setIndex), [marks])
  return (
    <figure className="grid gap-2">
      <Plot label={describeGrowth(data)} heightPx={260} data={aligned} options={options} />
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs">
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft">
          <span>
            <i className="swatch bg-accent" /> engagements
          </span>
          <span>
            <i className="swatch bg-line-strong" /> expected band, and the middle of past posts
          </span>
          {marks.length > 0 ? (
            <span>
              <i className="swatch bg-warn" /> something was done
            </span>
          ) : null}
        </span>
        <span className="chart-readout">{describePoint(data, index)}</span>
      </figcaption>
      <GrowthTable data={data} marks={marks} />
    </figure>
  )
}

function toColumns({ seconds, engagements, low, middle, high }: GrowthData): uPlot.AlignedData {
  return [[...seconds], [...high], [...low], [...middle], [...engagements]]
}

function growthOptions(
  colour: Palette,
  marks: readonly Mark[],
  onPoint: (index: number | null) => void,
): Omit<uPlot.Options, 'width' | 'height'> {
  const bandLine = { stroke: colour('ink-faint', 0.14), width: 1, points: { show: false } }
  return {
    padding: [14, 28, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    scales: { y: { range: (_, __, highest) => [0, Math.max(4, highest * 1.08)] } },
    axes: axesOf(colour, formatCompact),
    series: [
      {},
      bandLine,
      bandLine,
      { stroke: colour('ink-faint'), width: 1, dash: [4, 4], points: { show: false } },
      {
        stroke: colour('accent'),
        width: 2,
        spanGaps: true,
        points: { show: true, size: 4, fill: colour('accent') },
      },
    ],
    bands: [{ series: [1, 2], fill: colour('ink-faint', 0.14) }],
    hooks: {
      draw: [(chart) => drawMarks(chart, marks, colour('warn'))],
      setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)],
    },
  }
}

function drawMarks(chart: uPlot, marks: readonly Mark[], colour: string): void {
  const { ctx, bbox } = chart
  const scale = devicePixelRatio
  ctx.save()
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.lineWidth = scale
  ctx.font = `${11 * scale}px system-ui, sans-serif`
  for (const { at, label } of marks) {
    const x = Math.round(chart.valToPos(at / 1000, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const isNearEnd = x > bbox.left + bbox.width * 0.8
    ctx.textAlign = isNearEnd ? 'right' : 'left'
    ctx.fillText(label, x + (isNearEnd ? -4 : 4) * scale, bbox.top + 10 * scale)
  }
  ctx.restore()
}

function describePoint(data: GrowthData, index: number | null): string {
  if (index === null) return ''
  const second = data.seconds[index]
  if (second === undefined) return ''
  const count = data.engagements[index]
  const middle = data.middle[index]
  const parts = [
    formatMoment(second * 1000),
    typeof count === 'number' ? `${formatCount(count)} engagements` : '',
    typeof middle === 'number' ? `${formatCount(Math.round(middle))} expected` : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

interface GrowthTableProps {
  readonly data: GrowthData
  readonly marks: readonly Mark[]
}

/** The same as numbers, for those who cannot or do not want to read a curve. */
function GrowthTable({ data, marks }: GrowthTableProps) {
  const rows = data.seconds.flatMap((second, index) => {
    const count = data.engagements[index]
    return typeof count === 'number' ? [{ second, count, index }] : []
  })
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-ink-soft">The same as a table</summary>
      <div className="mt-2 max-h-72 overflow-auto" role="group" tabIndex={0} aria-label="Samples">
        <table className="table">
          <caption className="sr-only">Engagements at each sample, and what was expected</caption>
          <thead>
            <tr>
              <th scope="col">Sample</th>
              <th scope="col">Engagements</th>
              <th scope="col">Expected</th>
              <th scope="col">Done since the sample before</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ second, count, index }, place) => (
              <tr key={second}>
                <td>{formatMoment(second * 1000)}</td>
                <td>{formatCount(count)}</td>
                <td>{wordBand(data, index)}</td>
                <td>{marksBetween(marks, rows[place - 1]?.second ?? 0, second)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function wordBand(data: GrowthData, index: number): string {
  const [low, high] = [data.low[index], data.high[index]]
  if (typeof low !== 'number' || typeof high !== 'number') return 'not known'
  return `${formatCount(Math.round(low))} to ${formatCount(Math.round(high))}`
}

function marksBetween(marks: readonly Mark[], from: number, to: number): string {
  return marks
    .filter(({ at }) => at / 1000 > from && at / 1000 <= to)
    .map(({ label }) => label)
    .join(', ')
}
