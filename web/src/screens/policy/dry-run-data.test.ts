import { describe, expect, it } from 'vitest'
import { countByDay } from './dry-run-data.ts'

const at = (day: number, hour: number) => new Date(2026, 2, day, hour).toISOString()
const act = (day: number, hour: number) => ({
  at: at(day, hour),
  ageMs: 0,
  action: 'comment' as const,
  tier: 'tier_1' as const,
  score: 0.9,
})

describe('countByDay', () => {
  it('counts posts on the day they were published and actions on theirs', () => {
    const outcomes = [
      { postId: 'a', publishedAt: at(1, 23), text: null, actions: [act(2, 1), act(2, 5)] },
      { postId: 'b', publishedAt: at(1, 2), text: null, actions: [] },
    ]
    expect(countByDay(outcomes)).toEqual([
      { day: new Date(2026, 2, 1).getTime(), posts: 2, actions: 0 },
      { day: new Date(2026, 2, 2).getTime(), posts: 0, actions: 2 },
    ])
  })

  it('shows the days between, on which nothing was done, whatever their length', () => {
    const outcomes = [1, 31].map((day) => ({
      postId: String(day),
      publishedAt: at(day, 12),
      text: null,
      actions: [],
    }))
    expect(countByDay(outcomes)).toHaveLength(31)
  })

  it('is empty without posts', () => {
    expect(countByDay([])).toEqual([])
  })
})
