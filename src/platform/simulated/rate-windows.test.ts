/** Shows how calls are counted and turned away. */

import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { RateWindows } from './rate-windows.ts'

const rules = [
  { name: 'calls', windowMs: 5 * minuteMs, maximum: 4, counts: 'every_call' },
  { name: 'writes', windowMs: hourMs, maximum: 2, counts: 'writes' },
] as const

describe('rate windows', () => {
  it('let through as many as there are, then say how long to wait', () => {
    const windows = new RateWindows(rules)
    const answers = [0, 1, 2, 3, 4, 5].map((at) => windows.take(false, at * minuteMs))
    expect(answers).toEqual([null, null, null, null, minuteMs, null])
  })

  it('count writes in both windows, and a write that is refused in none', () => {
    const windows = new RateWindows(rules)
    expect([1, 2, 3].map(() => windows.take(true, 0))).toEqual([null, null, hourMs])
    expect([1, 2, 3].map(() => windows.take(false, 0))).toEqual([null, null, 5 * minuteMs])
    expect(windows.take(true, hourMs)).toBeNull()
  })

  it('tell how full the fullest is', () => {
    const windows = new RateWindows(rules)
    windows.take(true, 0)
    expect(windows.state(minuteMs)).toEqual({ limit: 2, remaining: 1, resetAt: hourMs })
    expect(windows.state(hourMs)).toEqual({ limit: 4, remaining: 4, resetAt: hourMs })
  })

  it('begin anew where the clock was set back', () => {
    const windows = new RateWindows(rules)
    for (let call = 0; call < 4; call += 1) windows.take(false, hourMs)
    expect(windows.take(false, 0)).toBeNull()
  })
})
