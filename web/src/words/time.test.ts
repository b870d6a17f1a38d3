import { describe, expect, it } from 'vitest'
import { formatDuration, formatFromNow, formatRoughly } from './time.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [45_000, '45 s'],
    [2 * hourMs + 5 * minuteMs + 1000, '2 h 5 min'],
    [24 * hourMs + 59 * minuteMs, '1 d'],
  ])('%i ms has at most two units that follow each other', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })

  it('takes one unit for a glance, and never rounds up', () => {
    expect(formatRoughly(2 * hourMs - 1)).toBe('1 h')
  })
})

describe('distances from now', () => {
  it('says which side of now a time lies on', () => {
    expect(formatFromNow(0, 3 * hourMs)).toBe('3 h ago')
    expect(formatFromNow(5 * minuteMs, 0)).toBe('in 5 min')
    expect(formatFromNow(1000, 0)).toBe('now')
  })
})
