/** Tests of telling that a text was said before. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  comparableWords,
  findRepeated,
  isSaidIn,
  nearlyIdentical,
  similarity,
} from './similarity.ts'

describe('what does not make a text another one', () => {
  test.each([
    ['case', 'THANK you for READING this', 'Thank You For Reading This'],
    ['white space', 'thank  you\nfor\treading', 'thank you for reading'],
    ['punctuation', 'Thank you – for reading!', 'Thank you, for “reading”…'],
    ['emoji', 'Thank you 🙏🏽 for reading 👩‍👩‍👧', 'Thank you for reading'],
    ['numbers', '10 days and 3 hours', '12 days and 99 hours'],
    ['width and form', 'Ｔｈａｎｋ you for the ﬁle', 'thank you for the file'],
    ['apostrophes', 'don’t wait for it', "don't wait for it"],
  ])('%s', (_name, one, other) => {
    expect(similarity(one, other)).toBe(1)
  })
})

describe('similarity', () => {
  const text = 'We cut half of our meetings and nobody misses them'

  test('one word of ten exchanged is nearly the same', () => {
    expect(similarity(text, text.replace('half', 'most'))).toBeGreaterThanOrEqual(nearlyIdentical)
  })

  test('half of the words exchanged is another text', () => {
    const other = 'We cut half of our meetings because everyone hated every one'
    expect(similarity(text, other)).toBeLessThan(nearlyIdentical)
  })

  test('the same frame around another quote is another text', () => {
    const frame = (quote: string) => `What is missing here? “${quote}”`
    const one = frame('The first month was chaos and we nearly gave up.')
    const other = frame('Support tickets are answered faster than before.')
    expect(similarity(one, other)).toBeLessThan(nearlyIdentical)
  })

  test('tells texts apart that have no spaces between words', () => {
    expect(similarity('会議を半分に減らしました', '会議を半分に減らしました。')).toBe(1)
    expect(similarity('会議を半分に減らしました', '今日はとても天気がいい')).toBe(0)
  })

  test('cannot tell texts without words apart', () => {
    expect(similarity('🎉', '👍👍')).toBe(1)
    expect(similarity('🎉', 'words')).toBe(0)
  })

  test('goes both ways, from 0 to 1, and is 1 for the text itself', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '7', '😀', '語'), { maxLength: 12 })
    const texts = words.map((list) => list.join(' '))
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const value = similarity(one, other)
        expect(value).toBe(similarity(other, one))
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        expect(similarity(one, one)).toBe(1)
      }),
    )
  })

  test('gives the same answer again after many other texts', () => {
    const value = similarity(text, 'We cut half of everything')
    for (let index = 0; index < 1000; index += 1) similarity(`text ${'x'.repeat(index)}`, text)
    expect(similarity(text, 'We cut half of everything')).toBe(value)
  })
})

describe('findRepeated', () => {
  test('names the text that is repeated', () => {
    const recent = ['Something else entirely.', 'Questions are welcome here!']
    expect(findRepeated('questions are welcome here', recent)).toBe(recent[1])
    expect(findRepeated('What did I leave out?', recent)).toBeNull()
  })
})

describe('isSaidIn', () => {
  test('sees words in their order and whole', () => {
    expect(isSaidIn('what would you add?', 'A post.\n\nPS: What would YOU add')).toBe(true)
    expect(isSaidIn('add you', 'what would you add')).toBe(false)
    expect(isSaidIn('art', 'a party')).toBe(false)
    expect(isSaidIn('🎉', 'anything 🎉')).toBe(false)
  })
})

test('a very long text is compared by its beginning', () => {
  expect(comparableWords('word '.repeat(100_000)).length).toBe(4000)
})
