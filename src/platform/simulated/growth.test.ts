/** Shows that counters are a pure function of time and of what was done. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import { Arrivals } from './arrivals.ts'
import { drawForm, standardForms } from './form.ts'
import type { Form } from './form.ts'
import { Growth } from './growth.ts'
import { seededRandom } from './seeded-random.ts'

const born = Date.UTC(2026, 2, 2, 12)
const counters = ['likes', 'replies', 'reposts']
const arrivals = new Arrivals(seededRandom('arrivals'))
const tame = { ...standardForms, purgedShare: 0 }

function formOf(seed: number, total: number): Form {
  return drawForm(seededRandom(seed), tame, counters, 60, { kind: 'usual', total })
}

function growthOf(form: Form): Growth {
  return new Growth(form, born, 17 * hourMs, counters, arrivals)
}

const moment = fc.integer({ min: -hourMs, max: 10 * dayMs }).map((age) => born + age)

describe('the growth of a post', () => {
  it('is the same however often and in whatever order it was read before', () => {
    fc.assert(
      fc.property(fc.nat(999), fc.array(moment, { maxLength: 20 }), moment, (seed, reads, at) => {
        const [often, once] = [growthOf(formOf(seed, 500)), growthOf(formOf(seed, 500))]
        for (const read of reads) often.read(read)
        expect(often.read(at)).toEqual(once.read(at))
      }),
    )
  })

  it('never falls, counts whole people, and adds up', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const growth = growthOf(formOf(seed, 300))
      expect(growth.read(born - hourMs)).toMatchObject({ engagements: 0, impressions: 0 })
      const reads = Array.from({ length: 250 }, (_, index) =>
        growth.read(born + index * 17 * minuteMs),
      )
      for (const name of counters) {
        const counts = reads.map(({ interactions }) => interactions[name] ?? -1)
        expect(counts).toEqual(counts.toSorted((a, b) => a - b))
        expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
      }
      const sums = reads.map(({ interactions }) =>
        Object.values(interactions).reduce((total, count) => total + count, 0),
      )
      expect(reads.map(({ engagements }) => engagements)).toEqual(sums)
      expect(reads.every((read) => read.impressions >= read.engagements)).toBe(true)
    }
  })

  it('comes to about what was to be expected', () => {
    const ends = Array.from({ length: 300 }, (_, seed) => {
      return growthOf(formOf(seed, 200)).read(born + 1000 * dayMs).engagements
    })
    const mean = ends.reduce((sum, end) => sum + end, 0) / ends.length
    expect(mean).toBeGreaterThan(195)
    expect(mean).toBeLessThan(205)
  })
})

describe('an action on a post', () => {
  const acted = born + 2 * hourMs
  const later = born + 5 * dayMs

  it('multiplies what comes after it and nothing before', () => {
    const form = formOf(1, 100_000)
    const [touched, untouched] = [growthOf(form), growthOf(form)]
    touched.boost(acted, 2)
    expect(touched.read(acted)).toEqual(untouched.read(acted))
    const gain = (growth: Growth) => growth.read(later).engagements - growth.read(acted).engagements
    expect(gain(touched) / gain(untouched)).toBeCloseTo(2, 1)
    expect(touched.readUntouched(later)).toEqual(untouched.read(later))
  })

  it('multiplies with those before it, and can be taken back', () => {
    const form = formOf(2, 100_000)
    const [twice, back, untouched] = [growthOf(form), growthOf(form), growthOf(form)]
    twice.boost(acted, 2)
    twice.boost(acted, 1.5)
    back.boost(acted, 2)
    back.boost(acted + hourMs, 0.5)
    const gain = (growth: Growth) =>
      growth.read(later).engagements - growth.read(acted + hourMs).engagements
    expect(gain(twice) / gain(untouched)).toBeCloseTo(3, 1)
    expect(gain(back) / gain(untouched)).toBeCloseTo(1, 1)
  })

  it('counts the same in whatever order two became known', () => {
    const form = formOf(3, 1000)
    const [forwards, backwards] = [growthOf(form), growthOf(form)]
    forwards.boost(acted, 2)
    forwards.boost(acted + hourMs, 3)
    backwards.boost(acted + hourMs, 3)
    backwards.boost(acted, 2)
    expect(backwards.read(later)).toEqual(forwards.read(later))
  })
})

describe('what is added by hand', () => {
  it('counts from its moment on, in whatever order it became known', () => {
    const growth = growthOf(formOf(4, 100))
    const plain = growthOf(formOf(4, 100))
    const at = born + hourMs
    growth.add({ at: at + 10, counter: 'replies', amount: -1, byAction: true })
    growth.add({ at, counter: 'replies', amount: 1, byAction: true })
    growth.add({ at: at + 5, counter: 'likes', amount: 40, byAction: false })
    const more = (time: number, name: string) =>
      (growth.read(time).interactions[name] ?? 0) - (plain.read(time).interactions[name] ?? 0)
    expect([at - 1, at, at + 9, at + 10].map((time) => more(time, 'replies'))).toEqual([0, 1, 1, 0])
    expect([at + 4, at + 5].map((time) => more(time, 'likes'))).toEqual([0, 40])
  })

  it('is left out of the untouched post only where an action added it', () => {
    const growth = growthOf(formOf(5, 100))
    growth.add({ at: born, counter: 'replies', amount: 3, byAction: true })
    growth.add({ at: born, counter: 'likes', amount: 7, byAction: false })
    const at = born + hourMs
    const [touched, untouched] = [growth.read(at), growth.readUntouched(at)]
    expect(touched.engagements - untouched.engagements).toBe(3)
  })

  it('of a counter that the network does not have is nothing', () => {
    const growth = growthOf(formOf(6, 100))
    const before = growth.read(born + hourMs)
    growth.add({ at: born, counter: 'stars', amount: 5, byAction: false })
    expect(growth.read(born + hourMs)).toEqual(before)
  })
})

describe('a purge', () => {
  it('takes likes away at its moment, never more than there are', () => {
    const form: Form = { ...formOf(7, 5000), purge: { afterMs: dayMs, share: 0.2 } }
    const growth = growthOf(form)
    const before = growth.read(born + dayMs - 1)
    const after = growth.read(born + dayMs)
    const fall = (before.interactions['likes'] ?? 0) - (after.interactions['likes'] ?? 0)
    expect(fall / (before.interactions['likes'] ?? 1)).toBeCloseTo(0.2, 2)
    expect(after.interactions['replies']).toBe(before.interactions['replies'])
  })
})
