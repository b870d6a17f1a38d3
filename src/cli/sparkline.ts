/** Draws numbers as a line of blocks, and as a chart of a few lines. */

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

export function sparkline(values: readonly number[], width = values.length): string {
  const shown = thin(values, width)
  const low = Math.min(...shown)
  const high = Math.max(...shown)
  const block = (value: number) =>
    blocks[high === low ? 0 : Math.round(((value - low) / (high - low)) * (blocks.length - 1))]
  return shown.map(block).join('')
}

/** Evenly, with the last one always among them. */
export function thin<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  return Array.from(
    { length: most },
    (_, index) => items[Math.round((index * (items.length - 1)) / (most - 1))] as Item,
  )
}

export interface ChartPoint {
  readonly at: number
  readonly value: number
  /** What was usual at this age: from a tenth to nine tenths of past posts. */
  readonly band: readonly [low: number, high: number] | null
}

/** Points as dots, the usual band as a shade behind them. */
export function chart(points: readonly ChartPoint[], width: number, height: number): string {
  const most = Math.max(1, ...points.map(({ value, band }) => Math.max(value, band?.[1] ?? 0)))
  const label = String(Math.round(most)).length
  const columns = thin(points, Math.max(2, width - label - 2))
  const row = (value: number) => Math.min(height - 1, Math.floor((value / most) * height))
  const lines: string[] = []
  for (let line = height - 1; line >= 0; line -= 1) {
    const cells = columns.map(({ value, band }) => {
      if (row(value) === line) return '●'
      const isUsual = band !== null && row(band[0]) <= line && line <= row(band[1])
      return isUsual ? '░' : ' '
    })
    const mark = line === height - 1 ? String(Math.round(most)) : line === 0 ? '0' : ''
    lines.push(`${mark.padStart(label)} │${cells.join('')}`.trimEnd())
  }
  return [...lines, `${' '.repeat(label)} └${'─'.repeat(columns.length)}`].join('\n')
}
