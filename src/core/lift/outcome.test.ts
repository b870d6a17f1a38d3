/** What counts as a gain. */

import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

test('the outcome is ln(1 + gain)', () => {
  expect(outcomeOf({ before: 10, after: 19, artefacts: 0 })).toBeCloseTo(Math.log(10), 12)
})

test('what the action itself added is not a gain', () => {
  const untouched = outcomeOf({ before: 10, after: 15, artefacts: 0 })
  expect(outcomeOf({ before: 10, after: 18, artefacts: 3 })).toBe(untouched)
})

test('a counter that fell gained nothing', () => {
  expect(outcomeOf({ before: 10, after: 4, artefacts: 0 })).toBe(0)
})
