/** Shows that lengths are counted as networks count them. */

import { describe, expect, it } from 'vitest'
import {
  countCodePoints,
  countGraphemes,
  countUtf16,
  countUtf8Bytes,
  countWeighted,
} from './text-length.ts'

describe('the length of a text', () => {
  it.each([
    { text: '', counts: [0, 0, 0, 0, 0] },
    { text: 'abc', counts: [3, 3, 3, 3, 3] },
    { text: 'é', counts: [1, 1, 1, 2, 1] },
    { text: '日本', counts: [2, 2, 2, 6, 4] },
    { text: '🌱', counts: [1, 1, 2, 4, 2] },
    { text: '👨‍👩‍👧', counts: [1, 5, 8, 18, 10] },
  ])('of $text is counted in each way that networks have', ({ text, counts }) => {
    const ways = [countGraphemes, countCodePoints, countUtf16, countUtf8Bytes, countWeighted]
    expect(ways.map((count) => count(text))).toEqual(counts)
  })
})
