/** Tests how a text is counted. */

import { expect, test } from 'vitest'
import { textLength } from './text-length.ts'

const { maximum, measure } = textLength
const family = '👨‍👩‍👧‍👦'

test.each([
  ['', 0],
  ['abc', 3],
  ['e\u0301', 1],
  ['naïve 🌱', 7],
  ['한국어', 3],
])('%j counts as %i', (text, length) => expect(measure(text)).toBe(length))

test('300 graphemes fit, and no more', () => {
  expect(measure('a'.repeat(300))).toBe(maximum)
  expect(measure('a'.repeat(301))).toBeGreaterThan(maximum)
})

test('3,000 bytes fit, and no more, however few graphemes they are', () => {
  expect(Buffer.byteLength(family)).toBe(25)
  expect(measure(family.repeat(120))).toBe(maximum)
  expect(measure(`${family.repeat(120)}a`)).toBe(maximum + 1)
})
