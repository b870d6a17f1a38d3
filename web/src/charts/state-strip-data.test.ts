import { describe, expect, it } from 'vitest'
import { layOutStates } from './state-strip-data.ts'

const minuteMs = 60_000
const look = (minute: number, kind: 'healthy' | 'hold' | 'plan' | 'insufficient') => ({
  at: new Date(minute * minuteMs).toISOString(),
  kind,
})
const inMinutes = (end: number, looks: readonly ReturnType<typeof look>[]) =>
  layOutStates(0, end * minuteMs, looks).map(({ kind, from, to }) => [
    kind,
    from / minuteMs,
    to / minuteMs,
  ])

describe('layOutStates', () => {
  it('joins looks that came to the same', () => {
    expect(inMinutes(60, [look(0, 'healthy'), look(20, 'healthy'), look(40, 'hold')])).toEqual([
      ['healthy', 0, 40],
      ['stalled', 40, 60],
    ])
  })

  it('shows a gap where nobody looked, and never as health', () => {
    const looks = [look(0, 'healthy'), look(20, 'healthy'), look(300, 'plan'), look(320, 'plan')]
    expect(inMinutes(340, looks)).toEqual([
      ['healthy', 0, 150],
      ['gap', 150, 300],
      ['stalled', 300, 340],
    ])
  })

  it('is a gap before the first look and where there was none', () => {
    expect(inMinutes(30, [look(10, 'insufficient')])).toEqual([
      ['gap', 0, 10],
      ['insufficient', 10, 30],
    ])
    expect(inMinutes(30, [])).toEqual([['gap', 0, 30]])
  })

  it('takes looks in any order', () => {
    expect(inMinutes(40, [look(20, 'hold'), look(0, 'healthy')])).toEqual([
      ['healthy', 0, 20],
      ['stalled', 20, 40],
    ])
  })
})
