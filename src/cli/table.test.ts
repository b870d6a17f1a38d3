/** Tables fit the terminal, and what comes from a network cannot break them. */

import { expect, test } from 'vitest'
import { formatTable } from './table.ts'

interface Row {
  readonly name: string
  readonly count: number
}
const columns = [
  { title: 'name', value: ({ name }: Row) => name, isFlexible: true },
  { title: 'count', value: ({ count }: Row) => String(count), align: 'right' as const },
]

test('columns are as wide as they need to be, numbers to the right', () => {
  const rows = [
    { name: 'a', count: 5 },
    { name: 'bcd', count: 123_456 },
  ]
  expect(formatTable(rows, columns, 80)).toBe(
    ['name   count', 'a          5', 'bcd   123456'].join('\n'),
  )
})

test('no line is longer than the terminal, and what was cut says so', () => {
  const lines = formatTable([{ name: 'x'.repeat(200), count: 1 }], columns, 40).split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBe(40)
  expect(lines[1]).toContain('…')
})

test('wide characters take two columns, and are not cut in half', () => {
  const page = formatTable([{ name: '猫'.repeat(40), count: 1 }], columns, 40)
  const [, line = ''] = page.split('\n')
  expect(line).toBe(`${'猫'.repeat(16)}…      1`)
})

test('a text with line breaks and escapes stays one plain line', () => {
  const page = formatTable([{ name: 'a\nb\u0007\u0085c', count: 1 }], columns, 80)
  expect(page.split('\n')).toHaveLength(2)
  expect(page).toContain('a b c')
})
