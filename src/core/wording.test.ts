/** Tests how numbers are written for people. */

import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from './duration.ts'
import { never, untilEvent, untilTime } from './until.ts'
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatScore,
  formatUntil,
  plural,
} from './wording.ts'

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [999, '999'],
    [1000, '1,000'],
    [1_234_567, '1,234,567'],
    [2.5, '2.5'],
    [1234.25, '1,234.25'],
  ])('writes %d', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })
})

describe('formatScore', () => {
  it.each([
    [0, '0.000'],
    [1, '1.000'],
    [0.55, '0.550'],
    [0.8, '0.800'],
    [0.7999, '0.799'],
    [0.7999999, '0.799'],
    [0.3 - Number.EPSILON, '0.300'],
    [1 - 0.7, '0.300'],
  ])('writes %d', (score, text) => {
    expect(formatScore(score)).toBe(text)
  })
})

describe('formatPercent', () => {
  it.each([
    [0, '0 %'],
    [1, '100 %'],
    [0.5, '50 %'],
    [0.05, '5.0 %'],
    [0.01415, '1.4 %'],
    [0.0999, '10 %'],
    [0.00052, '0.052 %'],
    [2.5, '250 %'],
  ])('writes %d', (share, text) => {
    expect(formatPercent(share)).toBe(text)
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [0.4, '0 s'],
    [1, '1 ms'],
    [1500, '1 s 500 ms'],
    [59 * secondMs, '59 s'],
    [90 * minuteMs, '1 h 30 min'],
    [2 * hourMs + 5 * minuteMs + 9 * secondMs, '2 h 5 min'],
    [dayMs + 5 * minuteMs, '1 d'],
    [3 * dayMs, '3 d'],
    [3 * dayMs + 23 * hourMs, '3 d 23 h'],
    [-minuteMs, '-1 min'],
    [-(2 * hourMs + 5 * minuteMs), '-2 h 5 min'],
  ])('writes %d', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })
})

describe('plural', () => {
  it.each([
    [0, '0 actions'],
    [1, '1 action'],
    [2, '2 actions'],
    [1000, '1,000 actions'],
  ])('writes %d', (count, text) => {
    expect(plural(count, 'action')).toBe(text)
  })
})

describe('formatUntil', () => {
  it.each([
    [untilTime(1500), 'possible again at 1970-01-01T00:00:01.500000+00:00'],
    [untilEvent('resume'), 'until someone resumes it'],
    [untilEvent('next_look'), 'until the next look'],
    [untilEvent('action_ended'), 'until the open action ends'],
    [untilEvent('next_sample'), 'until a newer sample shows otherwise'],
    [untilEvent('review'), 'until a person has reviewed it'],
    [untilEvent('approval'), 'until a person decides'],
    [never, 'not possible any more'],
  ])('writes %j', (until, text) => {
    expect(formatUntil(until)).toBe(text)
  })
})
