/** Owns one uPlot on the page: made, resized, repainted in the theme of now, and taken away. */

import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../shell/theme.ts'
import { readColours } from './colours.ts'
import type { ColourName } from './colours.ts'

export type Palette = (name: ColourName, opacity?: number) => string

export interface PlotProps {
  /** What it shows, in words. */
  readonly label: string
  readonly heightPx: number
  readonly data: uPlot.AlignedData
  /** Keep it stable: a new one builds the chart anew. */
  readonly options: (colour: Palette) => Omit<uPlot.Options, 'width' | 'height'>
}

export function Plot({ label, heightPx, data, options }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const size = () => ({ width: Math.max(200, element.clientWidth), height: heightPx })
    const chart = new uPlot({ ...options(readColours(element)), ...size() }, data, element)
    const observer = new ResizeObserver(() => chart.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
    // A new theme has new colours, so the chart is painted anew.
  }, [data, options, heightPx, theme])
  return <div ref={host} role="img" aria-label={label} className="chart" />
}

/** Axes that look alike on every chart. */
export function axesOf(colour: Palette, formatValue: (value: number) => string): uPlot.Axis[] {
  const shared = {
    stroke: colour('ink-faint'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  return [
    { ...shared, grid: { show: false }, space: 70 },
    { ...shared, size: 46, values: (_, splits) => splits.map(formatValue) },
  ]
}
