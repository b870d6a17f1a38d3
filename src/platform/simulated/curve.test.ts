/** Shows that curves have the shapes that their names promise. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import { activeTime, curveKinds, drawCurve, shareGained, shareShown } from './curve.ts'
import type { Curve, CurveKind } from './curve.ts'
import { seededRandom } from './seeded-random.ts'

function curves(kind: CurveKind): readonly Curve[] {
  const stream = seededRandom(kind)
  return Array.from({ length: 200 }, () => drawCurve(kind, stream))
}

function meanShare(kind: CurveKind, ageMs: number): number {
  const all = curves(kind)
  return all.reduce((sum, curve) => sum + shareGained(curve, ageMs), 0) / all.length
}

describe('a curve', () => {
  it.each(curveKinds)('of the %s kind grows from 0 to 1 and never falls', (kind) => {
    for (const curve of curves(kind)) {
      for (const share of [shareGained, shareShown]) {
        expect(share(curve, -hourMs)).toBe(0)
        const ages = Array.from({ length: 400 }, (_, index) => index * 15 * minuteMs)
        const steps = ages.map((age) => share(curve, age + 15 * minuteMs) - share(curve, age))
        expect(Math.min(...steps)).toBeGreaterThanOrEqual(0)
        expect(share(curve, 10_000 * dayMs)).toBeCloseTo(1, 2)
      }
    }
  })

  it('fades: the first hour brings more than the tenth', () => {
    for (const curve of curves('usual')) {
      const first = shareGained(curve, hourMs)
      expect(first).toBeGreaterThan(
        shareGained(curve, 10 * hourMs) - shareGained(curve, 9 * hourMs),
      )
    }
  })

  it('dies early where it stalls, and is found late where it is late', () => {
    expect(meanShare('stalled', hourMs)).toBeGreaterThan(0.7)
    expect(meanShare('usual', hourMs)).toBeLessThan(0.5)
    expect(meanShare('late', 4 * hourMs)).toBeLessThan(0.3)
    expect(meanShare('late', 3 * dayMs)).toBeGreaterThan(0.9)
  })

  it('shows a post for longer than people react to it', () => {
    for (const curve of curves('stalled')) {
      expect(shareShown(curve, hourMs)).toBeLessThan(shareGained(curve, hourMs))
    }
  })
})

describe('active time', () => {
  const noon = Date.UTC(2026, 2, 2, 12)

  it('never runs backwards, and is a day a day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: dayMs }),
        (at, by) => {
          expect(activeTime(at + by, 0)).toBeGreaterThan(activeTime(at, 0))
          expect(activeTime(at + dayMs, 0) - activeTime(at, 0)).toBeCloseTo(dayMs, 0)
        },
      ),
    )
  })

  it('passes faster at the peak than half a day later', () => {
    const hourFrom = (at: number) =>
      activeTime(at + hourMs, 12 * hourMs) - activeTime(at, 12 * hourMs)
    expect(hourFrom(noon)).toBeGreaterThan(1.4 * hourMs)
    expect(hourFrom(noon + dayMs / 2)).toBeLessThan(0.6 * hourMs)
  })
})
