import { describe, expect, it } from 'vitest'
import { unitFor } from './duration-input.tsx'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('unitFor', () => {
  it.each([
    [30_000, 's'],
    [90 * minuteMs, 'min'],
    [6 * hourMs, 'h'],
    [24 * hourMs, 'h'],
    [72 * hourMs, 'd'],
  ])('%i ms is entered in %s', (valueMs, unit) => {
    expect(unitFor(valueMs)).toBe(unit)
  })
})
