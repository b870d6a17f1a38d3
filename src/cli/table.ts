/** Lays rows out in columns that fit the reader's terminal. */

import { stripVTControlCharacters } from 'node:util'

export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string
  /** Colours the cell, after everything else in it was made harmless. */
  readonly paint?: (cell: string, row: Row) => string
  readonly align?: 'left' | 'right'
  /** May be cut short where the line is too long; the widest of these is cut first. */
  readonly isFlexible?: boolean
}

const gap = '  '
const shortest = 8

export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string {
  const cells = rows.map((row) =>
    columns.map(({ value, paint = (cell) => cell }) => paint(oneLine(value(row)), row)),
  )
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => widthOf(line[index] ?? ''))),
  )
  fit(widths, columns, width)
  const head = columns.map(({ title }) => title)
  return [head, ...cells]
    .map((line) => line.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align)))
    .map((line) => line.join(gap).trimEnd())
    .join('\n')
}

/** Takes from the widest column that may give, until the line fits or none can give more. */
function fit<Row>(widths: number[], columns: readonly Column<Row>[], width: number): void {
  const gaps = gap.length * (columns.length - 1)
  const total = () => widths.reduce((sum, each) => sum + each, gaps)
  while (total() > width) {
    let widest = -1
    for (const [index, column] of columns.entries()) {
      const isWider = (widths[index] ?? 0) > (widths[widest] ?? shortest)
      if (column.isFlexible === true && isWider) widest = index
    }
    if (widest === -1) return
    widths[widest] = Math.max(shortest, (widths[widest] ?? 0) - (total() - width))
  }
}

function pad(cell: string, width: number, align: Column<unknown>['align'] = 'left'): string {
  const shown = widthOf(cell) > width ? `${cut(cell, width - 1)}…` : cell
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return align === 'left' ? shown + space : space + shown
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u

/** In columns of a terminal, without what only changes colours. */
function widthOf(cell: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(stripVTControlCharacters(cell))) {
    width += wide.test(segment) ? 2 : 1
  }
  return width
}

/** As much of it as fits; colours are lost with what is cut. */
function cut(cell: string, width: number): string {
  let text = ''
  let room = width
  for (const { segment } of graphemes.segment(stripVTControlCharacters(cell))) {
    room -= wide.test(segment) ? 2 : 1
    if (room < 0) break
    text += segment
  }
  return text
}

/** What comes from a network may hold anything; a line stays a line, and steers no terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
