/** Tests that a thread comes apart as it was put together. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinSegments, splitSegments } from './segments.ts'

/** Posts of the kind that is hard to tell from what separates them. */
const hardSegment = fc
  .array(fc.constantFrom('---', '\\---', '\\\\---', '----', ' ---', '--- ', '--', '\\', 'a', '\r'))
  .map((lines) => lines.join('\n').trim())
const anySegment = fc.oneof(hardSegment, fc.string({ unit: 'grapheme' })).map((text) => text.trim())

test('every thread comes apart as it was put together', () => {
  const threads = fc.array(anySegment.filter((text) => text !== ''))
  fc.assert(
    fc.property(threads, (texts) => {
      expect(splitSegments(joinSegments(texts))).toEqual(texts)
    }),
  )
})

test('a line of hyphens in a post is shown with a backslash', () => {
  expect(joinSegments(['One\n---\nmore', 'Two'])).toBe('One\n\\---\nmore\n---\nTwo')
})

test.each([
  ['spaces behind the hyphens', 'One\n---  \nTwo'],
  ['line ends of another system', 'One\r\n---\r\nTwo'],
  ['separators at the edges and in a row', '---\nOne\n---\n\n---\n---\nTwo\n---'],
])('people may type it with %s', (_, text) => {
  expect(splitSegments(text)).toEqual(['One', 'Two'])
})

test('three hyphens within a line separate nothing', () => {
  expect(splitSegments('One --- two\n----\nthree')).toEqual(['One --- two\n----\nthree'])
})
