import { describe, expect, it } from 'vitest'
import { describeGrowth, layOutGrowth } from './growth-data.ts'

const publishedAt = Date.parse('2026-01-01T00:00:00+00:00')
const minuteMs = 60_000

const sample = (minute: number, engagements: number) => ({
  at: new Date(publishedAt + minute * minuteMs).toISOString(),
  impressions: null,
  engagements,
  interactions: null,
})
const bandPoint = (minute: number, middle: number) => ({
  ageMs: minute * minuteMs,
  curves: 30,
  ownCurves: 30,
  low: middle / 2,
  middle,
  high: middle * 2,
})

describe('layOutGrowth', () => {
  it('reads the band at each sample on the line between two known ages', () => {
    const data = layOutGrowth(publishedAt, [sample(45, 7)], [bandPoint(30, 10), bandPoint(60, 20)])
    const index = data.engagements.indexOf(7)
    expect(data.seconds[index]).toBe((publishedAt + 45 * minuteMs) / 1000)
    expect(data.middle[index]).toBe(15)
  })

  it('claims nothing about ages the band does not reach', () => {
    const data = layOutGrowth(publishedAt, [sample(10, 1), sample(90, 3)], [bandPoint(30, 10)])
    expect(data.middle[data.engagements.indexOf(1)]).toBeNull()
    expect(data.middle[data.engagements.indexOf(3)]).toBeNull()
  })

  it('leaves out ages far beyond the last sample', () => {
    const band = [bandPoint(30, 10), bandPoint(7 * 24 * 60, 900)]
    const data = layOutGrowth(publishedAt, [sample(30, 5)], band)
    expect(data.seconds).toEqual([(publishedAt + 30 * minuteMs) / 1000])
  })
})

describe('describeGrowth', () => {
  it('says where the post stands against the band', () => {
    const band = [bandPoint(30, 10), bandPoint(60, 20)]
    expect(describeGrowth(layOutGrowth(publishedAt, [sample(60, 3)], band))).toBe(
      '3 engagements at the last sample, below the expected band: 10 to 40 is usual at that age.',
    )
  })

  it('does not call a post healthy where nothing is known', () => {
    expect(describeGrowth(layOutGrowth(publishedAt, [sample(60, 3)], []))).toContain('too few')
    expect(describeGrowth(layOutGrowth(publishedAt, [], []))).toBe('No sample was taken yet.')
  })
})
