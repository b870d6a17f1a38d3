/** Shows how posts are distributed. */

import { describe, expect, it } from 'vitest'
import { drawForm, standardForms } from './form.ts'
import type { Form, FormWish } from './form.ts'
import { seededRandom } from './seeded-random.ts'

const counters = ['likes', 'replies', 'reposts']

function forms(count: number, wish: FormWish = {}): readonly Form[] {
  return Array.from({ length: count }, (_, index) =>
    drawForm(seededRandom(`post ${index}`), standardForms, counters, 60, wish),
  )
}

describe('the forms of posts', () => {
  const all = forms(5000)
  const totals = all.map(({ total }) => total).toSorted((a, b) => a - b)
  const at = (share: number) => totals[Math.floor(share * totals.length)] ?? 0

  it('have totals with a heavy tail around the account’s usual', () => {
    expect(at(0.5)).toBeGreaterThan(30)
    expect(at(0.5)).toBeLessThan(90)
    expect(at(0.99) / at(0.5)).toBeGreaterThan(7)
    expect(at(0.9999) / at(0.5)).toBeGreaterThan(30)
  })

  it('come in the kinds that were asked for', () => {
    const share = (kind: string) =>
      all.filter(({ curve }) => curve.kind === kind).length / all.length
    expect(share('usual')).toBeCloseTo(0.6, 1)
    expect(share('stalled')).toBeCloseTo(0.3, 1)
    expect(share('late')).toBeCloseTo(0.1, 1)
  })

  it('divide all engagements among the counters', () => {
    for (const { shares } of all) {
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
      expect(Math.min(...shares)).toBeGreaterThan(0)
    }
  })

  it('are disputed or purged now and then', () => {
    const disputed = all.filter(({ shares }) => (shares[1] ?? 0) > (shares[0] ?? 0))
    expect(disputed.length / all.length).toBeCloseTo(standardForms.disputedShare, 2)
    const purged = all.filter(({ purge }) => purge !== null)
    expect(purged.length / all.length).toBeCloseTo(standardForms.purgedShare, 2)
  })

  it('keep everything else where one thing is wished for', () => {
    const wished = forms(50, { total: 7 })
    for (const [index, form] of wished.entries()) {
      const { curve, shares, begins, purge } = all[index] as Form
      expect(form.total).toBe(7)
      expect(form).toMatchObject({ curve, shares, begins, purge })
    }
    expect(forms(20, { kind: 'late' }).every(({ curve }) => curve.kind === 'late')).toBe(true)
  })
})
