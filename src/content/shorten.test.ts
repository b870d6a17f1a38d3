/** Tests of making a text fit. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyPostText, countCharacters } from '../../test/builders/content-request.ts'
import { shorten } from './shorten.ts'

const room = (maximumLength: number) => ({ maximumLength, measure: countCharacters })
const bytes = (text: string) => new TextEncoder().encode(text).length

describe('shorten', () => {
  test('leaves a text that fits as it is', () => {
    expect(shorten('Ten chars.', room(10))).toBe('Ten chars.')
  })

  test('ends at a sentence where one ends late enough', () => {
    expect(shorten('It was late. We went home. Then it rained all night.', room(30))).toBe(
      'It was late. We went home. …',
    )
  })

  test('ends at a word where the sentence would leave too little', () => {
    expect(shorten('Yes. But it took us much longer than we had thought', room(30))).toBe(
      'Yes. But it took us much…',
    )
  })

  test('leaves no comma before the ellipsis', () => {
    expect(shorten('one two, three', room(12))).toBe('one two…')
  })

  test('cuts within a word only where it must, and never within a character', () => {
    const family = '👩\u200D👩\u200D👧'
    expect(shorten(family.repeat(3), { maximumLength: 40, measure: bytes })).toBe(
      `${family.repeat(2)}…`,
    )
    expect(shorten('abcdefgh', room(5))).toBe('abcd…')
  })

  test('says that nothing fits', () => {
    expect(shorten('word', room(1))).toBeNull()
    expect(shorten('word', room(0))).toBeNull()
  })

  test('fits, whatever the text and however it is counted, and is a beginning of it', () => {
    const measures = [countCharacters, bytes, (text: string) => text.length]
    fc.assert(
      fc.property(
        anyPostText,
        fc.integer({ min: 0, max: 150 }),
        fc.constantFrom(...measures),
        (text, maximumLength, measure) => {
          const short = shorten(text, { maximumLength, measure })
          const kept = short?.replace(/ ?…$/, '') ?? ''
          expect(short === null || measure(short) <= maximumLength).toBe(true)
          expect(short === text || text.startsWith(kept)).toBe(true)
          expect(short === text).toBe(measure(text) <= maximumLength)
        },
      ),
    )
  })

  test('measures a long text only about as far as it fits', () => {
    let measured = 0
    const counting = (text: string) => {
      measured += text.length
      return text.length
    }
    const text = 'word '.repeat(100_000)
    expect(shorten(text, { maximumLength: 300, measure: counting })).toHaveLength(300)
    expect(measured - text.length).toBeLessThan(20 * 300)
  })

  test('fits although a count falls where a text grows', () => {
    // Like networks that count every link as 23.
    const measure = (text: string) => text.replaceAll(/\S+\.example\S*/g, '.'.repeat(23)).length
    const text = 'see a.example/with/a/very/long/path/to/read and then some more words to cut'
    const short = shorten(text, { maximumLength: 50, measure })
    expect(short).not.toBeNull()
    expect(measure(short ?? '')).toBeLessThanOrEqual(50)
  })
})
