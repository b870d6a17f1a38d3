/** Owns the look of the page: 80 columns, a little colour, small drawings of counters. */

import { styleText } from 'node:util'

const columns = 80
const bars = '▁▂▃▄▅▆▇█'
const glue = '\u{A0}'

export type Colour = Parameters<typeof styleText>[0]

/** Colours text. Where the output is no terminal, or NO_COLOR is set, it stays as it is. */
export function paint(colour: Colour, text: string): string {
  return styleText(colour, text)
}

/** A number and its unit stay together on a line. */
const beforeUnit = /(?<=\d) (?=(?:%|d|h|min|s|ms)(?![a-z]))/g

/** Breaks a paragraph into lines that fit behind a margin. */
export function wrap(paragraph: string, margin: string, hanging = margin): readonly string[] {
  const lines: string[] = []
  let line = margin
  let empty = true
  for (const word of paragraph.replaceAll(beforeUnit, glue).split(' ')) {
    if (!empty && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = hanging
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line].map((text) => text.replaceAll(glue, ' '))
}

/** A rule across the page, with words set into it on the left and a painted word on the right. */
export function rule(left: string, right: string, colour: Colour): string {
  const dashes = '─'.repeat(columns - left.length - right.length - 8)
  const [end, line] = [paint('dim', '──'), paint('dim', dashes)]
  return `${end} ${paint('bold', left)} ${line} ${paint(colour, right)} ${end}`
}

/** One bar a value, the highest as high as a line; nothing gained shows as a dot. */
export function sparkline(values: readonly number[]): string {
  const highest = Math.max(...values)
  return values
    .map((value) => (value === 0 ? '·' : bars[Math.ceil((value / highest) * bars.length) - 1]))
    .join('')
}
