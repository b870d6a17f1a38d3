import { describe, expect, it } from 'vitest'
import { sparkPath } from './spark-path.ts'

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00+00:00`

describe('sparkPath', () => {
  it('places points by their time, so that a gap shows', () => {
    const points = [0, 10, 40].map((minute) => ({ at: at(minute), engagements: minute }))
    expect(sparkPath(points, 80, 24)?.line).toBe('M0.0 22.0L20.0 17.0L80.0 2.0')
  })

  it('draws a post without any engagement as a line at the bottom', () => {
    const points = [0, 10].map((minute) => ({ at: at(minute), engagements: 0 }))
    expect(sparkPath(points, 80, 24)?.line).toBe('M0.0 22.0L80.0 22.0')
  })

  it('draws nothing from one sample, or from two at the same time', () => {
    expect(sparkPath([{ at: at(0), engagements: 3 }], 80, 24)).toBeNull()
    const same = [1, 2].map((engagements) => ({ at: at(0), engagements }))
    expect(sparkPath(same, 80, 24)).toBeNull()
  })
})
