/** Text is broken between words, and only where it must be. */

import { expect, test } from 'vitest'
import { wrap } from './wrapping.ts'

test('lines are as long as they may be and no longer', () => {
  const text = 'the quick brown fox jumps over the lazy dog'
  expect(wrap(text, 24)).toEqual(['the quick brown fox', 'jumps over the lazy dog'])
  expect(wrap(text, 26, '  ')).toEqual(['  the quick brown fox', '  jumps over the lazy dog'])
})

test('a word that is too long stays whole, and paragraphs stay apart', () => {
  expect(wrap(`a ${'x'.repeat(30)} b\n\nc`, 20)).toEqual(['a', 'x'.repeat(30), 'b', '', 'c'])
})
