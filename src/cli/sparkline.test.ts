/** Curves are drawn to scale, in as many columns as there are. */

import { expect, test } from 'vitest'
import { chart, sparkline, thin } from './sparkline.ts'

test('the lowest and the highest are at the ends of the scale', () => {
  expect(sparkline([0, 1, 2, 7])).toBe('▁▂▃█')
  expect(sparkline([3, 3, 3])).toBe('▁▁▁')
  expect(sparkline([])).toBe('')
})

test('many points are thinned evenly, the last one always kept', () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  expect(thin(items, 5)).toEqual([0, 25, 50, 74, 99])
  expect(sparkline(items, 10)).toHaveLength(10)
})

test('a chart has its points at their heights and the usual band behind them', () => {
  const points = [0, 50, 100].map((value, at) => ({ at, value, band: [40, 60] as const }))
  expect(chart(points, 20, 4).split('\n')).toEqual([
    '100 │  ●',
    '    │░●░',
    '    │░░░',
    '  0 │●',
    '    └───',
  ])
})
