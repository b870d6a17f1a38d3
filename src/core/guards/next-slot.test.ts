/** Tests that slots are as early as the budget allows, and never promise more than it (I2). */

import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../duration.ts'
import { limitsOf } from './account-budget.ts'
import { claimedWithinMs, nextSlot } from './next-slot.ts'
import { countInWindow } from './sliding-window.ts'

const now = Date.UTC(2026, 2, 2, 12)
const limits = limitsOf({ perHour: 2, perDay: 5 })
const claimAt = (at: number) => ({ at, count: 1 })

function slotAfter(claims: readonly number[], reserved: readonly number[]) {
  return nextSlot(limits, { claims: claims.map(claimAt), reserved }, now)
}

describe('nextSlot', () => {
  it('is now, where there is room', () => {
    expect(slotAfter([], [])).toBe(now)
    expect(slotAfter([now - minuteMs], [])).toBe(now)
    expect(slotAfter([now - hourMs - 1, now - hourMs - 1], [now])).toBe(now)
  })

  it('is when the guard would let one through, where nothing is reserved', () => {
    const claims = [now - 50 * minuteMs, now - 20 * minuteMs]
    const guard = countInWindow(claims.map(claimAt), now, hourMs, 2)
    expect(guard.until).toEqual({ kind: 'time', at: now + 10 * minuteMs + 1 })
    expect(slotAfter(claims, [])).toBe(now + 10 * minuteMs + 1)
  })

  it('leaves what is reserved the time in which it is claimed', () => {
    expect(slotAfter([], [now, now])).toBe(now + claimedWithinMs + hourMs + 1)
    expect(slotAfter([now, now], [])).toBe(now + hourMs + 1)
  })

  it('takes what is overdue as due now', () => {
    expect(slotAfter([], [now - dayMs, now - dayMs])).toBe(now + claimedWithinMs + hourMs + 1)
  })

  it('takes no time away that is reserved later', () => {
    const later = now + 30 * minuteMs
    expect(slotAfter([], [later])).toBe(now)
    expect(slotAfter([], [later, later])).toBe(later + claimedWithinMs + hourMs + 1)
    expect(slotAfter([], [now, later])).toBe(now + claimedWithinMs + hourMs + 1)
  })

  it('gives back what was cancelled', () => {
    const second = now + claimedWithinMs + hourMs + 1
    expect(slotAfter([], [now, now, second, second])).toBeGreaterThan(second)
    expect(slotAfter([], [now, second, second])).toBe(now)
    expect(slotAfter([], [now, now, second])).toBe(second)
  })

  it('counts the day as well', () => {
    const claims = [23, 20, 16, 12, 8].map((hours) => now - hours * hourMs)
    expect(slotAfter(claims, [])).toBe(now + hourMs + 1)
  })

  it('goes on after a time to which more were put off than fit', () => {
    const morning = now + 19 * hourMs
    const reserved = Array.from({ length: 4 }, () => morning)
    expect(slotAfter([], reserved)).toBe(now)
    expect(slotAfter([], [now, now, ...reserved])).toBeGreaterThan(morning)
  })

  it('is nowhere, where nothing is allowed', () => {
    for (const perHour of [0, 1]) {
      const none = limitsOf({ perHour, perDay: perHour === 0 ? 9 : 0 })
      expect(nextSlot(none, { claims: [], reserved: [] }, now)).toBeNull()
    }
  })

  it('lets every claim pass the guard that comes within its minute', () => {
    const lateness = integer({ min: 0, max: claimedWithinMs })
    const past = integer({ min: 1, max: dayMs })
    assert(
      property(
        integer({ min: 1, max: 4 }),
        integer({ min: 1, max: 9 }),
        array(past, { maxLength: 3 }),
        array(lateness, { minLength: 1, maxLength: 20 }),
        (perHour, perDay, ages, latenesses) => {
          const budget = limitsOf({ perHour, perDay })
          const claims = ages.map((ageMs) => claimAt(now - ageMs))
          const reserved: number[] = []
          for (const _ of latenesses) {
            reserved.push(nextSlot(budget, { claims, reserved }, now) ?? Number.NaN)
          }
          const done = [...claims]
          const times = reserved.map((at, index) => at + (latenesses[index] as number))
          for (const at of times.toSorted((a, b) => a - b)) {
            for (const { windowMs, maximum } of budget) {
              expect(countInWindow(done, at, windowMs, maximum).until).toBeNull()
            }
            done.push(claimAt(at))
          }
        },
      ),
    )
  })
})
