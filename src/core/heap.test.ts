/** The first of a heap is the least of what is in it, whatever was done before. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap } from './heap.ts'

interface Entry {
  value: number
}

const command = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), value: fc.integer() }),
  fc.record({ kind: fc.constant('remove' as const) }),
  fc.record({ kind: fc.constant('raise' as const), by: fc.nat() }),
)

test('the first is always the least', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const heap = new Heap<Entry>((a, b) => a.value < b.value)
      let model: Entry[] = []
      for (const each of commands) {
        if (each.kind === 'add') {
          const entry = { value: each.value }
          heap.add(entry)
          model.push(entry)
        } else if (each.kind === 'remove') {
          const { first } = heap
          heap.removeFirst()
          model = model.filter((entry) => entry !== first)
        } else if (heap.first !== undefined) {
          heap.first.value += each.by
          heap.firstChanged()
        }
        const values = model.map(({ value }) => value)
        expect(heap.first?.value).toBe(values.length === 0 ? undefined : Math.min(...values))
      }
    }),
  )
})
