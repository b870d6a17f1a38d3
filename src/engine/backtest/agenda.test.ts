/** That looks come in the order of time, also when one is put off. */

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Agenda } from './agenda.ts'

describe('the agenda', () => {
  it('gives what was added in the order of time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
        const agenda = new Agenda<{ at: number }>()
        for (const at of times) agenda.add({ at })
        const given: number[] = []
        for (let next = agenda.earliest; next !== undefined; next = agenda.earliest) {
          given.push(next.at)
          agenda.removeEarliest()
        }
        expect(given).toEqual(times.toSorted((a, b) => a - b))
      }),
    )
  })

  it('finds a new place for the earliest when that is put off', () => {
    const agenda = new Agenda<{ at: number; name: string }>()
    const first = { at: 1, name: 'first' }
    agenda.add({ at: 5, name: 'third' })
    agenda.add(first)
    agenda.add({ at: 3, name: 'second' })
    first.at = 4
    agenda.sink()
    const names: (string | undefined)[] = []
    for (let count = 0; count < 3; count += 1) {
      names.push(agenda.earliest?.name)
      agenda.removeEarliest()
    }
    expect(names).toEqual(['second', 'first', 'third'])
    expect(agenda.earliest).toBeUndefined()
  })
})
